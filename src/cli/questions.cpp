// SPDX-License-Identifier: Apache-2.0
#include "cli/questions.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/call_graph.h"
#include "cli/cache.h"
#include "cli/certificates.h"
#include "cli/harness.h"
#include "cli/replay.h"
#include "evidence/essential.h"
#include "ir/actions.h"
#include "report/specification.h"
#include "smt/solvers.h"
#include "support/watchdog.h"
#include "verify/question.h"
#include "verify/sequential.h"

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

void print_learnt(const evidence::Result& found, Session& session) {
  if (found.verdict != Verdict::Unknown || found.predicates.empty()) return;
  session.print("  {}\n", what_was_learnt(found.iterations, found.predicates));
}

namespace {

constexpr std::size_t kMostSteps = 60;  // Of a path, at each end.

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
    if (steps.size() > 2 * kMostSteps && i == kMostSteps) {
      session.print("    ... {} more steps ...\n",
                    steps.size() - 2 * kMostSteps);
      i = steps.size() - kMostSteps;
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

void print_tree(const evidence::Counterexample& counterexample,
                std::uint32_t node, std::size_t depth, Session& session) {
  const evidence::StrategyNode& here = counterexample.strategy[node];
  session.print("    {:{}}{}{}\n", "", 2 * depth, here.challenge,
                here.children.empty() ? "   (no answer)" : "");
  for (const std::uint32_t child : here.children) {
    print_tree(counterexample, child, depth + 1, session);
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
  if (!counterexample.strategy.empty()) {
    session.print(
        "  winning strategy (children follow the possible answers):\n");
    print_tree(counterexample, 0, 0, session);
  }
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

bool relies_on_abstraction(const ir::Program& program, ir::FunctionId entry,
                           const OwnAbstractions& own) {
  if (own.empty()) return false;
  return std::ranges::any_of(
      analysis::CallGraph(program).reachable(entry),
      [&](ir::FunctionId function) { return own.contains(function); });
}

void unfold(ir::Program& program, const OwnAbstractions& own) {
  if (own.empty()) return;
  ir::change_edges(program, [&](ir::Edge& edge) {
    auto* const call = std::get_if<ir::Call>(&edge.statement);
    if (call == nullptr) return;
    const auto real = own.find(call->callee);
    if (real != own.end()) call->callee = real->second;
  });
}

evidence::Result as_unknown(evidence::Result result, std::string reason) {
  result.verdict = Verdict::Unknown;
  result.reason = std::move(reason);
  result.counterexample.reset();
  return result;
}

namespace {

struct Decided {
  evidence::Result result;
  bool is_exact = true;
  bool is_doubtful = false;
  bool is_recursive = false;  ///< The reason names the cycles.
};

/// All that an answer depends on but the program.
void describe(const AskedQuestion& question, std::string_view kind,
              CacheKey& key) {
  key.add(kind).add(question.target).add(question.spec).add(question.lts);
  key.add(question.any_state ? "any" : "initial");
  key.add(question.callbacks ? "callbacks" : "");
  if (question.module == nullptr) return;
  for (const verify::ModuleFunction& function : *question.module) {
    key.add(function.name);
    for (const std::string& name : function.arguments) key.add(name);
    for (const std::string& name : function.results) key.add(name);
  }
}

/// Whether an answer that was kept for what is left of the program has all that
/// this run shows. A recording is one of the whole program.
bool can_be_shown(const evidence::Result& known, const ir::Program& program,
                  const EngineOptions& options) {
  if (options.verify.detail == evidence::Detail::None) return true;
  if (!known.counterexample || !known.counterexample->recording) return true;
  return known.counterexample->recording->program_sha256 == digest(program);
}

/// The same for an answer about the whole program, of which only places can
/// have moved.
bool can_be_completed(evidence::Result& known, const ir::Program& program,
                      const EngineOptions& options) {
  if (!known.counterexample || !known.counterexample->recording) return true;
  std::string& of_program = known.counterexample->recording->program_sha256;
  if (of_program.empty()) {
    return options.verify.detail == evidence::Detail::None;
  }
  of_program = digest(program);
  return true;
}

Decided decide_once(const ir::Program& program, const AskedQuestion& question,
                    const std::optional<verify::ModuleView>& module,
                    const EngineOptions& options, Session& session,
                    const verify::Recursion& recursion = {}) {
  evidence::Result found;
  verify::Prepared prepared = verify::prepare(
      program, question.entry, question.lts, question.any_state,
      session.context, options.verify.integers, module, recursion);
  if (prepared.reason) {
    found.reason = *prepared.reason;
  } else {
    const auto identify = [&](CacheKey& key) {
      describe(question, "prepared", key);
      key.add(prepared.program[prepared.entry].name).add(prepared.program);
    };
    const auto decide_now = [&] {
      smt::SolverFactory solvers(
          *prepared.program.pool,
          {.name = options.solver, .context = &session.context});
      const auto solver = solvers.make();
      const support::Watchdog watchdog(session.context,
                                       [&] { solver->interrupt(); });
      const verify::Original original{program, question.entry,
                                      question.any_state};
      verify::Options engine = options.verify;
      engine.on_learnt = [&](std::size_t iterations,
                             std::vector<std::string> predicates) {
        publish(session, iterations, std::move(predicates));
      };
      evidence::Result result = verify::decide(
          {prepared.program, prepared.entry, question.lts,
           prepared.mathematical.get(), question.module, &original},
          engine, *solver, session.context);
      if (result.counterexample && result.counterexample->recording) {
        result.counterexample->recording->program_sha256 = digest(program);
      }
      return result;
    };
    found = remembered(identify, session, decide_now, [&](auto& known) {
      return can_be_shown(known, program, options);
    });
  }
  found.target = question.target;
  found.spec = question.spec;
  report_assumptions(prepared.program, program, session.report);
  return {std::move(found), prepared.is_exact, prepared.is_doubtful,
          prepared.is_recursive};
}

/// What the client and the routines around a module know of its memory, and to
/// which calls they come back, is followed exactly up to a point only. So
/// first it is asked what they can do for certain, then what they possibly can.
evidence::Result decide_module(const ir::Program& program,
                               const AskedQuestion& question,
                               const EngineOptions& options, Session& session) {
  verify::ModuleView view{analysis::Around::Certain, question.callbacks};
  Decided certain = decide_once(program, question, view, options, session);
  if (certain.result.verdict == Verdict::Violated) {
    if (!certain.is_doubtful) return std::move(certain.result);
    return as_unknown(std::move(certain.result),
                      "a client may have to keep pointers to memory of the "
                      "module that it was never given");
  }
  if (certain.is_exact) return std::move(certain.result);
  view.around = analysis::Around::All;
  Decided all = decide_once(program, question, view, options, session);
  if (all.result.verdict != Verdict::Violated) return std::move(all.result);
  return as_unknown(
      std::move(all.result),
      fmt::format(
          "the violation found may depend on {}what "
          "clients know of the module's memory",
          question.callbacks ? "callbacks from inside of callbacks, or " : ""));
}

lts::Lts never(const std::string& action) {
  const auto labels = std::make_shared<lts::LabelTable>();
  lts::LtsBuilder builder(labels);
  builder.set_initial(builder.add_state());
  builder.extend_alphabet(labels->intern(action));
  return std::move(builder).build();
}

/// Follows recursion to a depth, and deeper as long as calls get there. What is
/// found on the way is real; a proof is one if no call is deeper.
evidence::Result decide_recursive(const ir::Program& program,
                                  const AskedQuestion& question,
                                  const std::string& cycles,
                                  std::size_t deepest,
                                  const EngineOptions& options,
                                  Session& session) {
  const lts::Lts not_deeper = never(verify::kDeeper);
  const AskedQuestion depth_question{question.target, question.spec,
                                     question.entry, not_deeper,
                                     question.any_state};
  evidence::Result result;
  std::size_t looked_at = 0;
  for (std::size_t depth = 2; depth <= deepest; depth *= 2) {
    Decided within = decide_once(program, question, std::nullopt, options,
                                 session, {.depth = depth});
    if (within.result.verdict == Verdict::Violated) return within.result;
    if (within.result.verdict == Verdict::Holds) {
      looked_at = depth;
      const Decided deeper =
          decide_once(program, depth_question, std::nullopt, options, session,
                      {.depth = depth, .is_visible = true});
      if (deeper.result.verdict == Verdict::Holds) return within.result;
      within.result.reason = deeper.result.reason;
      if (deeper.result.verdict == Verdict::Violated) {
        result = std::move(within.result);
        continue;
      }
    }
    result = std::move(within.result);
    break;
  }
  std::string reason = cycles;
  if (looked_at > 0) {
    reason += fmt::format("; nothing is wrong up to a depth of {}", looked_at);
  }
  if (!result.reason.empty()) reason += fmt::format(": {}", result.reason);
  return as_unknown(std::move(result), std::move(reason));
}

/// A violation by a target that calls itself, where the inner calls were taken
/// to do what the specification allows. They may do less: so it is looked for
/// again with the calls themselves.
evidence::Result confirm(const ir::Program& program,
                         const AskedQuestion& question,
                         const EngineOptions& options, Session& session) {
  constexpr std::size_t kDeepest = 16;
  ir::Program unfolded = program;
  unfold(unfolded, *question.own);
  evidence::Result result = decide_recursive(
      unfolded, question,
      fmt::format("a violation was found that may depend on what '{}' is taken "
                  "to do where it calls itself",
                  question.target),
      kDeepest, options, session);
  // It is one of another program.
  if (result.counterexample) result.counterexample->recording.reset();
  return result;
}

}  // namespace

evidence::Result decide(const ir::Program& program,
                        const AskedQuestion& question,
                        const EngineOptions& options, Session& session) {
  constexpr std::size_t kDeepest = 4096;
  const auto identify = [&](CacheKey& key) {
    describe(question, "woven", key);
    key.add(program[question.entry].name).add(program);
  };
  const auto decide_now = [&] {
    if (question.module != nullptr) {
      evidence::Result found =
          decide_module(program, question, options, session);
      found.strategy.clear();  // The dialogue says it in the user's words.
      return found;
    }
    Decided done =
        decide_once(program, question, std::nullopt, options, session);
    if (done.is_recursive) {
      return decide_recursive(program, question, done.result.reason, kDeepest,
                              options, session);
    }
    const bool is_doubtful =
        done.result.verdict == Verdict::Violated && question.own != nullptr &&
        relies_on_abstraction(program, question.entry, *question.own);
    if (!is_doubtful) return std::move(done.result);
    return confirm(program, question, options, session);
  };
  return remembered(identify, session, decide_now,
                    [&](evidence::Result& known) {
                      return can_be_completed(known, program, options);
                    });
}

namespace {

/// Whether surely no call satisfies the guard of a question.
bool is_never_called(const ir::Program& program, const AskedQuestion& question,
                     const EngineOptions& options, Session& session) {
  const auto guards = program.find_function(question.guards);
  if (!guards) return false;
  const lts::Lts not_covered = never(question.covered);
  const evidence::Result found = decide(
      program,
      {question.target, "guard", *guards, not_covered, question.any_state},
      options, session);
  return found.verdict == Verdict::Holds;
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

}  // namespace

Verdict ask(const ir::Program& program, const AskedQuestion& question,
            const EngineOptions& options, Session& session) {
  if (session.replaying != nullptr) return replay(program, question, session);
  begin(session, question.target, question.spec);
  evidence::Result found = decide(program, question, options, session);
  found.is_never_called = found.verdict == Verdict::Holds &&
                          is_never_called(program, question, options, session);
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
  certify(program, question, found, options, session, result);
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
