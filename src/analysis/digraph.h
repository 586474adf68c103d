// SPDX-License-Identifier: Apache-2.0
/// Directed graphs on the numbers below some size.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace agon::analysis {

using Node = std::uint32_t;
inline constexpr Node kNoNode = std::numeric_limits<Node>::max();

/// An immutable graph. Successors are in the order in which arcs were given;
/// an arc that is given twice is there twice.
class Digraph {
 public:
  using Arc = std::pair<Node, Node>;

  Digraph(std::size_t num_nodes, std::span<const Arc> arcs)
      : first_(num_nodes + 1, 0), targets_(arcs.size()) {
    for (const Arc& arc : arcs) ++first_[arc.first + 1];
    for (std::size_t i = 0; i < num_nodes; ++i) first_[i + 1] += first_[i];
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (const Arc& arc : arcs) targets_[next[arc.first]++] = arc.second;
  }

  std::size_t size() const { return first_.size() - 1; }
  std::span<const Node> successors(Node node) const {
    return {targets_.data() + first_[node], targets_.data() + first_[node + 1]};
  }

  Digraph reversed() const {
    std::vector<Arc> arcs;
    arcs.reserve(targets_.size());
    for (Node node = 0; node < size(); ++node) {
      for (const Node to : successors(node)) arcs.emplace_back(to, node);
    }
    return Digraph(size(), arcs);
  }

 private:
  std::vector<std::size_t> first_;
  std::vector<Node> targets_;
};

/// The arcs that close a cycle in a depth-first search from `root` and then
/// from all other nodes in order: every cycle contains one.
std::vector<Digraph::Arc> retreating_arcs(const Digraph& graph, Node root);

/// The targets of these arcs, in increasing order.
std::vector<Node> cycle_heads(const Digraph& graph, Node root);

struct StrongComponents {
  std::vector<std::uint32_t> of;  ///< By node.
  std::uint32_t count = 0;
};

/// Strongly connected components, numbered such that an arc leads to the same
/// or a lower number.
StrongComponents strong_components(const Digraph& graph);

/// Whether each node can be reached from one of `start`.
std::vector<bool> reachable_from(const Digraph& graph,
                                 std::span<const Node> start);

}  // namespace agon::analysis
