// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "analysis/prepare.h"
#include "cli/commands.h"
#include "cli/model_question.h"
#include "cli/output.h"
#include "ir/print.h"
#include "support/error.h"

namespace agon::cli {
namespace {

using support::InputError;

constexpr const char* kDefaultEntry = "main";

/// Throws InputError if the output would replace one of the inputs.
void check_output(const ModelOptions& options) {
  if (options.output.empty()) return;
  for (const std::string& file : options.input.files) {
    std::error_code error;
    if (std::filesystem::equivalent(file, options.output, error)) {
      throw InputError(fmt::format("'{}' is an input; it is not overwritten",
                                   options.output));
    }
  }
}

/// Where execution starts, if the options say or need to know.
std::optional<ir::FunctionId> entry_of(const ModelOptions& options,
                                       const ir::Program& program) {
  if (!options.entry.empty()) return find_function(program, options.entry);
  if (!options.inline_calls && !options.regions && !options.slice) {
    return std::nullopt;
  }
  const auto found = program.find_function(kDefaultEntry);
  if (!found || !program[*found].has_body) {
    throw InputError(
        "there is no function 'main' to start from; name another with --entry");
  }
  return found;
}

/// The function to show, which may be gone after the transformations.
ir::FunctionId shown_function(const ir::Program& program,
                              const std::string& name) {
  const auto found = program.find_function(name);
  if (found && program[*found].has_body) return *found;
  throw InputError(fmt::format(
      "nothing is left of the function '{}': it is inlined or not used", name));
}

/// Leaves no other body.
void keep_only(ir::Program& program, ir::FunctionId function) {
  for (std::size_t i = 0; i < program.functions.size(); ++i) {
    if (i == function.index()) continue;
    program.functions[i].has_body = false;
    program.functions[i].body = {};
  }
}

/// The arrays that memory was divided into, as text.
std::vector<std::string> regions_of(const ir::Program& program) {
  std::vector<std::string> regions;
  for (std::size_t i = 0; i < program.variables.size(); ++i) {
    const ir::Variable& variable = program.variables[i];
    if (variable.kind != ir::VariableKind::Memory ||
        program.memory == ir::VariableId::at(i)) {
      continue;
    }
    const unsigned bytes = variable.term.sort().element().width / 8U;
    regions.push_back(fmt::format("{}: {} byte{}", variable.display, bytes,
                                  bytes == 1 ? "" : "s"));
  }
  return regions;
}

std::string print_program(const ir::Program& program, bool with_regions) {
  std::string text = ir::print_program(program);
  const std::vector<std::string> regions = regions_of(program);
  if (!with_regions || regions.empty()) return text;
  return text + fmt::format("{}Regions\n   {}\n",
                            program.assumptions.empty() ? "" : "\n",
                            fmt::join(regions, "\n   "));
}

struct Size {
  std::size_t functions = 0;
  std::size_t locations = 0;
  std::size_t edges = 0;
};

/// Puts the functions that are shown into the report, and counts.
Size report(const ir::Program& program, Session& session) {
  Size size;
  for (const ir::Function& function : program.functions) {
    if (!function.has_body) continue;
    Result result;
    result.target = function.name;
    result.states = function.body.num_locations();
    result.extra = {{"locations", function.body.num_locations()},
                    {"edges", function.body.edges().size()}};
    if (function.position.line != 0) {
      result.extra.emplace_back("file",
                                program.files[function.position.file.index()]);
      result.extra.emplace_back(
          "line", static_cast<std::size_t>(function.position.line));
    }
    ++size.functions;
    size.locations += function.body.num_locations();
    size.edges += function.body.edges().size();
    session.report.results.push_back(std::move(result));
  }
  session.report.extra = {{"functions", size.functions},
                          {"locations", size.locations},
                          {"edges", size.edges}};
  report_assumptions(program, session.report);
  return size;
}

/// Applies the steps that the options ask for. The answer is why not, if a
/// limit was reached.
std::optional<std::string> prepare(ir::Program& program,
                                   const ModelOptions& options,
                                   support::Context& context) {
  const auto entry = entry_of(options, program);
  if (!entry) return std::nullopt;
  analysis::PrepareOptions steps;
  steps.inline_calls = options.inline_calls;
  steps.regions = options.regions;
  steps.slice = options.slice;
  steps.characters_reach_all = !options.typed_characters;
  steps.any_state = program[*entry].name != kDefaultEntry;
  analysis::Prepared prepared =
      analysis::prepare(program, *entry, steps, context);
  program = std::move(prepared.program);
  return prepared.reason;
}

}  // namespace

ExitCode run_model(const ModelOptions& options, Session& session) {
  check_output(options);
  if (options.view != ModelView::Cfa) return show_question(options, session);
  ir::Program program = load_program(options.input, session);
  if (!options.function.empty()) find_function(program, options.function);
  if (const auto reason = prepare(program, options, session.context)) {
    return give_up(session, *reason);
  }
  assume_routines(program);
  std::optional<ir::FunctionId> shown;
  if (!options.function.empty()) {
    shown = shown_function(program, options.function);
    keep_only(program, *shown);
  }
  const std::string text = options.dot ? ir::print_dot(program)
                           : shown     ? ir::print_function(program, *shown)
                                   : print_program(program, options.regions);
  const Size size = report(program, session);
  if (options.regions) {
    session.report.extra.emplace_back("regions", regions_of(program));
  }
  if (options.output.empty()) {
    session.text += text;
    return ExitCode::Holds;
  }
  write_file(options.output, text);
  session.report.extra.emplace_back("output", options.output);
  session.print("{}: {} functions, {} locations, {} edges\n", options.output,
                size.functions, size.locations, size.edges);
  return ExitCode::Holds;
}

}  // namespace agon::cli
