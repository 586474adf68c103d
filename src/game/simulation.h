// SPDX-License-Identifier: Apache-2.0
/// Does the specification simulate the implementation?
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "game/semantics.h"
#include "game/strategy.h"
#include "game/tuning.h"
#include "lts/successors.h"
#include "support/context.h"
#include "support/verdict.h"

namespace agon::game {

struct SimulationOptions {
  /// How many distinct winning strategies to look for.
  std::size_t strategies = 1;
  Tuning tuning = {};
};

struct SimulationResult {
  support::Verdict verdict = support::Verdict::Unknown;
  std::string reason;                ///< Why Unknown.
  std::vector<Strategy> strategies;  ///< If Violated: at least one.
  std::size_t positions = 0;         ///< How many the game has touched.
};

/// Plays the simulation game from the initial states (SIM §4, PROP §4). Both
/// systems are expanded only as far as the game needs; a game that grows beyond
/// their size is played on their quotients by bisimilarity instead, where these
/// can be had and are smaller, and strategies are carried back.
SimulationResult simulate(lts::Successors& impl, lts::Successors& spec,
                          Semantics semantics, const SimulationOptions& options,
                          support::Context& context);

}  // namespace agon::game
