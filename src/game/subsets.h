// SPDX-License-Identifier: Apache-2.0
/// The subset construction, one set at a time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "game/move_table.h"
#include "game/semantics.h"
#include "lts/successors.h"
#include "support/sequence_table.h"

namespace agon::game {

using StateSet = support::Id<struct StateSetTag>;

/// The determinised system, made on demand. In a weak reading sets are closed
/// under silent steps, and only visible labels remain.
class Subsets {
 public:
  struct Move {
    lts::Label label;
    StateSet target;
  };

  Subsets(lts::Successors& system, Semantics semantics);

  StateSet initial();

  /// The moves of a set, sorted by label, one for each label that some member
  /// can do. Valid until the next call.
  std::span<const Move> moves(StateSet set);

  /// Sorted. Valid until a new set is made.
  std::span<const lts::State> members(StateSet set) const {
    return sets_[set.value()];
  }

  /// Whether every member of `small` is in `large`.
  bool is_subset(StateSet small, StateSet large) const;

  /// Whether some label was seen to lead a set to several places.
  bool met_nondeterminism() const { return met_nondeterminism_; }

  std::size_t num_sets() const { return sets_.size(); }

 private:
  struct Row {
    std::uint32_t begin = kNotMade;
    std::uint32_t end = kNotMade;
  };
  static constexpr std::uint32_t kNotMade = 0xffff'ffff;

  StateSet intern(std::vector<lts::State>& states);
  void close_silently(std::vector<lts::State>& states);
  void make_row(StateSet set);

  MoveTable table_;
  Semantics semantics_;
  lts::State initial_;
  support::SequenceTable<lts::State> sets_;
  std::vector<std::uint64_t> signatures_;  // A bit for each member, hashed.
  std::vector<Row> rows_;
  std::vector<Move> moves_;
  bool met_nondeterminism_ = false;
  // Scratch space.
  std::vector<lts::Transition> gathered_;
  std::vector<lts::State> targets_;
  std::vector<std::uint32_t> visited_;
  std::uint32_t visit_ = 0;
};

}  // namespace agon::game
