// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <variant>

#include "analysis/function_pointers.h"
#include "analysis/inline.h"
#include "analysis/mod_ref.h"
#include "analysis/points_to.h"
#include "analysis/prune.h"
#include "analysis/regions.h"
#include "analysis/slice.h"
#include "cli/commands.h"
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

/// A program, and the function that it starts with. Some transformations
/// number functions anew.
struct Started {
  ir::Program program;
  ir::FunctionId entry;
};

/// Refers to `from`. What it depends on becomes an assumption.
analysis::PointsTo points_to(Started& from) {
  const std::vector<analysis::Entry> entries{
      {from.entry, from.program[from.entry].name != kDefaultEntry}};
  analysis::PointsTo result(from.program, entries);
  for (const ir::Assumption& a : result.assumptions()) {
    from.program.assume(a.subject, a.why, a.position);
  }
  return result;
}

/// Keeps what the entry can use.
void prune(Started& from) {
  analysis::Pruned result = analysis::prune(from.program, {from.entry});
  from.entry = result.functions[from.entry.index()];
  from.program = std::move(result.program);
}

bool has_calls_through_pointers(const ir::Program& program) {
  return std::ranges::any_of(program.functions, [](const ir::Function& f) {
    return std::ranges::any_of(f.body.edges(), [](const ir::Edge& edge) {
      const auto* const call = std::get_if<ir::Call>(&edge.statement);
      return call != nullptr && call->pointer.valid();
    });
  });
}

/// False if a limit was reached; `reason` says which.
bool inline_calls(Started& from, std::string& reason) {
  if (has_calls_through_pointers(from.program)) {
    from.program =
        analysis::resolve_function_pointers(from.program, points_to(from))
            .program;
  }
  analysis::Inlined inlined = analysis::inline_calls(from.program, from.entry);
  reason = inlined.reason;
  if (!inlined.program) return false;
  from.program = std::move(*inlined.program);
  prune(from);
  return true;
}

void slice(Started& from, bool has_regions) {
  analysis::Criterion criterion;
  if (!has_regions) {
    from.program = analysis::slice(from.program, from.entry, criterion);
    return;
  }
  const analysis::PointsTo where = points_to(from);
  const analysis::ModRef effects(from.program, where);
  criterion.may_write = [&](ir::FunctionId routine, ir::VariableId array) {
    return effects.of(routine).may_write(array);
  };
  ir::Program sliced = analysis::slice(from.program, from.entry, criterion);
  from.program = std::move(sliced);
}

/// Why there is no result, if a limit was reached.
using Failure = std::optional<std::string>;

/// Applies what the options ask for.
Failure transform(Started& current, const ModelOptions& options,
                  support::Context& context) {
  prune(current);
  if (options.inline_calls) {
    context.progress("inlining");
    std::string reason;
    if (!inline_calls(current, reason)) return reason;
    if (context.exhausted()) return context.exhausted();
  }
  if (options.regions) {
    context.progress("dividing memory");
    current.program =
        analysis::split_memory(current.program, points_to(current)).program;
    if (context.exhausted()) return context.exhausted();
  }
  if (options.slice) {
    context.progress("slicing");
    slice(current, options.regions);
  }
  return context.exhausted();
}

/// The function to show, which may be gone after the transformations.
ir::FunctionId shown_function(const ir::Program& program,
                              const std::string& name) {
  const auto found = program.find_function(name);
  if (found && program[*found].has_body) return *found;
  throw InputError(fmt::format(
      "nothing is left of the function '{}': it is inlined or not used", name));
}

/// The program with only one body left.
ir::Program only(ir::Program program, ir::FunctionId function) {
  for (std::size_t i = 0; i < program.functions.size(); ++i) {
    if (i != function.index()) program.functions[i].has_body = false;
  }
  return program;
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

}  // namespace

ExitCode run_model(const ModelOptions& options, Session& session) {
  check_output(options);
  ir::Program program = load_program(options.input, session);
  if (!options.function.empty()) find_function(program, options.function);
  if (const auto entry = entry_of(options, program)) {
    Started current{std::move(program), *entry};
    const Failure failure = transform(current, options, session.context);
    if (failure) return give_up(session, *failure);
    program = std::move(current.program);
  }
  assume_routines(program);
  std::string text;
  if (options.function.empty()) {
    text = options.dot ? ir::print_dot(program)
                       : print_program(program, options.regions);
  } else {
    const ir::FunctionId function = shown_function(program, options.function);
    program = only(std::move(program), function);
    text = options.dot ? ir::print_dot(program)
                       : ir::print_function(program, function);
  }
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
