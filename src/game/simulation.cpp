// SPDX-License-Identifier: Apache-2.0
#include "game/simulation.h"

#include "game/reduction.h"
#include "game/simulation_game.h"
#include "support/error.h"

namespace agon::game {

using support::Verdict;

namespace {

/// A limit was reached; and there is no verdict without evidence.
SimulationResult unknown(support::Context& context) {
  SimulationResult result;
  result.reason = context.exhausted().value_or("");
  return result;
}

SimulationResult finish(SimulationGame& game, Position start, Verdict verdict,
                        const SimulationOptions& options,
                        support::Context& context) {
  if (verdict == Verdict::Unknown) return unknown(context);
  SimulationResult result;
  result.verdict = verdict;
  if (result.verdict == Verdict::Violated) {
    result.strategies = game.strategies(start, options.strategies);
    if (result.strategies.empty()) return unknown(context);
  }
  result.positions = game.num_positions();
  context.statistics()["game.positions"] += game.num_positions();
  context.statistics()["game.expanded"] += game.num_expanded();
  return result;
}

SimulationResult play_reduced(const Reduction& reduction, Semantics semantics,
                              const SimulationOptions& options,
                              support::Context& context) {
  lts::ExplicitSuccessors impl(reduction.impl());
  lts::ExplicitSuccessors spec(reduction.spec());
  const Position start{impl.initial(), spec.initial()};
  SimulationGame game(impl, spec, semantics, context, options.tuning);
  SimulationResult result =
      finish(game, start, game.decide(start), options, context);
  for (Strategy& strategy : result.strategies) {
    auto lifted = reduction.lift(strategy, context);
    if (!lifted) return unknown(context);
    strategy = *std::move(lifted);
  }
  return result;
}

SimulationResult play(lts::Successors& impl, lts::Successors& spec,
                      Semantics semantics, const SimulationOptions& options,
                      support::Context& context) {
  const Position start{impl.initial(), spec.initial()};
  SimulationGame game(impl, spec, semantics, context, options.tuning);
  Verdict verdict = game.decide(
      start, Reduction::worthwhile_after(impl, spec, options.tuning));
  if (verdict == Verdict::Unknown && !context.exhausted()) {
    if (const auto reduction =
            Reduction::make(impl, spec, semantics, options.tuning, context)) {
      return play_reduced(*reduction, semantics, options, context);
    }
    verdict = game.decide(start);
  }
  return finish(game, start, verdict, options, context);
}

}  // namespace

SimulationResult simulate(lts::Successors& impl, lts::Successors& spec,
                          Semantics semantics, const SimulationOptions& options,
                          support::Context& context) {
  SimulationResult result = play(impl, spec, semantics, options, context);
#ifndef NDEBUG
  const Position start{impl.initial(), spec.initial()};
  for (const Strategy& strategy : result.strategies) {
    AGON_ASSERT(!refute(strategy, start, impl, spec, semantics));
  }
#endif
  return result;
}

}  // namespace agon::game
