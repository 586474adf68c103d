// SPDX-License-Identifier: Apache-2.0
/// For branching bisimulation: finding the smaller part of a block.
#pragma once

#include <cstdint>
#include <vector>

#include "lts/blocks.h"
#include "lts/silent_graph.h"
#include "lts/slices.h"

namespace agon::lts {

/// A block and one of its slices divide the states of the block into those that
/// reach a transition of the slice by inert steps and those that avoid it. The
/// two parts are searched for at the same time, step by step, and as soon as
/// one is complete the other one is known as well.
class Lockstep {
 public:
  enum class Side : std::uint8_t { Reaching, Avoiding };
  struct Part {
    Side side;
    std::vector<std::uint32_t> states;  ///< At most half of the block.
  };

  Lockstep(const SilentGraph& graph, const Blocks& blocks, Slices& slices);

  /// The smaller part, or null if no state avoids the slice. It is valid until
  /// the next call. Marks of the slice are used up. With `all`, every bundle
  /// counts as marked.
  const Part* divide(std::uint32_t slice, bool all);

 private:
  /// A list of states that grows while their predecessors are looked at.
  struct Search {
    std::vector<std::uint32_t> states;
    std::size_t opened = 0;
    const SilentGraph::Entering* edge = nullptr;
    const SilentGraph::Entering* end = nullptr;
    std::uint32_t seed = kNone;  // The next one, in a chain.
  };
  enum Flag : std::uint8_t { kReaches = 1, kCounted = 2, kMarked = 4 };

  bool mark_bottoms(bool all);
  void mark_state(std::uint32_t bundle);
  void flag(std::uint32_t state, Flag flag);
  bool open_next(Search& search);
  bool step_reaching();
  bool step_avoiding();
  void step_test();
  void count_down(std::uint32_t state);
  Side race();

  const SilentGraph& graph_;
  const Blocks& blocks_;
  Slices& slices_;

  std::uint32_t block_ = kNone;
  std::uint32_t slice_ = kNone;
  std::uint32_t marked_bottoms_ = 0;
  Search reaching_;
  Search avoiding_;
  // A state whose inert steps all lead to avoiding states, while its other
  // transitions are looked through.
  std::uint32_t tested_ = kNone;
  std::uint32_t test_edge_ = 0;

  struct Scratch {
    std::uint32_t untested = 0;  // Inert steps, valid with kCounted.
    std::uint8_t flags = 0;
  };
  std::vector<Scratch> scratch_;  // By state; no flags between calls.
  std::vector<std::uint32_t> flagged_;
  Part part_;
};

}  // namespace agon::lts
