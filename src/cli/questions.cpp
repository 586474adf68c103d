// SPDX-License-Identifier: Apache-2.0
#include "cli/questions.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/certificates.h"
#include "cli/decide.h"
#include "cli/harness.h"
#include "cli/induction.h"
#include "cli/replay.h"
#include "evidence/essential.h"
#include "ir/library.h"
#include "report/specification.h"
#include "spec/induction.h"

namespace agon::cli {

using support::Verdict;

Result to_result(evidence::Result found) {
  Result result;
  result.target = std::move(found.target);
  result.spec = std::move(found.spec);
  result.verdict = found.verdict;
  result.decided_by = std::move(found.decided_by);
  result.reason = std::move(found.reason);
  result.iterations = found.iterations;
  result.predicates = std::move(found.predicates);
  result.states = found.states;
  result.solver_calls = found.solver_calls;
  result.time_s = found.time_s;
  if (found.verdict != Verdict::Violated) {
    result.extra.emplace_back("invariants", found.invariants);
  }
  if (found.verdict == Verdict::Holds) {
    result.extra.emplace_back("never_performed", found.never_performed);
    result.extra.emplace_back("never_reached", found.never_reached);
    result.extra.emplace_back("never_called", found.is_never_called);
    result.extra.emplace_back("vacuous",
                              found.is_vacuous || found.is_never_called);
  }
  result.history = std::move(found.history);
  result.models = std::move(found.models);
  if (!found.strategy.empty()) {
    result.extra.emplace_back("strategy", std::move(found.strategy));
  }
  if (found.counterexample) {
    Counterexample shown;
    shown.actions = std::move(found.counterexample->actions);
    shown.allowed = std::move(found.counterexample->allowed);
    shown.steps = std::move(found.counterexample->steps);
    shown.initial = std::move(found.counterexample->initial);
    shown.strategy = std::move(found.counterexample->strategy);
    shown.waiting = std::move(found.counterexample->waiting);
    shown.dialogue = std::move(found.counterexample->dialogue);
    shown.recording = std::move(found.counterexample->recording);
    shown.interleaving = std::move(found.counterexample->interleaving);
    shown.components = std::move(found.counterexample->components);
    result.counterexample = std::move(shown);
  }
  return result;
}

std::vector<evidence::SourceStep> essential(
    const std::vector<evidence::SourceStep>& steps) {
  std::vector<evidence::SourceStep> result;
  for (const evidence::SourceStep& step : steps) {
    if (evidence::is_essential(step)) result.push_back(step);
  }
  return result;
}

void print_emptiness(const evidence::Result& found, Session& session) {
  if (found.is_never_called) {
    session.print(
        "  note: no call satisfies the guard, so this says nothing\n");
  } else if (found.is_vacuous) {
    session.print(
        "  note: nothing that the specification mentions ever happens\n");
  } else if (!found.never_performed.empty()) {
    session.print("  note: never happens: {}\n",
                  fmt::join(found.never_performed, ", "));
  }
  if (!found.is_never_called && !found.never_reached.empty()) {
    session.print(
        "  note: the specification never gets to its state{} after {}\n",
        found.never_reached.size() == 1 ? "" : "s",
        fmt::join(found.never_reached, "; "));
  }
}

void note_unperformed(std::span<const spec::Unperformed> labels, Result& result,
                      Session& session) {
  if (labels.empty()) return;
  std::vector<std::string> names;
  for (const spec::Unperformed& each : labels) {
    session.print("  note: nothing performs '{}'{}\n", each.label,
                  each.suggestion);
    names.push_back(each.label);
  }
  result.extra.emplace_back("unperformed", std::move(names));
}

void print_learnt(const evidence::Result& found, Session& session) {
  if (found.verdict != Verdict::Unknown || found.predicates.empty()) return;
  session.print("  {}\n", what_was_learnt(found.iterations, found.predicates));
}

namespace {

void print_tree(const evidence::Counterexample& counterexample,
                std::uint32_t node, std::size_t depth, Session& session) {
  const evidence::StrategyNode& here = counterexample.strategy[node];
  session.print("    {:{}}{}{}\n", "", 2 * depth, here.challenge,
                here.children.empty() ? "   (no answer)" : "");
  for (const std::uint32_t child : here.children) {
    print_tree(counterexample, child, depth + 1, session);
  }
}

}  // namespace

void print_strategy(const evidence::Counterexample& counterexample,
                    Session& session) {
  if (counterexample.strategy.empty()) return;
  session.print("  winning strategy (children follow the possible answers):\n");
  print_tree(counterexample, 0, 0, session);
}

namespace {

constexpr std::size_t kMostStepsAtEnd = 60;  // Of a path, at each end.

/// In the C file, if there is one: an action stands where it is called.
std::string place_of(const evidence::SourceStep& step) {
  if (step.call.line != 0) {
    return fmt::format("{}:{}", step.call.file, step.call.line);
  }
  return step.line == 0 ? std::string()
                        : fmt::format("{}:{}", step.file, step.line);
}

/// One line per step: place, statement, values; actions stand out.
void print_steps(const std::vector<evidence::SourceStep>& steps,
                 Session& session) {
  std::size_t width = 0;
  for (const evidence::SourceStep& step : steps) {
    width = std::max(width, place_of(step).size());
  }
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps.size() > 2 * kMostStepsAtEnd && i == kMostStepsAtEnd) {
      session.print("    ... {} more steps ...\n",
                    steps.size() - 2 * kMostStepsAtEnd);
      i = steps.size() - kMostStepsAtEnd;
    }
    const evidence::SourceStep& step = steps[i];
    std::string values;
    for (const auto& [name, value] : step.values) {
      const bool is_said = step.text == fmt::format("{} = {}", name, value) ||
                           step.text == "return " + value;
      if (!is_said) values += fmt::format("  {} = {}", name, value);
    }
    session.print("    {:<{}}  {}{}{}\n", place_of(step), width,
                  step.action.empty() ? "" : "--> ", step.text, values);
  }
}

void print_counterexample(const evidence::Counterexample& counterexample,
                          bool is_specified, bool is_full, Session& session) {
  session.print("  actions: {}\n", fmt::join(counterexample.actions, ", "));
  if (is_specified)
    session.print(
        "  allowed instead of the last: {}\n",
        counterexample.allowed.empty()
            ? "nothing"
            : fmt::format("{}", fmt::join(counterexample.allowed, ", ")));
  if (!counterexample.dialogue.empty()) {
    session.print("  dialogue:\n");
    for (const std::string& line : counterexample.dialogue) {
      session.print("    {}\n", line);
    }
  }
  print_strategy(counterexample, session);
  if (!counterexample.initial.empty()) {
    session.print("  at the start:");
    for (const auto& [name, value] : counterexample.initial) {
      session.print(" {} = {}", name, value);
    }
    session.print("\n");
  }
  session.print("  path:\n");
  print_steps(is_full ? counterexample.steps : essential(counterexample.steps),
              session);
}

}  // namespace

void print(const AskedQuestion& question, const evidence::Result& found,
           bool is_full, Session& session) {
  session.print("{}: {}: {}", question.target, question.spec,
                to_string(found.verdict));
  if (!found.reason.empty()) session.print(" ({})", found.reason);
  session.print("\n");
  if (!question.guard.empty()) {
    session.print("  for calls with {}\n", question.guard);
  }
  if (!question.covers_all_entries) {
    session.print(
        "  note: the guards of '{}' do not cover every call; nothing is said "
        "about the others\n",
        question.target);
  }
  if (found.counterexample) {
    if (!found.strategy.empty()) {
      session.print("  strategy:\n    {}\n",
                    fmt::join(found.strategy, "\n    "));
    }
    print_counterexample(*found.counterexample, question.is_specified, is_full,
                         session);
  }
  if (found.verdict == Verdict::Holds && question.is_specified) {
    print_emptiness(found, session);
  }
  print_learnt(found, session);
}

Verdict worst(Verdict a, Verdict b) {
  if (a == Verdict::Violated || b == Verdict::Violated) {
    return Verdict::Violated;
  }
  return a == Verdict::Holds ? b : a;
}

namespace {

/// Whether surely no call satisfies the guard of a question.
bool is_never_called(const ir::Program& program, const AskedQuestion& question,
                     const EngineOptions& options, Session& session) {
  const auto guards = program.find_function(question.guards);
  if (!guards) return false;
  const lts::Lts not_covered = never(question.covered);
  const AskedQuestion asked{.target = question.target,
                            .spec = "guard",
                            .entry = *guards,
                            .lts = not_covered,
                            .any_state = question.any_state,
                            .digest = question.digest};
  const evidence::Result found = decide(program, asked, options, session);
  return found.verdict == Verdict::Holds;
}

/// A proof that takes for granted what is not proved is none.
void complete(const ir::Program& program, const AskedQuestion& question,
              const EngineOptions& options, Session& session,
              evidence::Result& found) {
  if (question.induction == nullptr) return;
  question.induction->note(question.entry, found.verdict);
  if (found.verdict != Verdict::Holds) return;
  if (const auto target = question.induction->gap(question.entry)) {
    found = decide_unfolded(program, question, spec::takes_for_granted(*target),
                            options, session);
  }
}

/// Where the procedure stands, or the first function of a module.
void set_place(const ir::Program& program, const AskedQuestion& question,
               Result& result) {
  const std::string& name = question.module != nullptr
                                ? question.module->front().name
                                : question.target;
  const auto id = program.find_function(name);
  if (!id || program[*id].position.line == 0) return;
  const ir::Position& position = program[*id].position;
  result.file = program.files[position.file.index()];
  result.line = position.line;
}

/// A proof about the loops that the first one did without, if one is found
/// soon: for the certificate, in which they are loops.
void look_for_hints(const ir::Program& program, const AskedQuestion& question,
                    const EngineOptions& options, Session& session) {
  constexpr std::size_t kMostIterations = 40;
  EngineOptions asked = options;
  asked.verify.unrolling = 0;
  asked.verify.max_iterations = kMostIterations;
  decide(program, question, asked, session);
}

}  // namespace

Verdict ask(const ir::Program& program, const AskedQuestion& question,
            const EngineOptions& options, Session& session) {
  if (session.replaying != nullptr) return replay(program, question, session);
  begin(session, question.target, question.spec);
  std::optional<verify::Hints> hints;
  EngineOptions asked = options;
  if (!options.certificate.empty()) {
    asked.verify.on_proof = [&](verify::Hints all) { hints = std::move(all); };
  }
  evidence::Result found = decide(program, question, asked, session);
  complete(program, question, options, session, found);
  std::erase_if(found.never_performed, [&](const std::string& label) {
    return std::ranges::count(question.contradictory, label) > 0;
  });
  found.is_never_called = found.verdict == Verdict::Holds &&
                          is_never_called(program, question, options, session);
  for (const std::string& name : found.library) {
    add_assumption({.subject = name, .is_routine = true, .why = ir::kStandard},
                   session.report);
  }
  const Verdict verdict = found.verdict;
  print(question, found, options.full_trace, session);
  if (options.on_result) options.on_result(found);
  if (verdict == Verdict::Violated) {
    const auto& recording = found.counterexample->recording;
    write_harness(options.harness, program, question,
                  recording ? &*recording : nullptr, session);
  }
  Result result = to_result(found);
  report::add_specification(question.lts, question.state_names, result);
  note_unperformed(question.unperformed, result, session);
  const auto found_hints = [&] { return hints ? &*hints : nullptr; };
  const auto look_for = [&] {
    look_for_hints(program, question, asked, session);
    return found_hints();
  };
  certify(program, question, {found, found_hints(), look_for}, options, session,
          result);
  if (!question.guard.empty()) {
    result.extra.emplace_back("guard", question.guard);
  }
  result.extra.emplace_back("covers_all_calls", question.covers_all_entries);
  set_place(program, question, result);
  session.report.results.push_back(std::move(result));
  publish(session);
  return verdict;
}

}  // namespace agon::cli
