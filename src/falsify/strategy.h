// SPDX-License-Identifier: Apache-2.0
/// How the Falsifier wins, for people.
#pragma once

#include <string>
#include <vector>

#include "falsify/game.h"
#include "falsify/loops.h"
#include "falsify/model.h"

namespace agon::falsify {

/// What the Falsifier does, or has to put up with, at a place.
struct StrategyStep {
  ir::Position position;
  std::string place;  ///< `main.c:12`; empty for what holds at the start.
  std::string text;   ///< `choose n > 0`.
};

/// In the order in which executions meet these places first.
using Strategy = std::vector<StrategyStep>;

/// The strategy from the nodes `from`, all of which are won.
Strategy describe(const Model& model, const std::vector<Win>& wins,
                  const std::vector<EndingLoop>& loops,
                  const std::vector<NodeId>& from, const ir::Program& program,
                  ir::FunctionId entry);

}  // namespace agon::falsify
