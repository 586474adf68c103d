// SPDX-License-Identifier: Apache-2.0
/// The moves of a system in rows that stay where they are.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "game/semantics.h"
#include "lts/successors.h"
#include "support/context.h"

namespace agon::game {

/// Rows of moves, made when first asked for and kept, so that games can hold
/// on to positions in them. An explicit system is not copied.
///
/// With Semantics::Weak, the row of a state has its visible moves after any
/// number of silent steps, `tau* a`. Silent steps *after* the action are left
/// out on purpose; simulation_game.cpp says why the responder does not need
/// them.
class MoveTable {
 public:
  /// A part of a row: moves from index `begin` up to `end`.
  struct Range {
    std::uint32_t begin;
    std::uint32_t end;
    bool empty() const { return begin == end; }
    std::uint32_t size() const { return end - begin; }
  };

  /// Once a limit of `context` is reached, weak rows are cut short; whoever
  /// uses them has to look at the context before drawing a conclusion.
  MoveTable(lts::Successors& system, Semantics semantics,
            support::Context& context);

  Range row(lts::State state) {
    if (whole_ != nullptr) {
      return {whole_->first(state),
              whole_->first(lts::State(state.value() + 1))};
    }
    if (state.index() >= rows_.size() ||
        rows_[state.index()].begin == kNotMade) {
      make_row(state);
    }
    return rows_[state.index()];
  }

  /// Whether the moves of a state are known, so that asking costs nothing.
  bool has_row(lts::State state) const {
    return whole_ != nullptr || (state.index() < rows_.size() &&
                                 rows_[state.index()].begin != kNotMade);
  }

  /// The part of a row that carries a label.
  Range on(Range row, lts::Label label) const;

  lts::Transition move(std::uint32_t index) const {
    return whole_ != nullptr ? whole_->transitions()[index] : moves_[index];
  }

  std::span<const lts::Transition> moves(Range range) const {
    const auto all = whole_ != nullptr
                         ? whole_->transitions()
                         : std::span<const lts::Transition>(moves_);
    return all.subspan(range.begin, range.size());
  }

  /// A set that contains every label of the row: label l is bit l mod 64. A bit
  /// of one row that another row lacks is a label that the other row lacks.
  std::uint64_t mask(lts::State state) {
    if (state.index() >= masks_.size() || !masks_[state.index()].is_known) {
      make_mask(state);
    }
    return masks_[state.index()].labels;
  }

  /// Transitions of the system that were looked at to make rows.
  std::size_t work() const { return work_; }

 private:
  static constexpr std::uint32_t kNotMade = 0xffff'ffff;

  struct Mask {
    std::uint64_t labels = 0;
    bool is_known = false;
  };

  void make_row(lts::State state);
  void make_mask(lts::State state);
  void saturate(lts::State state);

  lts::Successors& system_;
  Semantics semantics_;
  support::Context& context_;
  const lts::Lts* whole_ = nullptr;  // If set, nothing is copied.
  std::vector<Range> rows_;
  std::vector<lts::Transition> moves_;
  std::vector<Mask> masks_;
  std::size_t work_ = 0;
  // Scratch space of `saturate`.
  std::vector<lts::State> silent_;
  std::vector<std::uint32_t> visited_;
  std::uint32_t visit_ = 0;
};

}  // namespace agon::game
