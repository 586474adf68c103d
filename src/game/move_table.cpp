// SPDX-License-Identifier: Apache-2.0
#include "game/move_table.h"

#include <algorithm>

#include "support/error.h"

namespace agon::game {

using lts::Label;
using lts::State;
using lts::Transition;

MoveTable::MoveTable(lts::Successors& system, Semantics semantics,
                     support::Context& context)
    : system_(system), semantics_(semantics), context_(context) {
  if (semantics == Semantics::Strong) whole_ = system.as_explicit();
}

MoveTable::Range MoveTable::on(Range row, Label label) const {
  const auto all = moves(row);
  if (all.size() <= 8) {  // Most rows are short, and a scan beats a search.
    std::uint32_t begin = row.begin;
    while (begin < row.end && move(begin).label < label) ++begin;
    std::uint32_t end = begin;
    while (end < row.end && move(end).label == label) ++end;
    return {begin, end};
  }
  const auto found =
      std::ranges::equal_range(all, label, {}, &Transition::label);
  const auto begin = found.begin() - all.begin();
  const auto end = found.end() - all.begin();
  return {row.begin + static_cast<std::uint32_t>(begin),
          row.begin + static_cast<std::uint32_t>(end)};
}

void MoveTable::make_mask(State state) {
  if (state.index() >= masks_.size()) {
    masks_.resize(std::max(state.index() + 1, whole_ != nullptr
                                                  ? whole_->num_states()
                                                  : 2 * masks_.size()));
  }
  Mask mask{.is_known = true};
  for (const Transition& t : moves(row(state))) {
    mask.labels |= std::uint64_t{1} << (t.label.value() % 64);
  }
  masks_[state.index()] = mask;
}

void MoveTable::make_row(State state) {
  if (state.index() >= rows_.size()) {
    rows_.resize(std::max(state.index() + 1, 2 * rows_.size()),
                 {kNotMade, kNotMade});
  }
  const std::size_t begin = moves_.size();
  if (semantics_ == Semantics::Weak) {
    saturate(state);
  } else {
    const auto out = system_.expand(state);
    work_ += out.size();
    moves_.insert(moves_.end(), out.begin(), out.end());
  }
  AGON_ASSERT(moves_.size() < kNotMade);
  rows_[state.index()] = {static_cast<std::uint32_t>(begin),
                          static_cast<std::uint32_t>(moves_.size())};
}

/// Appends the visible moves of everything that `state` reaches silently.
void MoveTable::saturate(State state) {
  const std::size_t begin = moves_.size();
  ++visit_;
  silent_.assign(1, state);
  const auto is_new = [this](State s) {
    if (s.index() >= visited_.size()) {
      visited_.resize(std::max(s.index() + 1, 2 * visited_.size()), 0);
    }
    if (visited_[s.index()] == visit_) return false;
    visited_[s.index()] = visit_;
    return true;
  };
  is_new(state);
  for (std::size_t head = 0; head < silent_.size(); ++head) {
    if (context_.exhausted()) break;
    const auto out = system_.expand(silent_[head]);
    work_ += out.size();
    for (const Transition& t : out) {
      if (t.label != lts::kTau) {
        moves_.push_back(t);
      } else if (is_new(t.target)) {
        silent_.push_back(t.target);
      }
    }
  }
  const auto row = moves_.begin() + static_cast<std::ptrdiff_t>(begin);
  std::sort(row, moves_.end());
  moves_.erase(std::unique(row, moves_.end()), moves_.end());
}

}  // namespace agon::game
