// SPDX-License-Identifier: Apache-2.0
#include "analysis/digraph.h"

#include "support/sort_unique.h"

namespace agon::analysis {
namespace {

class HeadSearch {
 public:
  explicit HeadSearch(const Digraph& graph)
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
        heads.push_back(to);
      }
    }
  }

  std::vector<Node> heads;

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

std::vector<Node> cycle_heads(const Digraph& graph, Node root) {
  HeadSearch search(graph);
  search.search(root);
  for (Node node = 0; node < graph.size(); ++node) search.search(node);
  support::sort_unique(search.heads);
  return std::move(search.heads);
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
