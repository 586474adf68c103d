// SPDX-License-Identifier: Apache-2.0
#include "lts/slices.h"

#include <utility>

namespace agon::lts {

// Every operation takes time proportional to the transitions it is called for.
// Bundles and slices that became empty are used again, so that there are never
// more of them than transitions.

Slices::Slices(const SilentGraph& graph, const Blocks& blocks)
    : graph_(graph),
      blocks_(blocks),
      bundle_of_(graph.num_transitions(), kNone),
      fresh_bundle_(graph.num_states(), kNone) {}

std::uint32_t Slices::new_slice(std::uint32_t block, bool pending) {
  std::uint32_t slice;
  if (free_slices_.empty()) {
    slice = static_cast<std::uint32_t>(slices_.size());
    slices_.push_back({});
  } else {
    slice = free_slices_.back();
    free_slices_.pop_back();
  }
  slices_[slice] = {block, {kNone, kNone}, {}, kNone, pending};
  if (in_block_first_.size() <= block) {
    in_block_first_.resize(block + 1, {kNone, kNone});
  }
  push(slices_, in_block_first_[block][pending ? 1 : 0], slice);
  return slice;
}

void Slices::remove_slice(std::uint32_t slice) {
  const Slice& s = slices_[slice];
  remove(slices_, in_block_first_[s.block][s.pending ? 1 : 0], slice);
  free_slices_.push_back(slice);
}

void Slices::set_pending(std::uint32_t slice, bool pending) {
  Slice& s = slices_[slice];
  remove(slices_, in_block_first_[s.block][s.pending ? 1 : 0], slice);
  s.pending = pending;
  push(slices_, in_block_first_[s.block][pending ? 1 : 0], slice);
}

std::uint32_t Slices::new_bundle(std::uint32_t state) {
  const std::uint32_t block = blocks_.block_of(state);
  if (fresh_slice_.size() <= block) fresh_slice_.resize(block + 1, kNone);
  std::uint32_t& slice = fresh_slice_[block];
  if (slice == kNone) {
    slice = new_slice(block, false);
    fresh_slices_.push_back(slice);
  }
  std::uint32_t bundle;
  if (free_bundles_.empty()) {
    bundle = static_cast<std::uint32_t>(bundles_.size());
    bundles_.push_back({});
  } else {
    bundle = free_bundles_.back();
    free_bundles_.pop_back();
  }
  bundles_[bundle] = {state, slice, 0, {}, false};
  push(bundles_, slices_[slice].bundles[0], bundle);
  return bundle;
}

void Slices::remove_bundle(std::uint32_t bundle) {
  Slice& slice = slices_[bundles_[bundle].slice];
  remove(bundles_, slice.bundles[bundles_[bundle].marked ? 1 : 0], bundle);
  free_bundles_.push_back(bundle);
}

void Slices::set_mark(std::uint32_t bundle, bool marked) {
  if (bundles_[bundle].marked == marked) return;
  Slice& slice = slices_[bundles_[bundle].slice];
  remove(bundles_, slice.bundles[marked ? 0 : 1], bundle);
  push(bundles_, slice.bundles[marked ? 1 : 0], bundle);
  bundles_[bundle].marked = marked;
}

void Slices::enter(std::uint32_t transition) {
  const std::uint32_t state = graph_.source(transition);
  const std::uint32_t old = bundle_of_[transition];
  std::uint32_t& fresh = fresh_bundle_[state];
  if (fresh == kNone) {
    const std::size_t slices = fresh_slices_.size();
    fresh = new_bundle(state);
    origins_.push_back({state, old});
    if (fresh_slices_.size() > slices && old != kNone) {
      cuts_.push_back({fresh_slices_.back(), bundles_[old].slice});
    }
  }
  if (old != kNone) --bundles_[old].size;
  ++bundles_[fresh].size;
  bundle_of_[transition] = fresh;
}

std::vector<Slices::Cut> Slices::finish_bunch() {
  for (const auto& [state, old] : origins_) {
    fresh_bundle_[state] = kNone;
    if (old == kNone) continue;
    if (bundles_[old].size == 0) {
      remove_bundle(old);
    } else {
      set_mark(old, true);
    }
  }
  origins_.clear();
  for (const std::uint32_t slice : fresh_slices_) {
    fresh_slice_[slices_[slice].block] = kNone;
  }
  fresh_slices_.clear();
  std::erase_if(cuts_, [&](const Cut& cut) {
    if (!is_empty(cut.rest)) return false;
    remove_slice(cut.rest);
    return true;
  });
  return std::exchange(cuts_, {});
}

void Slices::follow(std::uint32_t state) {
  const std::uint32_t to = blocks_.block_of(state);
  for (std::uint32_t t = graph_.first_out(state);
       t < graph_.first_out(state + 1); ++t) {
    const std::uint32_t bundle = bundle_of_[t];
    if (bundle == kNone) continue;
    const std::uint32_t from = bundles_[bundle].slice;
    if (slices_[from].block == to) continue;  // Another of its transitions.
    if (slices_[from].twin == kNone) {
      const std::uint32_t twin = new_slice(to, slices_[from].pending);
      slices_[from].twin = twin;
      touched_.push_back(from);
    }
    const std::uint32_t twin = slices_[from].twin;
    const std::size_t chain = bundles_[bundle].marked ? 1 : 0;
    remove(bundles_, slices_[from].bundles[chain], bundle);
    push(bundles_, slices_[twin].bundles[chain], bundle);
    bundles_[bundle].slice = twin;
  }
}

void Slices::finish_moves() {
  for (const std::uint32_t slice : touched_) {
    slices_[slice].twin = kNone;
    if (is_empty(slice)) remove_slice(slice);
  }
  touched_.clear();
}

void Slices::suspect(std::uint32_t block) {
  if (in_block_first_.size() <= block) return;
  while (in_block_first_[block][0] != kNone) {
    set_pending(in_block_first_[block][0], true);
  }
  for (std::uint32_t state = blocks_.first_bottom(block); state != kNone;
       state = blocks_.next_bottom(state)) {
    for (std::uint32_t t = graph_.first_out(state);
         t < graph_.first_out(state + 1); ++t) {
      set_mark(bundle_of_[t], true);
    }
  }
}

}  // namespace agon::lts
