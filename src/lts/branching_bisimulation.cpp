// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "lts/bisimulation.h"
#include "lts/blocks.h"
#include "lts/bunches.h"
#include "lts/lockstep.h"
#include "lts/silent_graph.h"
#include "lts/slices.h"
#include "lts/tau_components.h"

namespace agon::lts {
namespace {

// Jansen, Groote, Keiren and Wijs: An O(m log n) algorithm for branching
// bisimilarity on labelled transition systems (TACAS 2020).
//
// States on a silent cycle are equivalent, so each such component becomes one
// state. A silent step inside a block is inert. As there are no cycles, every
// state has an inert path to a bottom state, one without inert steps, and what
// a block can do after inert steps is what its bottom states can do.
//
// Transitions that are not inert are partitioned into bunches. What a block has
// in a bunch is a slice. The invariants are:
//
//  (1) Blocks are stable under bunches: if a slice is not empty then each
//      bottom state of the block has a transition in it.
//  (2) The transitions of a block with the same label and into the same block
//      are all in one bunch.
//  (3) Branching bisimilar states are in the same block.
//
// When each bunch has only one label and one target block, then by (1) blocks
// are the classes. Until then, such a group of at most half a bunch becomes a
// bunch of its own. That may break (1) for blocks with transitions on both
// sides. They are divided into states that reach the carved slice by inert
// steps and those that avoid it, and the former ones once more by the rest of
// the slice. Those that avoid the carved slice had a transition in the bunch,
// so it is in the rest, and they are stable.
//
// Inert steps from the reaching to the avoiding part are inert no longer, and
// become a bunch. Their sources may have become bottom states, for which
// nothing is known about other bunches. With all states that reach such steps
// they are put into a block whose slices are all in doubt. In this block every
// bottom state is new; in what remains none is, so that the remainder is stable
// still. A state becomes a bottom state only once, which is when we can afford
// to look at each of its transitions.
//
// Of two parts, only the smaller one is searched, moved and paid for
// (lockstep.cpp), so that a transition is visited O(log n) times as that of a
// moving state. And it is O(log m) times in the smaller half of a bunch.
//
// Compared to the paper, marks and counters are kept for all transitions of a
// state in a bunch together (slices.h), and the steps that come from the second
// division of a block get a bunch of their own, which is trivial: (2) holds
// since all silent steps between those two blocks were inert before.
//
// A block of one state needs no care. Transitions of such settled states stay
// where they are, in groups and slices that may be outdated, and nobody looks
// at them any more. Where most classes are small, this saves most of the work.

class BranchingRefinement {
 public:
  explicit BranchingRefinement(SilentGraph graph);

  /// The block of each state of the graph.
  std::vector<std::uint32_t> run() &&;

 private:
  /// The two parts of a block. If nothing avoids the slice, that is kNone.
  struct Parts {
    std::uint32_t reaching;
    std::uint32_t avoiding;
    std::uint32_t between;  // The slice of steps from one to the other.
  };

  std::vector<std::uint8_t> first_blocks();
  void first_bunch();
  Parts split(std::uint32_t slice, bool all);
  void move(const Lockstep::Part& part, std::uint32_t to);
  std::uint32_t detach(const Lockstep::Part& part, std::uint32_t reaching,
                       std::uint32_t avoiding);
  std::uint32_t refine(std::uint32_t slice, bool all);
  void settle_if_single(std::uint32_t block);
  void note_if_pending(std::uint32_t block);
  void stabilise();
  void carve();

  SilentGraph graph_;
  Blocks blocks_;
  Bunches bunches_;
  Slices slices_;
  Lockstep lockstep_;
  std::vector<bool> settled_;            // States that are alone.
  std::vector<std::uint32_t> unstable_;  // Blocks with pending slices.
  std::vector<std::uint32_t> detached_;  // Scratch space.
};

BranchingRefinement::BranchingRefinement(SilentGraph graph)
    : graph_(std::move(graph)),
      blocks_(graph_.num_states()),
      bunches_(graph_.num_transitions()),
      slices_(graph_, blocks_),
      lockstep_(graph_, blocks_, slices_),
      settled_(graph_.num_states(), false) {
  const std::vector<std::uint8_t> name = first_blocks();
  for (int i = 0; i < 6; ++i) blocks_.add_block();
  for (std::uint32_t s = 0; s < graph_.num_states(); ++s) {
    std::uint32_t inert = 0;
    for (std::uint32_t t = graph_.first_out(s); t < graph_.end_fleeting(s);
         ++t) {
      if (name[graph_.target(t)] == name[s]) ++inert;
    }
    blocks_.add(s, name[s], inert);
  }
  first_bunch();
  graph_.forget_labels();
}

// The first blocks: by kind, and whether steps inside the kind lead to anything
// else than such steps. These are stable under the bunch of all transitions
// between them.
std::vector<std::uint8_t> BranchingRefinement::first_blocks() {
  std::vector<std::uint8_t> name(graph_.num_states());
  std::vector<std::uint32_t> found;
  const auto visit = [&](std::uint32_t s) {
    if ((name[s] & 1) != 0) return;
    name[s] = static_cast<std::uint8_t>(name[s] | 1);
    found.push_back(s);
  };
  for (std::uint32_t s = 0; s < graph_.num_states(); ++s) {
    name[s] = static_cast<std::uint8_t>(2 * static_cast<int>(graph_.kind(s)));
    if (graph_.end_fleeting(s) < graph_.first_out(s + 1)) visit(s);
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const auto& e : graph_.fleeting_in(found[i])) visit(e.source);
  }
  return name;
}

void BranchingRefinement::first_bunch() {
  const auto is_inert = [&](std::uint32_t t) {
    return graph_.fleeting(t) && blocks_.block_of(graph_.source(t)) ==
                                     blocks_.block_of(graph_.target(t));
  };
  const auto key = [&](std::uint32_t t) {
    return 6 * graph_.labels()[t].index() + blocks_.block_of(graph_.target(t));
  };
  // Counting sort by label and target block.
  std::vector<std::uint32_t> end;
  std::uint32_t count = 0;
  for (std::uint32_t t = 0; t < graph_.num_transitions(); ++t) {
    if (is_inert(t)) continue;
    if (end.size() <= key(t)) end.resize(key(t) + 1, 0);
    ++end[key(t)];
    ++count;
  }
  for (std::size_t k = 1; k < end.size(); ++k) end[k] += end[k - 1];
  std::vector<std::uint32_t> sorted(count);
  for (std::uint32_t t = graph_.num_transitions(); t-- > 0;) {
    if (!is_inert(t)) sorted[--end[key(t)]] = t;
  }
  if (count == 0) return;
  bunches_.start_bunch();
  for (std::uint32_t i = 0; i < count; ++i) {
    bunches_.append(sorted[i], i == 0 || key(sorted[i]) != key(sorted[i - 1]));
  }
  for (std::uint32_t t = 0; t < graph_.num_transitions(); ++t) {
    if (!is_inert(t)) slices_.enter(t);
  }
  slices_.finish_bunch();
}

void BranchingRefinement::move(const Lockstep::Part& part, std::uint32_t to) {
  for (const std::uint32_t state : part.states) {
    blocks_.move(state, to);
    slices_.follow(state);
    for (const auto& [t, source] : graph_.in(state)) {
      if (!settled_[source]) bunches_.mark(t);
    }
  }
  slices_.finish_moves();
  bunches_.split_marked();
}

// Makes a bunch of the steps from `reaching` to `avoiding` that were inert, and
// returns its slice. One of the blocks consists of `part`.
std::uint32_t BranchingRefinement::detach(const Lockstep::Part& part,
                                          std::uint32_t reaching,
                                          std::uint32_t avoiding) {
  detached_.clear();
  for (const std::uint32_t state : part.states) {
    if (part.side == Lockstep::Side::Reaching) {
      for (std::uint32_t t = graph_.first_out(state);
           t < graph_.end_fleeting(state); ++t) {
        if (slices_.inert(t) &&
            blocks_.block_of(graph_.target(t)) == avoiding) {
          detached_.push_back(t);
        }
      }
    } else {
      for (const auto& [t, source] : graph_.fleeting_in(state)) {
        if (blocks_.block_of(source) == reaching && slices_.inert(t)) {
          detached_.push_back(t);
        }
      }
    }
  }
  if (detached_.empty()) return kNone;
  bunches_.start_bunch();
  for (const std::uint32_t t : detached_) {
    bunches_.append(t, t == detached_.front());
    slices_.enter(t);
    blocks_.lose_inert(graph_.source(t));
  }
  const std::uint32_t between = slices_.last_slice();
  slices_.finish_bunch();
  return between;
}

BranchingRefinement::Parts BranchingRefinement::split(std::uint32_t slice,
                                                      bool all) {
  const std::uint32_t block = slices_.block(slice);
  const Lockstep::Part* const part = lockstep_.divide(slice, all);
  if (part == nullptr) return {block, kNone, kNone};
  const std::uint32_t fresh = blocks_.add_block();
  move(*part, fresh);
  Parts parts{block, fresh, kNone};
  if (part->side == Lockstep::Side::Reaching) {
    std::swap(parts.reaching, parts.avoiding);
  }
  parts.between = detach(*part, parts.reaching, parts.avoiding);
  settle_if_single(parts.reaching);
  settle_if_single(parts.avoiding);
  return parts;
}

// Makes the block of a slice stable under it, and sees to new bottom states.
// Returns the block of states that avoid the slice.
std::uint32_t BranchingRefinement::refine(std::uint32_t slice, bool all) {
  const Parts parts = split(slice, all);
  note_if_pending(parts.reaching);
  if (parts.avoiding == kNone) return kNone;
  note_if_pending(parts.avoiding);
  if (parts.between == kNone || blocks_.size(parts.reaching) == 1) {
    return parts.avoiding;
  }
  const Parts again = split(parts.between, true);
  if (blocks_.size(again.reaching) > 1) slices_.suspect(again.reaching);
  note_if_pending(again.reaching);
  if (again.avoiding != kNone) note_if_pending(again.avoiding);
  return parts.avoiding;
}

void BranchingRefinement::settle_if_single(std::uint32_t block) {
  if (blocks_.size(block) == 1) settled_[blocks_.first_bottom(block)] = true;
}

void BranchingRefinement::note_if_pending(std::uint32_t block) {
  if (blocks_.size(block) == 1) return;
  if (slices_.pending(block) != kNone) unstable_.push_back(block);
}

void BranchingRefinement::stabilise() {
  while (!unstable_.empty()) {
    const std::uint32_t block = unstable_.back();
    unstable_.pop_back();
    const std::uint32_t slice = slices_.pending(block);
    if (slice == kNone || blocks_.size(block) == 1) continue;
    slices_.set_pending(slice, false);
    refine(slice, false);
  }
}

void BranchingRefinement::carve() {
  for (const std::uint32_t t : bunches_.carve()) {
    if (!settled_[graph_.source(t)]) slices_.enter(t);
  }
  for (const auto& [carved, rest] : slices_.finish_bunch()) {
    slices_.set_pending(rest, true);
    const std::uint32_t avoiding = refine(carved, true);
    if (avoiding != kNone && slices_.pending(avoiding) != kNone) {
      slices_.set_pending(slices_.pending(avoiding), false);
    }
    stabilise();
  }
}

std::vector<std::uint32_t> BranchingRefinement::run() && {
  while (!bunches_.all_trivial()) carve();
  std::vector<std::uint32_t> result(graph_.num_states());
  for (std::uint32_t s = 0; s < graph_.num_states(); ++s) {
    result[s] = blocks_.block_of(s);
  }
  return result;
}

}  // namespace

Partition branching_bisimulation(const Lts& lts) {
  Partition components = tau_components(lts);
  const std::vector<std::uint32_t> block_of =
      BranchingRefinement(SilentGraph(lts, components)).run();
  for (std::uint32_t& c : components.class_of) c = block_of[c];
  return partition_by_name(std::move(components.class_of));
}

}  // namespace agon::lts
