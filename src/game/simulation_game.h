// SPDX-License-Identifier: Apache-2.0
/// The simulation game, played locally and on demand.
#pragma once

#include <tsl/robin_map.h>

#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "game/coarse_game.h"
#include "game/move_table.h"
#include "game/strategy.h"
#include "game/trace_masks.h"
#include "game/tuning.h"
#include "horn/lazy_solver.h"
#include "lts/successors.h"
#include "support/context.h"
#include "support/hash.h"
#include "support/verdict.h"

namespace agon::game {

/// Decides positions of a simulation game, remembering all it learns: later
/// questions profit from earlier ones. Both systems have to outlive it.
class SimulationGame {
 public:
  /// Transitions looked at that count as much as one position expanded.
  static constexpr std::size_t kWorkPerUnit = 8;
  static constexpr auto kNoBudget = std::numeric_limits<std::size_t>::max();

  SimulationGame(lts::Successors& impl, lts::Successors& spec,
                 Semantics semantics, support::Context& context,
                 const Tuning& tuning = {});
  ~SimulationGame();

  /// Plays until it is known who wins from a position. Violated: the
  /// implementation has a winning strategy. Unknown: the limits of the context
  /// or the budget of effort are used up; asking again goes on.
  support::Verdict decide(Position position, std::size_t budget = kNoBudget);

  /// Up to `count` distinct winning strategies from a position that was decided
  /// as Violated. The first is of least depth among those that can be made from
  /// what was explored. None if a limit is reached before there is one.
  std::vector<Strategy> strategies(Position position, std::size_t count);

  /// What is known of a position without playing on.
  support::Verdict known(Position position);

  /// Whether the challenger is already known to win from a position.
  bool is_lost(Position position);

  std::size_t num_positions() const { return positions_.size(); }
  std::size_t num_expanded() const { return num_expanded_; }

  /// Work done so far, about one unit for each position expanded.
  std::size_t effort() const {
    return num_expanded_ + spec_.work() / kWorkPerUnit +
           (coarse_ != nullptr ? coarse_->effort() : 0);
  }

 private:
  enum class Status : std::uint8_t { Idle, Queued, Expanded };

  /// A challenge and the responses that have not been tried yet.
  struct Challenge {
    lts::Transition move;
    std::uint32_t next_response;
    std::uint32_t end_response;
  };

  horn::Variable find(Position position) const;
  horn::Variable find_or_add(Position position);
  void wake(horn::Variable variable);
  horn::Variable take_from_queue();
  bool lacks_label(Position position);
  bool refuses(Position position);
  void look_ahead();
  unsigned missing_trace(Position position) const;
  bool is_accepted(Position position);
  void expand(horn::Variable variable);
  bool loses_at_once(horn::Variable variable);
  bool all_lost(lts::State impl, MoveTable::Range responses);
  horn::Clause add_challenge(horn::Variable head, lts::Transition move,
                             MoveTable::Range responses);
  horn::Variable familiar_response(const Challenge& challenge);
  horn::Variable next_response(horn::Clause clause);
  lts::Transition winning_challenge(Position position);
  std::optional<lts::Transition> unanswered_challenge(Position position);
  lts::Transition trace_challenge(Position position);
  bool leads_to_missing_trace(Position position, lts::Transition move,
                              unsigned depth);
  void explore_alternatives(const Strategy& strategy);
  void explore_challenge(Position position, lts::Transition move,
                         std::size_t most);

  lts::Successors& impl_system_;
  lts::Successors& spec_system_;
  Semantics semantics_;
  support::Context& context_;
  Tuning tuning_;
  bool may_use_coarse_;
  std::unique_ptr<CoarseGame> coarse_;
  MoveTable impl_;
  MoveTable spec_;
  std::unique_ptr<TraceMasks> impl_masks_;  // Once the game is worth it.
  std::unique_ptr<TraceMasks> spec_masks_;

  horn::LazySolver solver_;
  std::vector<Position> positions_;    // By variable.
  std::vector<Status> status_;         // By variable.
  std::vector<Challenge> challenges_;  // By clause.
  tsl::robin_map<std::uint64_t, horn::Variable, support::MixHash> index_;
  std::deque<horn::Variable> queue_;
  std::size_t num_expanded_ = 0;
};

}  // namespace agon::game
