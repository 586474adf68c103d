// SPDX-License-Identifier: Apache-2.0
/// The part of a simulation game that the challenger wins, and the strategies
/// that can be read off it.
#pragma once

#include <tsl/robin_map.h>

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "game/move_table.h"
#include "game/strategy.h"
#include "horn/solver.h"
#include "support/hash.h"

namespace agon::game {

/// What the game has found out so far.
struct GameKnowledge {
  /// Whether the challenger is known to win from a position.
  std::function<bool(Position)> is_lost;
  /// For such a position, a challenge that wins. Following these challenges,
  /// whatever the responses, always comes to an end.
  std::function<lts::Transition(Position)> winning_challenge;
};

/// Once a position is lost, the explored game usually contains many ways to win
/// it. This collects them as explicit Horn clauses and solves these again in
/// one go, which gives least ranks and hence strategies of least depth.
class WinningRegion {
 public:
  /// `root` has to be lost. Beyond `max_literals` no further alternatives are
  /// collected; what the game itself needed to win is always there.
  WinningRegion(MoveTable& impl, MoveTable& spec, Semantics semantics,
                Position root, const GameKnowledge& knowledge,
                std::size_t max_literals);

  /// Up to `count` distinct strategies, one of least depth first.
  std::vector<Strategy> strategies(std::size_t count) const;

 private:
  /// A clause for some heads instead of their reason.
  using Choice = std::vector<std::pair<horn::Variable, horn::Clause>>;

  horn::Variable find_or_add(Position position);
  std::vector<Position> responses(Position position, lts::Transition move);
  void add_clause(horn::Variable head, lts::Transition move,
                  std::span<const Position> responses);
  void add_spine();
  void add_alternatives(horn::Variable head);
  /// The strategy that follows reasons except where `choice` says otherwise.
  /// Empty if that runs in a circle.
  Strategy follow(const Choice& choice) const;

  MoveTable& impl_;
  MoveTable& spec_;
  Semantics semantics_;
  const GameKnowledge& knowledge_;
  horn::Solver solver_;
  std::vector<Position> positions_;              // By variable.
  std::vector<lts::Transition> challenges_;      // By clause.
  std::vector<std::vector<horn::Clause>> ways_;  // By variable, as head.
  std::size_t spine_ = 0;  // Variables before this one have their reason.
  std::size_t num_literals_ = 0;
  tsl::robin_map<std::uint64_t, horn::Variable, support::MixHash> index_;
};

}  // namespace agon::game
