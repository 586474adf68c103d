// SPDX-License-Identifier: Apache-2.0
#include "game/simulation.h"

#include "game/simulation_game.h"
#include "support/error.h"

namespace agon::game {

using support::Verdict;

SimulationResult simulate(lts::Successors& impl, lts::Successors& spec,
                          Semantics semantics, const SimulationOptions& options,
                          support::Context& context) {
  const Position start{impl.initial(), spec.initial()};
  SimulationGame game(impl, spec, semantics, context);
  SimulationResult result;
  result.verdict = game.decide(start);
  if (result.verdict == Verdict::Unknown) {
    result.reason = context.exhausted().value_or("");
  }
  if (result.verdict == Verdict::Violated) {
    result.strategies = game.strategies(start, options.strategies);
  }
  result.positions = game.num_positions();
  context.statistics()["game.positions"] += game.num_positions();
  context.statistics()["game.expanded"] += game.num_expanded();
  return result;
}

}  // namespace agon::game
