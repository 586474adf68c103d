// SPDX-License-Identifier: Apache-2.0
/// For branching bisimulation: what each block has of each bunch.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "lts/blocks.h"
#include "lts/chains.h"
#include "lts/silent_graph.h"

namespace agon::lts {

/// A bundle is all transitions that one state has in one bunch, and a slice all
/// bundles of one block in one bunch. Inert steps are in no bunch.
///
/// A slice can be pending: the block may be unstable under it. Then those
/// bundles are marked that belong to bottom states, and perhaps more, and only
/// for bottom states is a mark reliable. Slices that come from a pending one
/// are pending, and bundles keep their marks.
class Slices {
 public:
  /// A slice that was cut in two: the new part, and what is left.
  struct Cut {
    std::uint32_t carved;
    std::uint32_t rest;
  };

  Slices(const SilentGraph& graph, const Blocks& blocks);

  bool inert(std::uint32_t transition) const {
    return bundle_of_[transition] == kNone;
  }
  /// The slice of a transition that is not inert.
  std::uint32_t slice_of(std::uint32_t transition) const {
    return bundles_[bundle_of_[transition]].slice;
  }
  std::uint32_t block(std::uint32_t slice) const {
    return slices_[slice].block;
  }

  /// Moves transitions into a new bunch: `enter` each, then `finish_bunch`. If
  /// they come from an old bunch, then in the rest of slices that were cut the
  /// bundles are marked whose state has transitions on both sides.
  void enter(std::uint32_t transition);
  /// The slices that were cut. Those with nothing left are not among them.
  std::vector<Cut> finish_bunch();

  /// Has to be called for each state that was moved to another block, and
  /// `finish_moves` after all of them.
  void follow(std::uint32_t state);
  void finish_moves();

  /// The bundles of a slice: those that are marked, and the others.
  std::uint32_t first_marked(std::uint32_t slice) const {
    return slices_[slice].bundles[1];
  }
  std::uint32_t first_unmarked(std::uint32_t slice) const {
    return slices_[slice].bundles[0];
  }
  std::uint32_t next_bundle(std::uint32_t bundle) const {
    return bundles_[bundle].link.next;
  }
  std::uint32_t state(std::uint32_t bundle) const {
    return bundles_[bundle].state;
  }

  /// Marks the bundles of all bottom states of a block, whose slices all become
  /// pending.
  void suspect(std::uint32_t block);
  void set_pending(std::uint32_t slice, bool pending);
  void unmark(std::uint32_t bundle) { set_mark(bundle, false); }
  /// A pending slice of the block, or kNone.
  std::uint32_t pending(std::uint32_t block) const {
    return block < in_block_first_.size() ? in_block_first_[block][1] : kNone;
  }
  /// The only slice that `enter` made since the last `finish_bunch`.
  std::uint32_t last_slice() const { return fresh_slices_.front(); }

 private:
  struct Bundle {
    std::uint32_t state;
    std::uint32_t slice;
    std::uint32_t size;
    Link link;  // To others of the slice.
    bool marked;
  };
  struct Slice {
    std::uint32_t block;
    std::array<std::uint32_t, 2> bundles;  // Unmarked and marked ones.
    Link link;                             // To others of the block.
    std::uint32_t twin;                    // Where bundles of moving states go.
    bool pending;
  };
  struct Origin {
    std::uint32_t state;
    std::uint32_t old_bundle;
  };

  std::uint32_t new_slice(std::uint32_t block, bool pending);
  std::uint32_t new_bundle(std::uint32_t state);
  void set_mark(std::uint32_t bundle, bool marked);
  void remove_bundle(std::uint32_t bundle);
  bool is_empty(std::uint32_t slice) const {
    return slices_[slice].bundles[0] == kNone &&
           slices_[slice].bundles[1] == kNone;
  }
  void remove_slice(std::uint32_t slice);

  const SilentGraph& graph_;
  const Blocks& blocks_;
  std::vector<std::uint32_t> bundle_of_;  // By transition.
  std::vector<Bundle> bundles_;
  std::vector<std::uint32_t> free_bundles_;
  std::vector<Slice> slices_;
  std::vector<std::uint32_t> free_slices_;
  // The slices of a block that are not pending, and those that are.
  std::vector<std::array<std::uint32_t, 2>> in_block_first_;

  // Scratch space, empty or kNone between operations.
  std::vector<std::uint32_t> fresh_bundle_;  // By state.
  std::vector<std::uint32_t> fresh_slice_;   // By block.
  std::vector<std::uint32_t> fresh_slices_;
  std::vector<Origin> origins_;
  std::vector<Cut> cuts_;
  std::vector<std::uint32_t> touched_;
};

}  // namespace agon::lts
