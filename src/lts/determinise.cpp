// SPDX-License-Identifier: Apache-2.0
#include "lts/determinise.h"

#include <algorithm>
#include <utility>

#include "lts/explore.h"
#include "support/error.h"
#include "support/hash.h"

namespace agon::lts {

// With hidden silent steps a set is closed under these before it is looked up;
// the closure is by search from the members, because closures stored for each
// state would be quadratic even where no set ever gets large.

Determinised::Determinised(Successors& system, Silent silent, Errors errors,
                           support::Context& context)
    : system_(system), silent_(silent), errors_(errors), context_(context) {}

State Determinised::initial() {
  ++round_;
  found_.clear();
  find(system_.initial());
  return intern_found();
}

std::span<const Transition> Determinised::expand(State set) {
  if (rows_[set.index()].begin == kNotMade) make_row(set);
  const Row row = rows_[set.index()];
  return {moves_.data() + row.begin, moves_.data() + row.end};
}

StateKind Determinised::kind(State set) {
  if (is_error(set)) return StateKind::Error;
  if (!can_terminate()) return StateKind::Ordinary;
  // From the members and not from the row, which must not be made here: spans
  // of other rows have to stay valid.
  const auto has_move = [this](State member) {
    const auto out = system_.expand(member);
    return !out.empty() &&
           (silent_ == Silent::Visible || out.back().label != kTau);
  };
  bool ends = false;
  for (const State member : members(set)) {
    if (has_move(member)) return StateKind::Ordinary;
    if (system_.kind(member) == StateKind::Terminated) {
      ends = true;
    } else if (system_.expand(member).empty()) {
      return StateKind::Ordinary;
    }
  }
  return ends ? StateKind::Terminated : StateKind::Ordinary;
}

bool Determinised::is_subset(State small, State large) const {
  if (small == large) return true;
  if ((signatures_[small.index()] & ~signatures_[large.index()]) != 0) {
    return false;
  }
  const auto few = members(small);
  const auto many = members(large);
  return few.size() < many.size() && std::ranges::includes(many, few);
}

bool Determinised::is_error(State set) {
  if (errors_ == Errors::Ignore) return false;
  return std::ranges::any_of(members(set), [this](State member) {
    return system_.kind(member) == StateKind::Error;
  });
}

void Determinised::find(State state) {
  if (state.index() >= seen_.size()) {
    seen_.resize(std::max(state.index() + 1, 2 * seen_.size()), 0);
  }
  if (std::exchange(seen_[state.index()], round_) != round_) {
    found_.push_back(state);
  }
}

/// The number of the set that was found.
State Determinised::intern_found() {
  front_.size =
      static_cast<std::uint8_t>(std::min(found_.size(), front_.members.size()));
  std::copy_n(found_.begin(), front_.size, front_.members.begin());
  if (silent_ == Silent::Hidden) {
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (context_.exhausted()) break;
      for (const Transition& t : system_.expand(found_[i])) {
        if (t.label != kTau) break;  // kTau sorts first.
        ++work_;
        find(t.target);
      }
    }
  }
  if (found_.size() == 1) return intern_singleton(found_.front());
  std::sort(found_.begin(), found_.end());
  const State set(sets_.intern(found_));
  register_new(set);
  return set;
}

/// Deterministic systems have nothing but singletons, so these are looked up
/// without hashing.
State Determinised::intern_singleton(State member) {
  if (member.index() >= singletons_.size()) {
    singletons_.resize(std::max(member.index() + 1, 2 * singletons_.size()));
  }
  State& set = singletons_[member.index()];
  if (!set.valid()) {
    set = State(sets_.append({&member, 1}));
    register_new(set);
  }
  return set;
}

void Determinised::register_new(State set) {
  if (set.index() < rows_.size()) return;
  std::uint64_t signature = 0;
  for (const State member : found_) {
    signature |= std::uint64_t{1} << (support::mix(member.value()) & 63);
  }
  signatures_.push_back(signature);
  fronts_.push_back(front_);
  rows_.emplace_back();
}

/// The transitions of all members by label, without silent ones if hidden.
void Determinised::gather_moves(State set) {
  gathered_.clear();
  if (is_error(set)) return;
  for (const State member : members(set)) {
    for (const Transition& t : system_.expand(member)) {
      if (t.label == kTau && silent_ == Silent::Hidden) continue;
      gathered_.push_back(t);
    }
  }
  work_ += gathered_.size();
  if (members(set).size() > 1) std::sort(gathered_.begin(), gathered_.end());
}

void Determinised::make_row(State set) {
  gather_moves(set);
  Row row{static_cast<std::uint32_t>(moves_.size()), 0};
  for (std::size_t i = 0; i < gathered_.size();) {
    const Label label = gathered_[i].label;
    ++round_;
    found_.clear();
    for (; i < gathered_.size() && gathered_[i].label == label; ++i) {
      find(gathered_[i].target);
    }
    if (found_.size() > 1) met_nondeterminism_ = true;
    moves_.push_back({label, intern_found()});
  }
  AGON_ASSERT(moves_.size() < kNotMade);
  row.end = static_cast<std::uint32_t>(moves_.size());
  rows_[set.index()] = row;
}

Lts determinise(const Lts& lts, Silent silent, support::Context& context) {
  ExplicitSuccessors system(lts);
  Determinised determinised(system, silent, Errors::Absorb, context);
  return explore(determinised, context);
}

}  // namespace agon::lts
