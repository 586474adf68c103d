// SPDX-License-Identifier: Apache-2.0
#include "lts/simulation_preorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "support/error.h"

namespace agon::lts {
namespace {

// In the manner of Henzinger, Henzinger and Kopke (1995). The candidates of a
// state are those that may simulate it; in the beginning, the ones that are of
// its kind and have all its labels. For u -a-> v, the candidates of u have to
// be among the a-predecessors of candidates of v. So whenever candidates of v
// were lost, all u with a transition to v may lose some, until nothing changes.
//
// Their algorithm counts, for each state w and label a, how many of its
// a-successors are candidates of v, which takes n^2 counters per label. We have
// n^2 bits instead for the candidates that v lost since it was looked at, and
// test the a-successors of a predecessor of a lost one directly. If v has lost
// more candidates than it has left then it is cheaper to go through those that
// are left and to intersect sets as words of bits, without changing the bound.

constexpr std::size_t kMostStates = 40'000;

class SimulationPreorder {
 public:
  SimulationPreorder(const Lts& lts, support::Context& context);

  BitMatrix run() &&;

 private:
  struct Entering {
    Label label;
    std::uint32_t source;
    friend auto operator<=>(const Entering&, const Entering&) = default;
  };
  using Word = BitMatrix::Word;

  void reverse();
  void first_candidates();
  std::span<const Entering> in(std::uint32_t state) const {
    return {in_.data() + first_in_[state], in_.data() + first_in_[state + 1]};
  }
  std::span<const Entering> in(std::uint32_t state, Label label) const;
  void enqueue(std::uint32_t state);
  void process(std::uint32_t state);
  void intersect(std::uint32_t state, std::span<const Entering> group);
  void subtract(std::uint32_t state, std::span<const Entering> group);
  bool has_successor(std::uint32_t source, Label label,
                     std::uint32_t state) const;

  const Lts& lts_;
  support::Context& context_;
  const std::uint32_t n_;
  std::vector<std::uint32_t> first_in_;
  std::vector<Entering> in_;
  BitMatrix candidates_;
  BitMatrix lost_;  // Since the state was processed.
  std::vector<std::uint32_t> queue_;
  std::vector<bool> queued_;
  std::vector<bool> processed_;  // At least once.
  std::vector<std::uint32_t> just_lost_;
  std::vector<Word> allowed_;
};

SimulationPreorder::SimulationPreorder(const Lts& lts,
                                       support::Context& context)
    : lts_(lts),
      context_(context),
      n_(static_cast<std::uint32_t>(lts.num_states())),
      candidates_(n_, n_),
      lost_(n_, n_),
      queued_(n_, false),
      processed_(n_, false),
      allowed_((n_ + 63) / 64) {
  reverse();
  first_candidates();
}

void SimulationPreorder::reverse() {
  first_in_.assign(n_ + 1, 0);
  in_.resize(lts_.num_transitions());
  for (std::uint32_t s = 0; s < n_; ++s) {
    for (const Transition& t : lts_.out(State(s))) {
      ++first_in_[t.target.index()];
    }
  }
  for (std::uint32_t s = 1; s <= n_; ++s) first_in_[s] += first_in_[s - 1];
  for (std::uint32_t s = 0; s < n_; ++s) {
    for (const Transition& t : lts_.out(State(s))) {
      in_[--first_in_[t.target.index()]] = {t.label, s};
    }
  }
  for (std::uint32_t s = 0; s < n_; ++s) {
    std::sort(in_.begin() + first_in_[s], in_.begin() + first_in_[s + 1]);
  }
}

void SimulationPreorder::first_candidates() {
  // Row 0 to 2: the states of that kind. Row 3 + a: those with label a.
  BitMatrix having(3 + lts_.labels()->size(), n_);
  for (std::uint32_t s = 0; s < n_; ++s) {
    having.set(static_cast<std::size_t>(lts_.kind(State(s))), s);
    for (const Transition& t : lts_.out(State(s))) {
      having.set(3 + t.label.index(), s);
    }
  }
  for (std::uint32_t s = 0; s < n_; ++s) {
    const std::span<Word> row = candidates_.row(s);
    std::ranges::copy(having.row(static_cast<std::size_t>(lts_.kind(State(s)))),
                      row.begin());
    Label previous;
    for (const Transition& t : lts_.out(State(s))) {
      if (t.label == previous) continue;
      previous = t.label;
      const std::span<const Word> others = having.row(3 + t.label.index());
      for (std::size_t i = 0; i < row.size(); ++i) row[i] &= others[i];
    }
  }
}

std::span<const SimulationPreorder::Entering> SimulationPreorder::in(
    std::uint32_t state, Label label) const {
  const auto range =
      std::ranges::equal_range(in(state), label, {}, &Entering::label);
  return {range.begin(), range.end()};
}

void SimulationPreorder::enqueue(std::uint32_t state) {
  if (queued_[state]) return;
  queued_[state] = true;
  queue_.push_back(state);
}

// Keeps, for the sources of `group`, the predecessors of candidates of `state`.
void SimulationPreorder::intersect(std::uint32_t state,
                                   std::span<const Entering> group) {
  std::ranges::fill(allowed_, 0);
  for_each_bit(candidates_.row(state), [&](std::uint32_t w) {
    for (const Entering& e : in(w, group.front().label)) {
      allowed_[e.source / 64] |= Word{1} << (e.source % 64);
    }
  });
  for (const Entering& e : group) {
    const std::span<Word> row = candidates_.row(e.source);
    const std::span<Word> lost = lost_.row(e.source);
    Word any = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const Word loss = row[i] & ~allowed_[i];
      row[i] ^= loss;
      lost[i] |= loss;
      any |= loss;
    }
    if (any != 0) enqueue(e.source);
  }
}

bool SimulationPreorder::has_successor(std::uint32_t source, Label label,
                                       std::uint32_t state) const {
  const auto out = lts_.out(State(source));
  const auto range =
      std::ranges::equal_range(out, label, {}, &Transition::label);
  return std::ranges::any_of(range, [&](const Transition& t) {
    return candidates_.test(state, t.target.index());
  });
}

// Removes, for the sources of `group`, those who reached only lost candidates.
void SimulationPreorder::subtract(std::uint32_t state,
                                  std::span<const Entering> group) {
  const Label label = group.front().label;
  for (const std::uint32_t w : just_lost_) {
    for (const Entering& other : in(w, label)) {
      if (has_successor(other.source, label, state)) continue;
      for (const Entering& e : group) {
        if (!candidates_.test(e.source, other.source)) continue;
        candidates_.reset(e.source, other.source);
        lost_.set(e.source, other.source);
        enqueue(e.source);
      }
    }
  }
}

void SimulationPreorder::process(std::uint32_t state) {
  const std::span<Word> lost = lost_.row(state);
  const bool few_left = !processed_[state] ||
                        count_bits(lost) > count_bits(candidates_.row(state));
  processed_[state] = true;
  just_lost_.clear();
  if (!few_left) {
    for_each_bit(lost, [&](std::uint32_t w) { just_lost_.push_back(w); });
  }
  std::ranges::fill(lost, 0);
  const std::span<const Entering> all = in(state);
  for (std::size_t i = 0; i < all.size();) {
    std::size_t end = i;
    while (end < all.size() && all[end].label == all[i].label) ++end;
    const auto group = all.subspan(i, end - i);
    if (few_left) {
      intersect(state, group);
    } else {
      subtract(state, group);
    }
    i = end;
  }
}

BitMatrix SimulationPreorder::run() && {
  for (std::uint32_t s = n_; s-- > 0;) enqueue(s);
  for (std::size_t head = 0; head < queue_.size(); ++head) {
    if (const auto& reason = context_.exhausted()) {
      throw support::InputError(fmt::format(
          "the system is too large to compute its simulation preorder: {}",
          *reason));
    }
    const std::uint32_t state = queue_[head];
    queued_[state] = false;
    process(state);
    if (head > n_) {  // Forget what was processed.
      queue_.erase(queue_.begin(),
                   queue_.begin() + static_cast<std::ptrdiff_t>(head + 1));
      head = static_cast<std::size_t>(-1);
    }
  }
  return std::move(candidates_);
}

}  // namespace

BitMatrix simulation_preorder(const Lts& lts, support::Context& context) {
  if (lts.num_states() > kMostStates) {
    throw support::InputError(fmt::format(
        "the system is too large to compute its simulation preorder: it has "
        "{} states after reduction by bisimulation, and {} are the limit",
        lts.num_states(), kMostStates));
  }
  return SimulationPreorder(lts, context).run();
}

}  // namespace agon::lts
