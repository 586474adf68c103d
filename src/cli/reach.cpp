// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <regex>
#include <set>

#include "cli/commands.h"
#include "cli/questions.h"
#include "support/error.h"
#include "support/source.h"
#include "verify/question.h"

namespace agon::cli {
namespace {

/// Where execution starts and what must not be called.
struct Property {
  std::string entry;
  std::vector<std::string> errors;
};

/// What an SV-COMP property file asks for. Throws InputError unless it is that
/// a function is not called.
Property read_property(const std::string& path) {
  const support::Source source = support::Source::open(path);
  static const std::regex unreach_call(
      R"(\s*CHECK\(\s*init\(\s*(\w+)\(\)\s*\)\s*,\s*LTL\(\s*G\s*!\s*call\(\s*(\w+)\(\)\s*\)\s*\)\s*\)\s*)");
  const std::string text(source.text());
  std::smatch found;
  if (!std::regex_match(text, found, unreach_call)) {
    source.fail(0,
                "only CHECK( init(F()), LTL(G ! call(G())) ) can be decided");
  }
  return {found[1], {found[2]}};
}

}  // namespace

ExitCode run_reach(const ReachOptions& options, Session& session) {
  Property property{options.entry,
                    {kErrorRoutines.begin(), kErrorRoutines.end()}};
  if (!options.property.empty()) {
    property = read_property(options.property);
    property.errors.push_back("__agon_overflow");
  }
  ir::Program program = load_program(options.input, session);
  const ir::FunctionId entry = find_function(program, property.entry);
  verify::mark_errors(program, property.errors);
  assume_routines(program);
  const lts::Lts spec = no_error(session.labels);
  const support::Verdict verdict = ask(program,
                                       {.target = property.entry,
                                        .spec = "no error",
                                        .entry = entry,
                                        .lts = spec,
                                        .any_state = property.entry != "main",
                                        .is_specified = false},
                                       options.engine, session);
  print_assumptions(session);
  return exit_code(verdict);
}

}  // namespace agon::cli
