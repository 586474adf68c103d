// SPDX-License-Identifier: Apache-2.0
#include "lts/lockstep.h"

#include <utility>

namespace agon::lts {

// The search for reaching states starts from the sources of the slice and goes
// back along inert steps. The search for avoiding states starts from the bottom
// states that are not marked; a state is added when all its inert steps lead to
// such states, and if it has no transition in the slice itself.
//
// To find that out, its transitions are looked through, and this seems to break
// the rule that only the smaller part is paid for. But if it does have one then
// all its inert steps lead from a reaching to an avoiding state. They are about
// to lose that property, and so the state becomes a bottom state, which happens
// only once to each.
//
// Neither search may take more than half of the states: one that would is given
// up and the other one finishes alone, since it is complete in time
// proportional to the transitions of its states. So the part that is returned
// is small in number and was cheap to find.

Lockstep::Lockstep(const SilentGraph& graph, const Blocks& blocks,
                   Slices& slices)
    : graph_(graph),
      blocks_(blocks),
      slices_(slices),
      scratch_(graph.num_states()) {}

void Lockstep::flag(std::uint32_t state, Flag flag) {
  std::uint8_t& flags = scratch_[state].flags;
  if (flags == 0) flagged_.push_back(state);
  flags = static_cast<std::uint8_t>(flags | flag);
}

void Lockstep::mark_state(std::uint32_t bundle) {
  const std::uint32_t state = slices_.state(bundle);
  flag(state, kMarked);
  if (blocks_.num_inert(state) == 0) ++marked_bottoms_;
}

// Whether there are bottom states that are not marked.
bool Lockstep::mark_bottoms(bool all) {
  marked_bottoms_ = 0;
  if (all) {
    for (std::uint32_t b = slices_.first_unmarked(slice_); b != kNone;
         b = slices_.next_bundle(b)) {
      mark_state(b);
    }
  }
  for (std::uint32_t b; (b = slices_.first_marked(slice_)) != kNone;) {
    mark_state(b);
    slices_.unmark(b);
  }
  return marked_bottoms_ < blocks_.num_bottoms(block_);
}

bool Lockstep::open_next(Search& search) {
  if (search.opened == search.states.size()) return false;
  const auto edges = graph_.fleeting_in(search.states[search.opened++]);
  search.edge = edges.data();
  search.end = edges.data() + edges.size();
  return true;
}

bool Lockstep::step_reaching() {
  Search& search = reaching_;
  std::uint32_t state;
  if (search.edge != search.end) {
    state = (search.edge++)->source;
    if (blocks_.block_of(state) != block_) return true;
  } else if (open_next(search)) {
    return true;
  } else if (search.seed != kNone) {
    state = slices_.state(search.seed);
    search.seed = slices_.next_bundle(search.seed);
  } else {
    return false;
  }
  if ((scratch_[state].flags & kReaches) == 0) {
    flag(state, kReaches);
    search.states.push_back(state);
  }
  return true;
}

void Lockstep::count_down(std::uint32_t state) {
  if (blocks_.block_of(state) != block_) return;
  if ((scratch_[state].flags & (kReaches | kMarked)) != 0) return;
  if ((scratch_[state].flags & kCounted) == 0) {
    flag(state, kCounted);
    scratch_[state].untested = blocks_.num_inert(state);
  }
  if (--scratch_[state].untested > 0) return;
  tested_ = state;
  test_edge_ = graph_.first_out(state);
}

void Lockstep::step_test() {
  if (test_edge_ == graph_.first_out(tested_ + 1)) {
    avoiding_.states.push_back(std::exchange(tested_, kNone));
    return;
  }
  const std::uint32_t t = test_edge_++;
  if (!slices_.inert(t) && slices_.slice_of(t) == slice_) tested_ = kNone;
}

bool Lockstep::step_avoiding() {
  Search& search = avoiding_;
  if (tested_ != kNone) {
    step_test();
  } else if (search.edge != search.end) {
    count_down((search.edge++)->source);
  } else if (open_next(search)) {
    return true;
  } else if (search.seed != kNone) {
    const std::uint32_t state = search.seed;
    search.seed = blocks_.next_bottom(state);
    if ((scratch_[state].flags & kMarked) == 0) search.states.push_back(state);
  } else {
    return false;
  }
  return true;
}

Lockstep::Side Lockstep::race() {
  const std::size_t half = blocks_.size(block_) / 2;
  while (true) {
    if (!step_reaching()) return Side::Reaching;
    if (!step_avoiding()) return Side::Avoiding;
    if (reaching_.states.size() > half) {
      while (step_avoiding()) {
      }
      return Side::Avoiding;
    }
    if (avoiding_.states.size() > half) {
      while (step_reaching()) {
      }
      return Side::Reaching;
    }
  }
}

const Lockstep::Part* Lockstep::divide(std::uint32_t slice, bool all) {
  slice_ = slice;
  block_ = slices_.block(slice);
  const bool divided = mark_bottoms(all);
  if (divided) {
    reaching_.seed = slices_.first_unmarked(slice);
    avoiding_.seed = blocks_.first_bottom(block_);
    part_.side = race();
    std::swap(part_.states,
              (part_.side == Side::Reaching ? reaching_ : avoiding_).states);
  }
  for (const std::uint32_t state : flagged_) scratch_[state].flags = 0;
  flagged_.clear();
  for (Search* search : {&reaching_, &avoiding_}) {
    search->states.clear();
    search->opened = 0;
    search->edge = search->end = nullptr;
  }
  tested_ = kNone;
  return divided ? &part_ : nullptr;
}

}  // namespace agon::lts
