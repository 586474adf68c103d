// SPDX-License-Identifier: Apache-2.0
/// Random plays, and whether they can be played, by trying everything.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "refine/play.h"
#include "unit/abstraction/all_values.h"
#include "unit/abstraction/random_body.h"

namespace agon::test {

/// A tree of steps of blocks, which need not be possible.
inline std::optional<refine::Play> random_play(
    Random& random, const abstraction::Blocks& blocks, std::size_t max_nodes) {
  refine::Play play;
  const auto add = [&](ir::LocationId cut) {
    const auto& exits = blocks.block(cut).exits;
    if (exits.empty()) return false;
    refine::Play::Node node;
    node.cut = cut;
    node.is_start = play.nodes.empty();
    node.exit = exits[below(random, exits.size())];
    play.nodes.push_back(node);
    return true;
  };
  if (!add(blocks.body().entry())) return std::nullopt;
  for (std::size_t i = 0; i < play.nodes.size(); ++i) {
    const ir::LocationId next = blocks.body().edge(play.nodes[i].exit).to;
    for (std::size_t k = below(random, 4); k > 0; k /= 2) {
      if (play.nodes.size() >= max_nodes || !add(next)) break;
      play.nodes[i].children.push_back(
          static_cast<std::uint32_t>(play.nodes.size() - 1));
    }
  }
  return play;
}

/// Tries all inputs of all branches.
class Player {
 public:
  Player(const abstraction::Blocks& blocks, const refine::Play& play)
      : blocks_(blocks), play_(play) {}

  bool can_play(std::uint32_t node, const term::Assignment& state) const {
    return from(node, play_.nodes[node].cut, state);
  }

 private:
  /// Goes on inside the block of a node.
  bool from(std::uint32_t node, ir::LocationId at,
            const term::Assignment& state) const {
    for (const ir::EdgeId id : blocks_.body().out_edges(at)) {
      for (const term::Assignment& after : results(id, state)) {
        if (goes_on(node, id, after)) return true;
      }
    }
    return false;
  }

  bool goes_on(std::uint32_t node, ir::EdgeId id,
               const term::Assignment& after) const {
    if (id == play_.nodes[node].exit) {
      return std::ranges::all_of(
          play_.nodes[node].children,
          [&](std::uint32_t child) { return can_play(child, after); });
    }
    const ir::Edge& edge = blocks_.body().edge(id);
    if (blocks_.is_cut(edge.to)) return false;
    if (std::holds_alternative<ir::Call>(edge.statement)) return false;
    return from(node, edge.to, after);
  }

  /// What variables may hold after an edge.
  std::vector<term::Assignment> results(ir::EdgeId id,
                                        const term::Assignment& state) const {
    const ir::Program& program = blocks_.program();
    const ir::Statement& statement = blocks_.body().edge(id).statement;
    std::vector<term::Assignment> result{state};
    if (const auto* test = std::get_if<ir::Assume>(&statement)) {
      if (!holds(test->condition, state)) result.clear();
    } else if (const auto* assign = std::get_if<ir::Assign>(&statement)) {
      result[0][program[assign->target].term] =
          term::evaluate(assign->value, state);
    } else if (const auto* havoc = std::get_if<ir::Havoc>(&statement)) {
      const term::Term target = program[havoc->target].term;
      for (const auto& value : all_assignments(std::vector{target})) {
        result.push_back(state);
        result.back()[target] = value.at(target);
      }
    }
    return result;
  }

  const abstraction::Blocks& blocks_;
  const refine::Play& play_;
};

}  // namespace agon::test
