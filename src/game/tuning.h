// SPDX-License-Identifier: Apache-2.0
/// When the games switch on their accelerations.
#pragma once

#include <cstddef>

namespace agon::game {

/// Numbers that change how long a game takes and nothing else. The defaults are
/// measured; tests set extreme values so that every path is taken on systems
/// that are small enough for a naive oracle.
struct Tuning {
  /// Positions expanded before the short traces of all states are computed.
  std::size_t look_ahead_after = 500;
  /// Positions expanded, for each state of the implementation, before the game
  /// consults a coarser one.
  std::size_t coarse_after = 4;
  /// Effort, for each state of both systems, before the game is tried on their
  /// quotients.
  std::size_t reduce_after = 1;
  /// The same in all where a system is not explicit and would have to be built
  /// first, and the most states that it may have then.
  std::size_t build_after = 300'000;
  std::size_t build_at_most = 2'000'000;
  /// Literals up to which ways to win are collected beyond those that the game
  /// itself has found, in search of shallower and of further strategies.
  std::size_t max_alternatives = 2'000'000;
  /// Pairs that a search for traces visits before the simulation game gets its
  /// first turn. The budgets of both then double in each round.
  std::size_t first_round = 4096;
};

}  // namespace agon::game
