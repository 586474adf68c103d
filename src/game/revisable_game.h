// SPDX-License-Identifier: Apache-2.0
/// The weak simulation game on a system that changes while it is played.
#pragma once

#include <tsl/robin_map.h>

#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "game/move_table.h"
#include "game/strategy.h"
#include "lts/successors.h"
#include "support/context.h"
#include "support/hash.h"
#include "support/verdict.h"

namespace agon::game {

/// A system of which more is found out, or of which something turns out to be
/// different, after it was expanded.
class RevisableSystem : public lts::Successors {
 public:
  struct Revision {
    /// No move of these is known any more, and none that leads to them.
    std::vector<lts::State> forgotten;
    /// These may have more moves than when they were expanded. They include
    /// all others that had moves to what is forgotten.
    std::vector<lts::State> extended;

    bool empty() const { return forgotten.empty() && extended.empty(); }
  };

  /// What has changed since this was last asked.
  virtual Revision take_revision() = 0;
};

/// Decides the game from the initial states, again and again. What is known of
/// a position is kept as long as nothing that it rests on has changed.
class RevisableGame {
 public:
  static constexpr auto kNoLimit = std::numeric_limits<std::size_t>::max();

  /// All arguments have to outlive it.
  RevisableGame(RevisableSystem& impl, lts::Successors& spec,
                support::Context& context);

  /// Unknown: a limit of the context is reached, or there are more than `most`
  /// positions.
  support::Verdict decide(std::size_t most = kNoLimit);

  /// After Violated: one of least depth among those that were found. None if a
  /// limit is reached.
  std::optional<Strategy> strategy();

  std::size_t num_positions() const { return nodes_.size(); }
  /// Positions whose moves were looked at; some several times.
  std::size_t num_expanded() const { return num_expanded_; }
  /// States of the implementation that the last answer is about.
  std::size_t num_states() const;

 private:
  using Node = std::uint32_t;

  /// A move of the implementation, and the answer that it has to fear.
  struct Challenge {
    lts::Transition move;
    Node answer;
  };
  struct Data {
    Position position;
    bool is_lost = false;
    bool is_expanded = false;
    bool is_queued = false;
    std::uint32_t epoch = 0;  ///< When somebody last asked for it.
    lts::Transition reason;   ///< The challenge that wins, if it is lost.
    std::vector<Challenge> challenges;  ///< If it is not lost.
    /// Who may have it as an answer, and who may be lost because it is.
    std::vector<Node> waiting;
    std::vector<Node> relying;
  };

  Node find_or_add(Position position);
  std::optional<Node> find(Position position) const;
  bool is_lost(Position position) const;
  bool is_active(Node node) const { return nodes_[node].epoch == epoch_; }
  void activate(Node node);
  void queue(Node node);
  std::optional<Node> take_from_queue();
  bool is_awaited(Node node) const;

  void expand(Node node);
  void add_challenges(Node node, std::span<const lts::Transition> moves);
  std::optional<lts::Transition> unanswered(
      Node node, std::span<const lts::Transition> moves);
  std::vector<Position> answers(Position position, lts::Transition move);
  bool find_answer(Node node, Challenge& challenge);
  void lose(Node node, lts::Transition reason);
  void propagate();

  void revise();
  std::vector<Node> positions_at(const std::vector<lts::State>& states) const;
  void take_back(Node node);
  void take_back_challenges(Node node, const std::vector<bool>& is_forgotten);

  RevisableSystem& impl_system_;
  support::Context& context_;
  lts::State spec_initial_;
  MoveTable spec_;

  std::vector<Data> nodes_;
  tsl::robin_map<std::uint64_t, Node, support::MixHash> index_;
  std::vector<std::vector<Node>> by_state_;  // Of the implementation.
  Node root_ = 0;
  std::uint32_t epoch_ = 0;
  std::deque<Node> queue_;
  std::vector<Node> newly_lost_;
  std::size_t num_expanded_ = 0;
};

}  // namespace agon::game
