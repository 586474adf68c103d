// SPDX-License-Identifier: Apache-2.0
/// Blocks of states, of which only the bottom states can be listed.
#pragma once

#include <cstdint>
#include <vector>

#include "lts/chains.h"

namespace agon::lts {

/// A partition of states. A state is at the bottom of its block if none of its
/// steps is inert, that is, silent and inside the block.
class Blocks {
 public:
  explicit Blocks(std::uint32_t num_states)
      : states_(num_states, {kNone, 0, {}}) {}

  std::uint32_t add_block() {
    blocks_.push_back({});
    return static_cast<std::uint32_t>(blocks_.size() - 1);
  }

  /// Puts a state with that many inert steps into a block for the first time.
  void add(std::uint32_t state, std::uint32_t block, std::uint32_t inert) {
    states_[state] = {block, inert, {}};
    ++blocks_[block].size;
    if (inert == 0) add_bottom(state);
  }

  void move(std::uint32_t state, std::uint32_t to) {
    const auto [from, inert, link] = states_[state];
    if (inert == 0) {
      remove(states_, blocks_[from].bottom, state);
      --blocks_[from].num_bottoms;
    }
    --blocks_[from].size;
    ++blocks_[to].size;
    states_[state].block = to;
    if (inert == 0) add_bottom(state);
  }

  /// One step of the state is inert no longer.
  void lose_inert(std::uint32_t state) {
    if (--states_[state].inert == 0) add_bottom(state);
  }

  std::uint32_t block_of(std::uint32_t state) const {
    return states_[state].block;
  }
  std::uint32_t size(std::uint32_t block) const { return blocks_[block].size; }
  std::uint32_t num_bottoms(std::uint32_t block) const {
    return blocks_[block].num_bottoms;
  }
  std::uint32_t num_inert(std::uint32_t state) const {
    return states_[state].inert;
  }

  /// The first bottom state of a block, and the one after a bottom state.
  std::uint32_t first_bottom(std::uint32_t block) const {
    return blocks_[block].bottom;
  }
  std::uint32_t next_bottom(std::uint32_t state) const {
    return states_[state].link.next;
  }

 private:
  struct Member {
    std::uint32_t block;
    std::uint32_t inert;  // How many of its steps are.
    Link link;            // To other bottom states, if it is one.
  };
  struct Block {
    std::uint32_t size = 0;
    std::uint32_t num_bottoms = 0;
    std::uint32_t bottom = kNone;
  };

  void add_bottom(std::uint32_t state) {
    Block& block = blocks_[states_[state].block];
    push(states_, block.bottom, state);
    ++block.num_bottoms;
  }

  std::vector<Member> states_;
  std::vector<Block> blocks_;
};

}  // namespace agon::lts
