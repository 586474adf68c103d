// SPDX-License-Identifier: Apache-2.0
#include "analysis/digraph.h"

#include <algorithm>

#include "support/sort_unique.h"

namespace agon::analysis {
namespace {

// Tarjan's algorithm (1972) with an explicit stack. It closes a component after
// all those that it leads to, which is the order that is promised.
class ComponentSearch {
 public:
  explicit ComponentSearch(const Digraph& graph)
      : graph_(graph), number_(graph.size(), kNoNode), low_(graph.size(), 0) {
    found_.of.resize(graph.size(), kNoNode);
    for (Node node = 0; node < graph.size(); ++node) {
      if (number_[node] == kNoNode) visit(node);
    }
  }

  StrongComponents take() && { return std::move(found_); }

 private:
  struct Frame {
    Node node;
    std::size_t next;
  };

  void open(Node node) {
    number_[node] = low_[node] = next_number_++;
    open_.push_back(node);
    frames_.push_back({node, 0});
  }

  void visit(Node start) {
    open(start);
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      const Node node = frame.node;
      const auto successors = graph_.successors(node);
      if (frame.next < successors.size()) {
        const Node to = successors[frame.next++];
        if (number_[to] == kNoNode) {
          open(to);
        } else if (found_.of[to] == kNoNode) {
          low_[node] = std::min(low_[node], number_[to]);
        }
        continue;
      }
      frames_.pop_back();
      if (low_[node] == number_[node]) close(node);
      if (!frames_.empty()) {
        std::uint32_t& outer = low_[frames_.back().node];
        outer = std::min(outer, low_[node]);
      }
    }
  }

  void close(Node root) {
    Node member = kNoNode;
    do {
      member = open_.back();
      open_.pop_back();
      found_.of[member] = found_.count;
    } while (member != root);
    ++found_.count;
  }

  const Digraph& graph_;
  std::vector<std::uint32_t> number_;
  std::vector<std::uint32_t> low_;
  std::vector<Node> open_;
  std::vector<Frame> frames_;
  StrongComponents found_;
  std::uint32_t next_number_ = 0;
};

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

StrongComponents strong_components(const Digraph& graph) {
  return ComponentSearch(graph).take();
}

}  // namespace agon::analysis
