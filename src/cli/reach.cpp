// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "cli/commands.h"
#include "cli/questions.h"
#include "lts/lts.h"
#include "verify/question.h"

namespace agon::cli {
namespace {

const std::array<std::string, 5> kErrors = {"reach_error", "__VERIFIER_error",
                                            "__assert_fail", "__assert",
                                            "__agon_overflow"};

/// The specification that allows everything but an error.
lts::Lts no_error(const lts::SharedLabels& labels) {
  lts::LtsBuilder builder(labels);
  builder.set_initial(builder.add_state());
  builder.extend_alphabet(labels->intern(verify::kError));
  return std::move(builder).build();
}

}  // namespace

ExitCode run_reach(const ReachOptions& options, Session& session) {
  ir::Program program = load_program(options.input, session);
  const ir::FunctionId entry = find_function(program, options.entry);
  verify::mark_errors(program, kErrors);
  assume_routines(program);
  const lts::Lts spec = no_error(session.labels);
  const bool any_state = options.entry != "main";
  const support::Verdict verdict = ask(program,
                                       {.target = options.entry,
                                        .spec = "no error",
                                        .entry = entry,
                                        .lts = spec,
                                        .any_state = any_state,
                                        .is_specified = false},
                                       options.engine, session);
  print_assumptions(session);
  return exit_code(verdict);
}

}  // namespace agon::cli
