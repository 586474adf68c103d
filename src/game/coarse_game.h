// SPDX-License-Identifier: Apache-2.0
/// A simulation game against a coarse abstraction of the implementation.
#pragma once

#include <memory>
#include <vector>

#include "game/strategy.h"
#include "lts/lts.h"
#include "lts/successors.h"
#include "support/context.h"

namespace agon::game {

class SimulationGame;

/// Implementation states that offer the same labels become one, which can do
/// whatever one of them can. If the specification simulates that, it simulates
/// each of them. On dense systems, where almost everything simulates almost
/// everything, this settles a whole column of positions with one.
class CoarseGame {
 public:
  CoarseGame(const lts::Lts& impl, lts::Successors& spec, Semantics semantics,
             support::Context& context);
  ~CoarseGame();

  /// Whether the specification is certain to win from a position of the game
  /// with `impl` itself. False means nothing.
  bool accepts(Position position);

  /// Work done so far, in the units of a simulation game.
  std::size_t effort() const;

  /// Whether asking has been worth the effort.
  bool is_useful() const;

 private:
  std::vector<lts::State> class_of_;
  std::unique_ptr<lts::Lts> abstraction_;
  std::unique_ptr<lts::ExplicitSuccessors> successors_;
  std::unique_ptr<SimulationGame> game_;
  std::size_t asked_ = 0;
  std::size_t accepted_ = 0;
};

}  // namespace agon::game
