// SPDX-License-Identifier: Apache-2.0
/// Winning strategies of the challenger, as values that can be checked.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "game/semantics.h"
#include "lts/successors.h"

namespace agon::game {

/// Where the two pebbles of a simulation game lie.
struct Position {
  lts::State impl;
  lts::State spec;
  friend constexpr auto operator<=>(Position, Position) = default;
};

/// A strategy tree with equal subtrees shared. From each node's position the
/// implementation makes the node's challenge, and for every response of the
/// specification there is a child to go on from. A node without children is a
/// challenge that cannot be answered.
struct Strategy {
  struct Node {
    Position position;
    lts::Transition challenge;
    std::vector<std::uint32_t> children;  ///< Indices into `nodes`.
    friend bool operator==(const Node&, const Node&) = default;
  };
  std::vector<Node> nodes;  ///< The first is the root.
  friend bool operator==(const Strategy&, const Strategy&) = default;
};

/// Whether the tree is finite when sharing is undone: all children exist, and
/// no node is its own descendant.
bool is_finite(const Strategy& strategy);

/// Checks from the definition that a strategy wins from `start`, and says why
/// not if it does not. This is the judge of the engines, so it shares nothing
/// with them; it follows SIM §4 and is as slow as that is simple.
///
///  C1  The root is at `start`.
///  C2  The children of a node are the responses to its challenge, and the
///      challenge is a move of the implementation.
///  C3  Leaves are challenges without a response.
///
/// In a weak game a response to `a` is `tau* a tau*`, and to a silent challenge
/// `tau*`. There a child at (p, r) also stands for every (p, r') that r reaches
/// silently: whatever r' can answer, r can answer too, so the same strategy
/// wins. Sharing must not make the tree infinite: the graph has no cycles.
std::optional<std::string> refute(const Strategy& strategy, Position start,
                                  lts::Successors& impl, lts::Successors& spec,
                                  Semantics semantics);

}  // namespace agon::game
