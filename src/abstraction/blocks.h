// SPDX-License-Identifier: Apache-2.0
/// Cut points of a body, and the loop-free blocks between them.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/program.h"

namespace agon::abstraction {

enum class BlockMode : std::uint8_t {
  Single,  ///< Every location is a cut point: the papers' model.
  Large,   ///< Entry, loop heads, and where an action has been performed.
  /// Large, and where execution waits for an action. All states at such a place
  /// offer the same actions, so that an abstraction knows what it refuses.
  Waiting,
};

/// What can be run from a cut point without passing another.
struct Block {
  ir::LocationId start;
  /// Locations that are passed, the start first; edges go forward only.
  std::vector<ir::LocationId> order;
  /// Edges that end the block: into a cut point, or those of an action.
  std::vector<ir::EdgeId> exits;
};

/// The blocks of a function whose only calls are actions.
///
/// Compressing silent steps preserves weak simulation and weak traces: whether
/// the specification answers a silent step and then an action, or both at once,
/// it needs the same answers.
class Blocks {
 public:
  Blocks(const ir::Program& program, ir::FunctionId function, BlockMode mode);

  const ir::Program& program() const { return program_; }
  const ir::Cfa& body() const { return body_; }

  bool is_cut(ir::LocationId location) const {
    return block_of_[location.index()] != kNone;
  }
  const Block& block(ir::LocationId cut) const {
    return blocks_[block_of_[cut.index()]];
  }
  const std::vector<Block>& all() const { return blocks_; }

  /// The action that an edge performs; invalid for others.
  ir::FunctionId action(ir::EdgeId edge) const;

  /// Whether nothing but actions can happen next at a cut point. In the mode
  /// Waiting all actions happen at such places.
  bool is_waiting(ir::LocationId cut) const { return waiting_[cut.index()]; }
  /// As in ir/waiting.h.
  bool has_unclear_choice() const { return has_unclear_choice_; }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  std::vector<bool> find_cuts(BlockMode mode) const;
  Block make_block(ir::LocationId start) const;

  const ir::Program& program_;
  const ir::Cfa& body_;
  std::vector<bool> waiting_;  // By location.
  bool has_unclear_choice_ = false;
  std::vector<std::uint32_t> block_of_;  // By location.
  std::vector<Block> blocks_;
};

}  // namespace agon::abstraction
