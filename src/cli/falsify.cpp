// SPDX-License-Identifier: Apache-2.0
#include "falsify/falsify.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "cli/commands.h"
#include "cli/decide.h"
#include "cli/harness.h"
#include "cli/questions.h"
#include "cli/replay.h"
#include "ir/print.h"
#include "report/specification.h"
#include "smt/solvers.h"
#include "support/error.h"
#include "support/watchdog.h"
#include "verify/knowledge.h"
#include "verify/question.h"
#include "verify/readable.h"
#include "verify/record.h"
#include "verify/start.h"

namespace agon::cli {
namespace {

using falsify::ChosenValue;
using support::Verdict;

/// What one query may cost. Most take a hundredth; where multiplication makes
/// one hard, not knowing costs less.
constexpr std::uint64_t kResources = 3'000'000;

/// `LINE` or `FILE:LINE`.
falsify::From read_place(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  const std::string number =
      colon == std::string::npos ? text : text.substr(colon + 1);
  if (number.empty() || number.size() > 9 ||
      number.find_first_not_of("0123456789") != std::string::npos) {
    throw support::InputError(
        fmt::format("--from: expected LINE or FILE:LINE, not '{}'", text));
  }
  falsify::From from;
  from.line = static_cast<std::uint32_t>(std::stoul(number));
  if (colon != std::string::npos) from.file = text.substr(0, colon);
  return from;
}

void check_file(const falsify::From& from, const ir::Program& program) {
  const bool is_there = std::ranges::any_of(
      program.files,
      [&](const std::string& file) { return file.ends_with(from.file); });
  if (is_there) return;
  throw support::InputError(
      fmt::format("--from: no file of the program is '{}'", from.file));
}

falsify::Question pose(const verify::Prepared& prepared) {
  falsify::Question question{prepared.program, prepared.entry};
  const abstraction::Start start = verify::start_of(prepared.program);
  question.start = start.values.entries();
  return question;
}

falsify::Result play_over(const falsify::Question& question,
                          const falsify::Options& settings, smt::Solver& solver,
                          support::Context& context) {
  context.progress(fmt::format("playing over {}", settings.domain));
  return falsify::falsify(question, settings, solver, context);
}

/// Tries domains one after the other. Those that ask the solver for each step
/// must not do it too often.
falsify::Result try_domains(const falsify::Question& question,
                            falsify::Options settings, smt::Solver& solver,
                            support::Context& context) {
  falsify::Result found = play_over(question, settings, solver, context);
  settings.model.max_nodes = 4'000;
  settings.model.max_queries = 500;
  for (const char* const domain :
       {"interval+affine", "predicates", "interval+predicates"}) {
    if (found.execution || context.exhausted()) break;
    settings.domain = domain;
    falsify::Result next = play_over(question, settings, solver, context);
    if (next.execution || (next.is_conditional && !found.wins)) {
      found = std::move(next);
    }
  }
  return found;
}

falsify::Result decide(const verify::Prepared& prepared,
                       const FalsifyOptions& options, Session& session) {
  falsify::Result found;
  if (prepared.reason) {
    found.reason = *prepared.reason;
    return found;
  }
  smt::SolverFactory solvers(
      *prepared.program.pool,
      {.name = options.solver, .context = &session.context});
  const auto solver = solvers.make();
  solver->set_limits({kResources, {}});
  const support::Watchdog watchdog(session.context,
                                   [&] { solver->interrupt(); });
  falsify::Options settings = options.falsify;
  if (!options.from.empty()) {
    settings.from = read_place(options.from);
    check_file(*settings.from, prepared.program);
  }
  const falsify::Question question = pose(prepared);
  if (options.domain.empty()) {
    found = try_domains(question, settings, *solver, session.context);
  } else {
    settings.domain = options.domain;
    found = play_over(question, settings, *solver, session.context);
  }
  if (const auto& reason = session.context.exhausted();
      reason && !found.execution) {
    found.reason = *reason;
  }
  return found;
}

/// A program made ready, and the game on it.
struct Played {
  verify::Prepared prepared;
  falsify::Result found;
};

/// Recursion is followed to growing depths. A call that is deeper ends the
/// execution, so what is won is won without it.
Played play(const ir::Program& program, ir::FunctionId entry,
            const FalsifyOptions& options, Session& session) {
  constexpr std::size_t kDeepest = 64;
  const auto prepare = [&](std::size_t depth) {
    return verify::prepare(program, entry, no_error(session.labels),
                           options.entry != "main", session.context,
                           verify::Integers::Machine, std::nullopt,
                           {.depth = depth});
  };
  Played result{prepare(0), {}};
  result.found = decide(result.prepared, options, session);
  if (!result.prepared.is_recursive) return result;
  for (std::size_t depth = 2; depth <= kDeepest; depth *= 2) {
    Played deeper{prepare(depth), {}};
    deeper.found = decide(deeper.prepared, options, session);
    if (deeper.found.execution) return deeper;
    if (deeper.prepared.reason || session.context.exhausted()) break;
  }
  return result;
}

std::string number(const ir::Program& program, const ChosenValue& chosen) {
  const ir::Variable& variable = program[chosen.variable];
  return verify::number_text(
      program, variable,
      {variable.term.sort(),
       term::Integer(static_cast<std::uint64_t>(chosen.value)),
       {}});
}

Counterexample show(const ir::Program& program, ir::FunctionId entry,
                    const falsify::Execution& made) {
  constexpr std::size_t kMostSteps = 2'000;
  Counterexample shown;
  shown.actions = {verify::kError};
  for (const ChosenValue& value : made.start) {
    shown.initial.emplace_back(value.name, number(program, value));
  }
  std::size_t next = 0;
  const ir::Cfa& body = program[entry].body;
  for (const ir::EdgeId id : made.path) {
    if (shown.steps.size() == kMostSteps) break;
    const ir::Edge& edge = body.edge(id);
    evidence::SourceStep step;
    step.text = ir::to_string(program, edge.statement);
    if (edge.position.line != 0) {
      step.file = program.files[edge.position.file.index()];
      step.line = edge.position.line;
    }
    if (std::holds_alternative<ir::Call>(edge.statement)) {
      step.action = step.text = verify::kError;
    }
    const auto* const havoc = std::get_if<ir::Havoc>(&edge.statement);
    if (havoc != nullptr && !program[havoc->target].term.sort().is_array() &&
        next < made.choices.size()) {
      const ChosenValue& value = made.choices[next++];
      step.values.emplace_back(value.name, number(program, value));
    }
    shown.steps.push_back(std::move(step));
  }
  return shown;
}

void print_choices(const ir::Program& program, const falsify::Execution& made,
                   Session& session) {
  constexpr std::size_t kMost = 20;
  std::vector<std::string> texts;
  for (const ChosenValue& value : made.start) {
    texts.push_back(fmt::format("{} = {}", value.name, number(program, value)));
  }
  for (const ChosenValue& value : made.choices) {
    if (texts.size() == kMost) break;
    texts.push_back(fmt::format("{} = {} ({})", value.name,
                                number(program, value),
                                ir::to_string(program, value.position)));
  }
  const bool is_cut = texts.size() < made.start.size() + made.choices.size();
  session.print("  replayed: {}{}{}the error after {} steps\n",
                fmt::join(texts, ", "), is_cut ? ", ..." : "",
                texts.empty() ? "" : "; ", made.steps);
}

void print(const Result& result, const falsify::Result& found,
           const ir::Program& program, const FalsifyOptions& options,
           Session& session) {
  session.print("{}: {}: {}", result.target, result.spec,
                to_string(*result.verdict));
  if (found.is_conditional) {
    session.print(" if execution gets to {} ({})", options.from, found.reason);
  } else if (!found.reason.empty()) {
    session.print(" ({})", found.reason);
  }
  session.print("\n");
  if (found.strategy.empty()) return;
  session.print("  strategy:\n");
  std::size_t width = 0;
  for (const auto& step : found.strategy) {
    width = std::max(width, step.place.size());
  }
  for (const auto& step : found.strategy) {
    session.print("    {:<{}}  {}\n", step.place, width, step.text);
  }
  if (found.execution) print_choices(program, *found.execution, session);
}

/// The execution on the program itself.
verify::Replayed replay(const ir::Program& program, ir::FunctionId entry,
                        const verify::Prepared& prepared,
                        const falsify::Execution& made,
                        const FalsifyOptions& options, Session& session) {
  const verify::Original original{program, entry, options.entry != "main"};
  const lts::Lts spec = no_error(session.labels);
  verify::Replayed result = verify::record(
      {prepared.program, prepared.entry, spec, nullptr, nullptr, &original},
      verify::start_of(prepared.program, made),
      verify::choices_of(prepared.program, made), {verify::kError});
  if (result.recording) result.recording->program_sha256 = digest(program);
  return result;
}

/// What the game says besides the error.
falsify::Result not_shown(const falsify::Result& found, std::string reason) {
  falsify::Result result;
  result.domain = found.domain;
  result.nodes = found.nodes;
  result.reason = std::move(reason);
  return result;
}

/// The Falsifier may not choose what the C library returns.
falsify::Result without_library(falsify::Result found,
                                const ir::Program& program,
                                ir::FunctionId entry,
                                const evidence::Recording* recording) {
  if (!found.execution && !found.is_conditional) return found;
  const auto names = library_calls(program, entry, recording);
  if (names.empty()) return found;
  return not_shown(
      found, fmt::format("the strategy found depends on what '{}' returns, "
                         "which is not the Falsifier's choice",
                         fmt::join(names, "', '")));
}

}  // namespace

ExitCode run_falsify(const FalsifyOptions& options, Session& session) {
  const auto before = std::chrono::steady_clock::now();
  ir::Program program = load_program(options.input, session);
  session.report.inputs->entry = options.entry;
  const ir::FunctionId entry = find_function(program, options.entry);
  const evidence::Surroundings around = surroundings(
      program, nullptr, {kErrorRoutines.begin(), kErrorRoutines.end()});
  verify::mark_errors(program, kErrorRoutines);
  assume_routines(program);
  auto [prepared, found] = play(program, entry, options, session);
  std::optional<evidence::Recording> recording;
  if (found.execution) {
    verify::Replayed replayed =
        replay(program, entry, prepared, *found.execution, options, session);
    recording = std::move(replayed.recording);
    if (!replayed.problem.empty()) {
      found = not_shown(found,
                        "the strategy found could not be replayed on the whole "
                        "program: " +
                            replayed.problem);
    }
  }
  if (recording) {
    const auto doubt = verify::change_without_knowledge(
        verify::runnable({program, entry, options.entry != "main"}),
        *recording);
    if (doubt) found = not_shown(found, *doubt);
  }
  found = without_library(std::move(found), program, entry,
                          recording ? &*recording : nullptr);
  report_assumptions(prepared.program, program, session.report);

  Result result;
  result.target = options.entry;
  result.spec = "no error";
  result.verdict = found.execution || found.is_conditional ? Verdict::Violated
                                                           : Verdict::Unknown;
  result.decided_by = "attractor";
  result.reason = found.reason;
  result.states = found.nodes;
  result.solver_calls = session.context.statistics()["solver.calls"];
  result.time_s =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - before)
          .count();
  if (found.execution) {
    result.counterexample =
        show(prepared.program, prepared.entry, *found.execution);
    result.counterexample->recording = std::move(recording);
  }
  std::vector<std::string> strategy;
  for (const auto& step : found.strategy) {
    strategy.push_back(step.place.empty() ? step.text
                                          : step.place + ": " + step.text);
  }
  result.extra.emplace_back("domain", found.domain);
  result.extra.emplace_back("wins", found.wins);
  result.extra.emplace_back("conditional", found.is_conditional);
  result.extra.emplace_back("must_nodes", found.must_nodes);
  result.extra.emplace_back("strategy", std::move(strategy));
  report::add_specification(no_error(session.labels), {}, result);
  print(result, found, prepared.program, options, session);
  if (result.counterexample) {
    const lts::Lts spec = no_error(session.labels);
    const auto& recorded = result.counterexample->recording;
    write_harness(options.harness, program,
                  {.target = options.entry,
                   .spec = "no error",
                   .entry = entry,
                   .lts = spec,
                   .any_state = options.entry != "main",
                   .around = &around},
                  recorded ? &*recorded : nullptr, session);
  }
  const Verdict verdict = *result.verdict;
  result.file = program.files[program[entry].position.file.index()];
  result.line = program[entry].position.line;
  session.report.results.push_back(std::move(result));
  print_assumptions(session);
  return exit_code(verdict);
}

}  // namespace agon::cli
