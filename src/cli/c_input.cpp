// SPDX-License-Identifier: Apache-2.0
#include "cli/c_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "frontend/digest.h"
#include "support/error.h"
#include "support/source.h"
#include "support/suggest.h"

namespace agon::cli {
namespace {

using support::InputError;

}  // namespace

evidence::Inputs::File note_file(const std::string& path) {
  std::error_code error;
  // Others can be read but once.
  if (!std::filesystem::is_regular_file(path, error)) return {path, ""};
  return {path, frontend::sha256(support::Source::open(path).text())};
}

ir::Program load_program(const CInput& input, Session& session) {
  return load_all(input, session).program;
}

frontend::Lowered load_all(const CInput& input, Session& session) {
  begin(session, fmt::format("{}", fmt::join(input.files, " ")));
  session.files = input.files;
  frontend::Lowered lowered =
      frontend::lower_all(input.files, input.options, session.context);
  evidence::Inputs& inputs = session.report.inputs.emplace();
  for (const std::string& file : input.files) {
    inputs.files.push_back(note_file(file));
  }
  inputs.arguments = input.options.arguments;
  inputs.build_directory = input.options.build_directory;
  inputs.overflow_is_error = input.options.overflow_is_error;
  inputs.volatile_is_input = input.options.volatile_is_input;
  inputs.malloc_may_fail = input.options.malloc_may_fail;
  if (const auto model = input.options.model) {
    inputs.data_model = *model == ir::DataModel::ILP32 ? "ILP32" : "LP64";
  }
  return lowered;
}

ir::FunctionId find_function(const ir::Program& program,
                             const std::string& name) {
  std::vector<std::string> known;
  for (const ir::Function& function : program.functions) {
    if (function.has_body) known.push_back(function.name);
  }
  const auto found = program.find_function(name);
  if (!found) {
    throw InputError(fmt::format("there is no function '{}'{}", name,
                                 support::did_you_mean(name, known)));
  }
  if (!program[*found].has_body) {
    throw InputError(fmt::format("the function '{}' has no body", name));
  }
  return *found;
}

void add_assumption(ReportedAssumption assumption, Report& report) {
  for (const ReportedAssumption& other : report.assumptions) {
    if (other.subject == assumption.subject && other.why == assumption.why) {
      return;
    }
  }
  report.assumptions.push_back(std::move(assumption));
}

void report_assumptions(const ir::Program& program, const ir::Program& names,
                        Report& report) {
  for (const ir::Assumption& assumption : program.assumptions) {
    ReportedAssumption reported;
    reported.subject = assumption.subject;
    reported.is_routine = names.find_function(assumption.subject).has_value();
    reported.why = assumption.why;
    if (assumption.position.line != 0) {
      reported.file = program.files[assumption.position.file.index()];
      reported.line = assumption.position.line;
    }
    add_assumption(std::move(reported), report);
  }
}

void print_assumptions(Session& session) {
  if (session.report.assumptions.empty()) return;
  session.print("Assumptions\n");
  for (const ReportedAssumption& assumption : session.report.assumptions) {
    session.print("  {}: {}\n", assumption.subject, assumption.why);
  }
}

}  // namespace agon::cli
