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
    return std::ranges::any_of(
        ends(node, state), [&](const term::Assignment& after) {
          return std::ranges::all_of(
              play_.nodes[node].children,
              [&](std::uint32_t child) { return can_play(child, after); });
        });
  }

  /// What variables may hold after the step of a node.
  std::vector<term::Assignment> ends(std::uint32_t node,
                                     const term::Assignment& state) const {
    std::vector<term::Assignment> result;
    go_on(node, play_.nodes[node].cut, state, result);
    return result;
  }

 private:
  /// Goes on inside the block of a node.
  void go_on(std::uint32_t node, ir::LocationId at,
             const term::Assignment& state,
             std::vector<term::Assignment>& to) const {
    for (const ir::EdgeId id : blocks_.body().out_edges(at)) {
      const ir::Edge& edge = blocks_.body().edge(id);
      const bool is_exit = id == play_.nodes[node].exit;
      if (!is_exit && (blocks_.is_cut(edge.to) ||
                       std::holds_alternative<ir::Call>(edge.statement))) {
        continue;
      }
      for (const term::Assignment& after : results(id, state)) {
        if (is_exit) {
          to.push_back(after);
        } else {
          go_on(node, edge.to, after, to);
        }
      }
    }
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
