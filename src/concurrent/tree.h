// SPDX-License-Identifier: Apache-2.0
/// What components do together, step by step.
#pragma once

#include <cstdint>
#include <vector>

#include "concurrent/composer.h"
#include "lts/lts.h"

namespace agon::concurrent {

/// A strategy of the program against the specification, without sharing.
struct Tree {
  struct Node {
    Move move;
    Place before;
    Place after;
    std::vector<std::uint32_t> children;  ///< They come later.
    lts::State spec;  ///< Where the specification is; invalid if not known.
  };
  std::vector<Node> nodes;  ///< The first is the root.
};

}  // namespace agon::concurrent
