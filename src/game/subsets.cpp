// SPDX-License-Identifier: Apache-2.0
#include "game/subsets.h"

#include <algorithm>

#include "support/error.h"
#include "support/hash.h"

namespace agon::game {

using lts::Label;
using lts::State;
using lts::Transition;

namespace {

std::uint64_t signature_bit(State state) {
  return std::uint64_t{1} << (support::mix(state.value()) & 63);
}

}  // namespace

Subsets::Subsets(lts::Successors& system, Semantics semantics)
    : table_(system, Semantics::Strong),
      semantics_(semantics),
      initial_(system.initial()) {}

StateSet Subsets::initial() {
  std::vector<State> states{initial_};
  return intern(states);
}

std::span<const Subsets::Move> Subsets::moves(StateSet set) {
  if (rows_[set.index()].begin == kNotMade) make_row(set);
  const Row row = rows_[set.index()];
  return {moves_.data() + row.begin, moves_.data() + row.end};
}

bool Subsets::is_subset(StateSet small, StateSet large) const {
  if (small == large) return true;
  if ((signatures_[small.index()] & ~signatures_[large.index()]) != 0) {
    return false;
  }
  const auto few = members(small);
  const auto many = members(large);
  return few.size() < many.size() && std::ranges::includes(many, few);
}

StateSet Subsets::intern(std::vector<State>& states) {
  if (semantics_ == Semantics::Weak) close_silently(states);
  const StateSet set(sets_.intern(states));
  if (set.index() == rows_.size()) {
    std::uint64_t signature = 0;
    for (const State state : states) signature |= signature_bit(state);
    signatures_.push_back(signature);
    rows_.emplace_back();
  }
  return set;
}

void Subsets::close_silently(std::vector<State>& states) {
  ++visit_;
  const auto is_new = [this](State s) {
    if (s.index() >= visited_.size()) {
      visited_.resize(std::max(s.index() + 1, 2 * visited_.size()), 0);
    }
    if (visited_[s.index()] == visit_) return false;
    visited_[s.index()] = visit_;
    return true;
  };
  for (const State state : states) is_new(state);
  for (std::size_t head = 0; head < states.size(); ++head) {
    const MoveTable::Range row = table_.row(states[head]);
    for (const Transition& t : table_.moves(row)) {
      if (t.label != lts::kTau) break;  // Label 0 comes first.
      if (is_new(t.target)) states.push_back(t.target);
    }
  }
  std::sort(states.begin(), states.end());
}

void Subsets::make_row(StateSet set) {
  gathered_.clear();
  for (const State state : members(set)) {
    for (const Transition& t : table_.moves(table_.row(state))) {
      if (semantics_ == Semantics::Weak && t.label == lts::kTau) continue;
      gathered_.push_back(t);
    }
  }
  std::sort(gathered_.begin(), gathered_.end());
  gathered_.erase(std::unique(gathered_.begin(), gathered_.end()),
                  gathered_.end());

  Row row{static_cast<std::uint32_t>(moves_.size()), 0};
  for (std::size_t i = 0; i < gathered_.size();) {
    const Label label = gathered_[i].label;
    targets_.clear();
    for (; i < gathered_.size() && gathered_[i].label == label; ++i) {
      targets_.push_back(gathered_[i].target);
    }
    if (targets_.size() > 1) met_nondeterminism_ = true;
    moves_.push_back({label, intern(targets_)});
  }
  AGON_ASSERT(moves_.size() < kNotMade);
  row.end = static_cast<std::uint32_t>(moves_.size());
  rows_[set.index()] = row;
}

}  // namespace agon::game
