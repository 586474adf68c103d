// SPDX-License-Identifier: Apache-2.0
#include "game/traces.h"

#include <algorithm>
#include <set>

#include "game/reduction.h"
#include "game/simulation_game.h"
#include "game/trace_search.h"
#include "support/error.h"

namespace agon::game {

using lts::Label;
using lts::State;
using lts::Transition;
using support::Verdict;

namespace {

using States = std::set<State>;

States after(lts::Successors& system, const States& from, Label label) {
  States result;
  for (const State state : from) {
    for (const Transition& t : system.expand(state)) {
      if (t.label == label) result.insert(t.target);
    }
  }
  return result;
}

States closed(lts::Successors& system, States states, Semantics semantics) {
  if (semantics == Semantics::Strong) return states;
  for (;;) {
    const std::size_t before = states.size();
    states.merge(after(system, states, lts::kTau));
    if (states.size() == before) return states;
  }
}

// Simulation and search take turns with growing budgets. Simulation settles at
// once the inclusions on which antichains explode although it holds; the search
// finds short counterexamples at once, and decides where simulation fails but
// inclusion holds. On a deterministic specification the two are the same game,
// so the simulation does not start before a set with a choice was met.
class Contest {
 public:
  Contest(lts::Successors& impl, lts::Successors& spec, Semantics semantics,
          support::Context& context, const Tuning& tuning)
      : context_(context),
        start_{impl.initial(), spec.initial()},
        simulation_(impl, spec, semantics, context, tuning),
        traces_(impl, spec, semantics, simulation_, context),
        budget_(tuning.first_round) {}

  /// Goes on until `most` has been spent by each of the two in all.
  TraceResult run(std::size_t most) {
    TraceResult result;
    for (; spent_ < most && !context_.exhausted(); budget_ *= 2) {
      const std::size_t budget = std::min(budget_, most - spent_);
      spent_ += budget;
      result.verdict = traces_.advance(budget);
      if (result.verdict != Verdict::Unknown) break;
      if (simulated_ == Verdict::Unknown && traces_.met_nondeterminism()) {
        simulated_ = simulation_.decide(start_, budget);
        if (simulated_ == Verdict::Violated) traces_.ask_simulation();
      }
      if (simulated_ == Verdict::Holds) {
        result.verdict = Verdict::Holds;
        result.decided_by_simulation = true;
        break;
      }
    }
    if (result.verdict == Verdict::Unknown) {
      result.reason = context_.exhausted().value_or("");
    }
    result.counterexample = traces_.counterexample();
    result.pairs = traces_.num_pairs();
    context_.statistics()["traces.pairs"] = traces_.num_pairs();
    context_.statistics()["game.positions"] = simulation_.num_positions();
    return result;
  }

 private:
  support::Context& context_;
  Position start_;
  SimulationGame simulation_;
  TraceSearch traces_;
  std::size_t budget_;
  std::size_t spent_ = 0;
  Verdict simulated_ = Verdict::Unknown;
};

TraceResult decide(lts::Successors& impl, lts::Successors& spec,
                   Semantics semantics, support::Context& context,
                   const Tuning& tuning) {
  Contest contest(impl, spec, semantics, context, tuning);
  TraceResult result =
      contest.run(Reduction::worthwhile_after(impl, spec, tuning));
  if (result.verdict != Verdict::Unknown || context.exhausted()) return result;
  const auto reduction =
      Reduction::make(impl, spec, semantics, tuning, context);
  if (!reduction) return contest.run(SimulationGame::kNoBudget);

  lts::ExplicitSuccessors small_impl(reduction->impl());
  lts::ExplicitSuccessors small_spec(reduction->spec());
  result = Contest(small_impl, small_spec, semantics, context, tuning)
               .run(SimulationGame::kNoBudget);
  if (result.counterexample) {
    result.counterexample = reduction->lift(*std::move(result.counterexample));
  }
  return result;
}

}  // namespace

TraceResult include_traces(lts::Successors& impl, lts::Successors& spec,
                           Semantics semantics, support::Context& context,
                           const Tuning& tuning) {
  TraceResult result = decide(impl, spec, semantics, context, tuning);
#ifndef NDEBUG
  AGON_ASSERT(!result.counterexample ||
              !refute(*result.counterexample, impl, spec, semantics));
#endif
  return result;
}

std::optional<std::string> refute(const OffendingTrace& trace,
                                  lts::Successors& impl, lts::Successors& spec,
                                  Semantics semantics) {
  if (trace.actions.empty()) return "the trace is empty";
  State at = impl.initial();
  std::vector<Label> performed;
  for (const Transition& step : trace.steps) {
    const auto moves = impl.expand(at);
    if (std::ranges::find(moves, step) == moves.end()) {
      return "a step is not a move of the implementation";
    }
    if (semantics == Semantics::Strong || step.label != lts::kTau) {
      performed.push_back(step.label);
    }
    at = step.target;
  }
  if (performed != trace.actions) return "the steps do not have these actions";

  States allowed = closed(spec, {spec.initial()}, semantics);
  for (std::size_t i = 0; i + 1 < performed.size(); ++i) {
    allowed = closed(spec, after(spec, allowed, performed[i]), semantics);
    if (allowed.empty()) return "the trace offends before its last action";
  }
  if (!after(spec, allowed, performed.back()).empty()) {
    return "the specification has this trace";
  }
  std::set<Label> possible;
  for (const State state : allowed) {
    for (const Transition& t : spec.expand(state)) {
      if (semantics == Semantics::Strong || t.label != lts::kTau) {
        possible.insert(t.label);
      }
    }
  }
  if (!std::ranges::equal(possible, trace.allowed)) {
    return "the actions named as allowed are not those";
  }
  return std::nullopt;
}

}  // namespace agon::game
