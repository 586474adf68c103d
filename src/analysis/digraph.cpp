// SPDX-License-Identifier: Apache-2.0
#include "analysis/digraph.h"

#include "support/sort_unique.h"

namespace agon::analysis {
namespace {

class CycleSearch {
 public:
  explicit CycleSearch(const Digraph& graph)
      : graph_(graph), colour_(graph.size(), Colour::White) {}

  void search(Node root) {
    if (colour_[root] != Colour::White) return;
    enter(root);
    while (!stack_.empty()) {
      auto& [node, next] = stack_.back();
      const auto successors = graph_.successors(node);
      if (next == successors.size()) {
        colour_[node] = Colour::Black;
        stack_.pop_back();
        continue;
      }
      const Node to = successors[next++];
      if (colour_[to] == Colour::White) {
        enter(to);
      } else if (colour_[to] == Colour::Grey) {
        arcs.emplace_back(node, to);
      }
    }
  }

  std::vector<Digraph::Arc> arcs;

 private:
  enum class Colour : std::uint8_t { White, Grey, Black };

  void enter(Node node) {
    colour_[node] = Colour::Grey;
    stack_.emplace_back(node, 0);
  }

  const Digraph& graph_;
  std::vector<Colour> colour_;
  std::vector<std::pair<Node, std::size_t>> stack_;
};

}  // namespace

std::vector<Digraph::Arc> retreating_arcs(const Digraph& graph, Node root) {
  CycleSearch search(graph);
  search.search(root);
  for (Node node = 0; node < graph.size(); ++node) search.search(node);
  return std::move(search.arcs);
}

std::vector<Node> cycle_heads(const Digraph& graph, Node root) {
  std::vector<Node> heads;
  for (const Digraph::Arc& arc : retreating_arcs(graph, root)) {
    heads.push_back(arc.second);
  }
  support::sort_unique(heads);
  return heads;
}

std::vector<bool> reachable_from(const Digraph& graph,
                                 std::span<const Node> start) {
  std::vector<bool> seen(graph.size(), false);
  std::vector<Node> queue;
  const auto reach = [&](Node node) {
    if (seen[node]) return;
    seen[node] = true;
    queue.push_back(node);
  };
  for (const Node node : start) reach(node);
  for (std::size_t head = 0; head < queue.size(); ++head) {
    for (const Node to : graph.successors(queue[head])) reach(to);
  }
  return seen;
}

}  // namespace agon::analysis
