// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <vector>

#include "lts/bisimulation.h"
#include "lts/chains.h"
#include "lts/refinable_partition.h"

namespace agon::lts {
namespace {

// Paige and Tarjan's "process the smaller half" (1987), for labels and without
// a factor for their number, with Valmari's arrays (2009).
//
// There are two partitions of the states: the blocks, and the coarser
// constellations, which are unions of blocks. The invariant is that blocks are
// stable under constellations: if one state of a block has an a-transition
// into a constellation then all have. In the beginning there is one
// constellation, and blocks are what kinds and enabled labels tell apart. If
// each constellation is a block then the blocks are the classes we want.
//
// Until then we take a constellation C of several blocks and make a block B of
// it, not larger than the rest, a constellation of its own. For each label a,
// every block has to be cut into those states with a-transitions into B only,
// into B and C \ B, and into C \ B only. Just the transitions that enter B are
// visited, which is why a state pays at most log n times for those that enter
// it. To see if a state has others into C \ B, the transitions of a state with
// one label and into one constellation share a counter. That is where the
// deterministic case would be simpler, and where the choice of the smaller
// half would go wrong without constellations.
//
// Blocks are intervals of an array and split in place. So a constellation is an
// interval too, and the smaller one of its first and its last block will do as
// B: no lists of blocks are needed.
//
// A state that is alone in its block is settled. Its transitions are not looked
// at any more, and its counters are outdated; where most classes are small,
// this saves most of the work.

class StrongRefinement {
 public:
  explicit StrongRefinement(const Lts& lts);

  Partition run() &&;

 private:
  struct Constellation {
    std::uint32_t begin;
    std::uint32_t end;
  };

  void reverse();
  void separate_kinds();
  void separate_enabled_labels();
  void split_touched();
  void settle_if_single(std::uint32_t block);
  void note_if_divided(std::uint32_t constellation);
  std::uint32_t carve(std::uint32_t constellation);
  void collect_entering(std::uint32_t constellation);
  void refine_by(Label label);

  const Lts& lts_;
  RefinablePartition blocks_;
  std::vector<std::uint32_t> constellation_of_;  // By block.
  std::vector<Constellation> constellations_;
  std::vector<std::uint32_t> divided_;  // Constellations of several blocks.
  std::vector<bool> is_divided_;
  std::vector<bool> settled_;  // States that are alone.

  // Transitions by target. `counter_` says which one of `count_` a transition
  // belongs to; counters that fell to zero are used again.
  struct Entering {
    std::uint32_t source;
    Label label;
  };
  std::vector<std::uint32_t> first_entering_;
  std::vector<Entering> entering_;
  std::vector<std::uint32_t> counter_;
  std::vector<std::uint32_t> count_;
  std::vector<std::uint32_t> free_counters_;

  // Scratch space: transitions into the carved block in a list per label, and
  // what refine_by has to know of the sources.
  std::vector<std::uint32_t> head_;
  std::vector<std::uint32_t> next_;
  std::vector<std::uint32_t> chained_;
  std::vector<Label> labels_here_;
  std::vector<std::uint32_t> new_counter_;  // By state.
  struct Source {
    std::uint32_t state;
    std::uint32_t old_counter;
  };
  std::vector<Source> sources_;
  std::vector<std::uint32_t> touched_;
};

StrongRefinement::StrongRefinement(const Lts& lts)
    : lts_(lts), blocks_(static_cast<std::uint32_t>(lts.num_states())) {
  const auto n = static_cast<std::uint32_t>(lts.num_states());
  if (n == 0) return;
  constellation_of_.push_back(0);
  constellations_.push_back({0, n});
  is_divided_.push_back(false);
  head_.assign(lts.labels()->size(), kNone);
  new_counter_.assign(n, kNone);
  settled_.assign(n, false);
  separate_kinds();
  separate_enabled_labels();
  reverse();
}

// Turns the rows of out-going transitions into rows of entering ones, with one
// counter for all that leave a state with the same label.
void StrongRefinement::reverse() {
  const std::size_t n = lts_.num_states();
  first_entering_.assign(n + 1, 0);
  entering_.resize(lts_.num_transitions());
  counter_.resize(lts_.num_transitions());
  for (std::uint32_t s = 0; s < n; ++s) {
    for (const Transition& t : lts_.out(State(s))) {
      ++first_entering_[t.target.index()];
    }
  }
  for (std::size_t s = 1; s <= n; ++s) {
    first_entering_[s] += first_entering_[s - 1];
  }
  for (std::uint32_t s = static_cast<std::uint32_t>(n); s-- > 0;) {
    Label previous;
    for (const Transition& t : lts_.out(State(s))) {
      if (t.label != previous) count_.push_back(0);
      previous = t.label;
      const std::uint32_t place = --first_entering_[t.target.index()];
      entering_[place] = {s, t.label};
      counter_[place] = static_cast<std::uint32_t>(count_.size() - 1);
      ++count_.back();
    }
  }
}

void StrongRefinement::separate_kinds() {
  if (!lts_.has_kinds()) return;
  for (const StateKind kind : {StateKind::Terminated, StateKind::Error}) {
    for (std::uint32_t s = 0; s < lts_.num_states(); ++s) {
      if (lts_.kind(State(s)) != kind) continue;
      const std::uint32_t block = blocks_.set_of(s);
      if (blocks_.mark(s)) touched_.push_back(block);
    }
    split_touched();
  }
}

void StrongRefinement::separate_enabled_labels() {
  // States by label, without sorting: a list per label.
  struct Enabled {
    std::uint32_t state;
    std::uint32_t next;
  };
  std::vector<Enabled> enabled;
  for (std::uint32_t s = 0; s < lts_.num_states(); ++s) {
    Label previous;
    for (const Transition& t : lts_.out(State(s))) {
      if (t.label == previous) continue;
      previous = t.label;
      std::uint32_t& head = head_[t.label.index()];
      enabled.push_back({s, head});
      head = static_cast<std::uint32_t>(enabled.size() - 1);
    }
  }
  for (std::uint32_t& head : head_) {
    for (std::uint32_t i = head; i != kNone; i = enabled[i].next) {
      const std::uint32_t state = enabled[i].state;
      if (blocks_.mark(state)) touched_.push_back(blocks_.set_of(state));
    }
    head = kNone;
    split_touched();
  }
}

void StrongRefinement::split_touched() {
  for (const std::uint32_t block : touched_) {
    const std::uint32_t part = blocks_.split(block);
    if (part == block) continue;
    settle_if_single(block);
    settle_if_single(part);
    constellation_of_.push_back(constellation_of_[block]);
    note_if_divided(constellation_of_[block]);
  }
  touched_.clear();
}

void StrongRefinement::settle_if_single(std::uint32_t block) {
  if (blocks_.size(block) > 1) return;
  settled_[blocks_.member_at(blocks_.begin(block))] = true;
}

void StrongRefinement::note_if_divided(std::uint32_t constellation) {
  if (is_divided_[constellation]) return;
  is_divided_[constellation] = true;
  divided_.push_back(constellation);
}

// Makes a block, at most half of its constellation, a constellation.
std::uint32_t StrongRefinement::carve(std::uint32_t constellation) {
  Constellation& whole = constellations_[constellation];
  const std::uint32_t first = blocks_.set_of(blocks_.member_at(whole.begin));
  const std::uint32_t last = blocks_.set_of(blocks_.member_at(whole.end - 1));
  const bool take_first = blocks_.size(first) <= blocks_.size(last);
  const std::uint32_t block = take_first ? first : last;
  if (take_first) {
    whole.begin = blocks_.end(block);
  } else {
    whole.end = blocks_.begin(block);
  }
  if (blocks_.set_of(blocks_.member_at(whole.begin)) !=
      blocks_.set_of(blocks_.member_at(whole.end - 1))) {
    note_if_divided(constellation);
  }
  const auto carved = static_cast<std::uint32_t>(constellations_.size());
  constellations_.push_back({blocks_.begin(block), blocks_.end(block)});
  is_divided_.push_back(false);
  constellation_of_[block] = carved;
  return carved;
}

void StrongRefinement::collect_entering(std::uint32_t constellation) {
  const auto [begin, end] = constellations_[constellation];
  next_.clear();
  chained_.clear();
  for (std::uint32_t i = begin; i < end; ++i) {
    const std::uint32_t state = blocks_.member_at(i);
    for (std::uint32_t t = first_entering_[state];
         t < first_entering_[state + 1]; ++t) {
      if (settled_[entering_[t].source]) continue;
      std::uint32_t& head = head_[entering_[t].label.index()];
      if (head == kNone) labels_here_.push_back(entering_[t].label);
      next_.push_back(head);
      chained_.push_back(t);
      head = static_cast<std::uint32_t>(next_.size() - 1);
    }
  }
}

void StrongRefinement::refine_by(Label label) {
  for (std::uint32_t i = head_[label.index()]; i != kNone; i = next_[i]) {
    const std::uint32_t t = chained_[i];
    const std::uint32_t source = entering_[t].source;
    std::uint32_t& fresh = new_counter_[source];
    if (fresh == kNone) {
      if (free_counters_.empty()) {
        fresh = static_cast<std::uint32_t>(count_.size());
        count_.push_back(0);
      } else {
        fresh = free_counters_.back();
        free_counters_.pop_back();
      }
      sources_.push_back({source, counter_[t]});
      if (blocks_.mark(source)) touched_.push_back(blocks_.set_of(source));
    }
    --count_[counter_[t]];
    ++count_[fresh];
    counter_[t] = fresh;
  }
  head_[label.index()] = kNone;
  split_touched();

  // Among those with a transition into B, the ones with none into C \ B.
  for (const auto& [state, old_counter] : sources_) {
    new_counter_[state] = kNone;
    if (count_[old_counter] > 0) continue;
    free_counters_.push_back(old_counter);
    if (blocks_.mark(state)) touched_.push_back(blocks_.set_of(state));
  }
  sources_.clear();
  split_touched();
}

Partition StrongRefinement::run() && {
  while (!divided_.empty()) {
    const std::uint32_t constellation = divided_.back();
    divided_.pop_back();
    is_divided_[constellation] = false;
    collect_entering(carve(constellation));
    for (const Label label : labels_here_) refine_by(label);
    labels_here_.clear();
  }
  return partition_by_name(blocks_.sets());
}

}  // namespace

Partition strong_bisimulation(const Lts& lts) {
  return StrongRefinement(lts).run();
}

}  // namespace agon::lts
