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
      : block_of_(num_states, kNone), inert_(num_states, 0) {
    bottoms_.resize(num_states);
  }

  std::uint32_t add_block() {
    blocks_.push_back({});
    return static_cast<std::uint32_t>(blocks_.size() - 1);
  }

  /// Puts a state with that many inert steps into a block for the first time.
  void add(std::uint32_t state, std::uint32_t block, std::uint32_t inert) {
    block_of_[state] = block;
    ++blocks_[block].size;
    inert_[state] = inert;
    if (inert == 0) add_bottom(state);
  }

  void move(std::uint32_t state, std::uint32_t to) {
    const std::uint32_t from = block_of_[state];
    if (inert_[state] == 0) {
      bottoms_.remove(blocks_[from].bottom, state);
      --blocks_[from].num_bottoms;
    }
    --blocks_[from].size;
    ++blocks_[to].size;
    block_of_[state] = to;
    if (inert_[state] == 0) add_bottom(state);
  }

  /// One step of the state is inert no longer.
  void lose_inert(std::uint32_t state) {
    if (--inert_[state] == 0) add_bottom(state);
  }

  std::uint32_t block_of(std::uint32_t state) const { return block_of_[state]; }
  std::uint32_t size(std::uint32_t block) const { return blocks_[block].size; }
  std::uint32_t num_bottoms(std::uint32_t block) const {
    return blocks_[block].num_bottoms;
  }
  std::uint32_t num_inert(std::uint32_t state) const { return inert_[state]; }

  /// The first bottom state of a block, and the one after a bottom state.
  std::uint32_t first_bottom(std::uint32_t block) const {
    return blocks_[block].bottom;
  }
  std::uint32_t next_bottom(std::uint32_t state) const {
    return bottoms_.next(state);
  }

 private:
  struct Block {
    std::uint32_t size = 0;
    std::uint32_t num_bottoms = 0;
    std::uint32_t bottom = kNone;
  };

  void add_bottom(std::uint32_t state) {
    Block& block = blocks_[block_of_[state]];
    bottoms_.push(block.bottom, state);
    ++block.num_bottoms;
  }

  std::vector<std::uint32_t> block_of_;
  std::vector<std::uint32_t> inert_;
  std::vector<Block> blocks_;
  Chains bottoms_;
};

}  // namespace agon::lts
