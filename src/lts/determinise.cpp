// SPDX-License-Identifier: Apache-2.0
#include "lts/determinise.h"

#include <fmt/format.h>
#include <tsl/robin_set.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "support/error.h"
#include "support/hash.h"

namespace agon::lts {
namespace {

// Sets are sorted vectors of states, end to end in one long array, and a hash
// table of their numbers finds them again. They are explored breadth-first.
// With hidden silent steps a set is closed under these before it is looked up;
// the closure is by search from the members, because closures stored for each
// state would be quadratic even where no set ever gets large.

class Subsets {
 public:
  Subsets() : index_(64, Hash{this}, Equal{this}) {}
  Subsets(const Subsets&) = delete;
  Subsets& operator=(const Subsets&) = delete;

  std::size_t size() const { return first_.size() - 1; }

  std::span<const std::uint32_t> members(std::uint32_t set) const {
    return {members_.data() + first_[set], members_.data() + first_[set + 1]};
  }

  /// The number of a set that is given by its sorted members.
  std::uint32_t intern(std::span<const State> sorted) {
    const auto candidate = static_cast<std::uint32_t>(size());
    for (const State s : sorted) members_.push_back(s.value());
    first_.push_back(members_.size());
    const auto [found, added] = index_.insert(candidate);
    if (!added) {
      first_.pop_back();
      members_.resize(first_.back());
    }
    return *found;
  }

 private:
  struct Hash {
    const Subsets* all;
    std::size_t operator()(std::uint32_t set) const {
      return support::hash_words(all->members(set));
    }
  };
  struct Equal {
    const Subsets* all;
    bool operator()(std::uint32_t a, std::uint32_t b) const {
      return std::ranges::equal(all->members(a), all->members(b));
    }
  };

  std::vector<std::uint32_t> members_;
  std::vector<std::size_t> first_{0};
  tsl::robin_set<std::uint32_t, Hash, Equal, std::allocator<std::uint32_t>,
                 true>
      index_;
};

class Determinisation {
 public:
  Determinisation(const Lts& lts, Silent silent)
      : lts_(lts), silent_(silent), seen_(lts.num_states(), 0) {}

  Lts run(support::Context& context) &&;

 private:
  void start() {
    ++round_;
    found_.clear();
  }
  void visit(State state) {
    if (std::exchange(seen_[state.index()], round_) != round_) {
      found_.push_back(state);
    }
  }
  std::uint32_t intern_found();
  StateKind kind(std::uint32_t set, bool has_moves) const;
  bool is_error(std::uint32_t set) const;
  void collect_moves(std::uint32_t set);

  const Lts& lts_;
  const Silent silent_;
  Subsets subsets_;
  std::vector<std::uint64_t> seen_;  // The round in which a state was met.
  std::uint64_t round_ = 0;
  std::vector<State> found_;
  std::vector<Transition> moves_;
};

std::uint32_t Determinisation::intern_found() {
  if (silent_ == Silent::Hidden) {
    for (std::size_t i = 0; i < found_.size(); ++i) {
      for (const Transition& t : lts_.out(found_[i])) {
        if (t.label != kTau) break;  // kTau sorts first.
        visit(t.target);
      }
    }
  }
  std::sort(found_.begin(), found_.end());
  return subsets_.intern(found_);
}

bool Determinisation::is_error(std::uint32_t set) const {
  if (!lts_.has_kinds()) return false;
  return std::ranges::any_of(subsets_.members(set), [&](std::uint32_t s) {
    return lts_.kind(State(s)) == StateKind::Error;
  });
}

StateKind Determinisation::kind(std::uint32_t set, bool has_moves) const {
  if (is_error(set)) return StateKind::Error;
  if (has_moves || !lts_.has_kinds()) return StateKind::Ordinary;
  bool ends = false;
  for (const std::uint32_t s : subsets_.members(set)) {
    if (lts_.kind(State(s)) == StateKind::Terminated) {
      ends = true;
    } else if (lts_.out(State(s)).empty()) {
      return StateKind::Ordinary;
    }
  }
  return ends ? StateKind::Terminated : StateKind::Ordinary;
}

// The transitions of all members by label, except silent ones that are hidden.
void Determinisation::collect_moves(std::uint32_t set) {
  moves_.clear();
  if (is_error(set)) return;
  for (const std::uint32_t s : subsets_.members(set)) {
    for (const Transition& t : lts_.out(State(s))) {
      if (t.label == kTau && silent_ == Silent::Hidden) continue;
      moves_.push_back(t);
    }
  }
  std::sort(moves_.begin(), moves_.end());
}

Lts Determinisation::run(support::Context& context) && {
  const auto check_limits = [&] {
    const std::size_t limit = context.limits().max_states;
    if (const auto& reason = context.exhausted()) {
      throw support::InputError(
          fmt::format("the system is too large to determinise: {} after {} "
                      "sets of states",
                      *reason, subsets_.size()));
    }
    if (limit != 0 && subsets_.size() > limit) {
      throw support::InputError(
          fmt::format("the system is too large to determinise: there are more "
                      "than {} sets of states (--max-states raises the limit)",
                      limit));
    }
  };

  LtsBuilder builder(lts_.labels());
  start();
  visit(lts_.initial());
  builder.set_initial(State(intern_found()));
  for (std::uint32_t set = 0; set < subsets_.size(); ++set) {
    check_limits();
    collect_moves(set);
    builder.add_state(kind(set, !moves_.empty()));
    for (std::size_t i = 0; i < moves_.size();) {
      const Label label = moves_[i].label;
      start();
      for (; i < moves_.size() && moves_[i].label == label; ++i) {
        visit(moves_[i].target);
      }
      builder.add_transition(State(set), label, State(intern_found()));
    }
  }
  for (const Label label : lts_.alphabet()) builder.extend_alphabet(label);
  context.statistics()["lts.determinised_states"] += subsets_.size();
  return std::move(builder).build();
}

}  // namespace

Lts determinise(const Lts& lts, Silent silent, support::Context& context) {
  return Determinisation(lts, silent).run(context);
}

}  // namespace agon::lts
