// SPDX-License-Identifier: Apache-2.0
#include "analysis/control_dependence.h"

#include <algorithm>

namespace agon::analysis {
namespace {

// The simple version of Lengauer and Tarjan (1979): semi-dominators by a forest
// with path compression. Nodes are handled by their depth-first numbers.
class LengauerTarjan {
 public:
  LengauerTarjan(const Digraph& graph, Node root)
      : graph_(graph), number_(graph.size(), kNoNode) {
    number_nodes(root);
    const std::size_t count = vertex_.size();
    for (Node i = 0; i < count; ++i) semi_.push_back(i);
    best_ = semi_;
    ancestor_.assign(count, kNoNode);
    idom_.assign(count, 0);
    bucket_.resize(count);
  }

  std::vector<Node> run() {
    const Digraph predecessors = graph_.reversed();
    for (Node w = static_cast<Node>(vertex_.size()); w-- > 1;) {
      for (const Node p : predecessors.successors(vertex_[w])) {
        if (number_[p] == kNoNode) continue;
        semi_[w] = std::min(semi_[w], semi_[evaluate(number_[p])]);
      }
      bucket_[semi_[w]].push_back(w);
      ancestor_[w] = parent_[w];
      for (const Node v : bucket_[parent_[w]]) {
        const Node u = evaluate(v);
        idom_[v] = semi_[u] < semi_[v] ? u : parent_[w];
      }
      bucket_[parent_[w]].clear();
    }
    std::vector<Node> result(graph_.size(), kNoNode);
    for (Node w = 1; w < vertex_.size(); ++w) {
      if (idom_[w] != semi_[w]) idom_[w] = idom_[idom_[w]];
      result[vertex_[w]] = vertex_[idom_[w]];
    }
    return result;
  }

 private:
  void number_nodes(Node root) {
    std::vector<std::pair<Node, std::size_t>> stack;
    const auto enter = [&](Node node, Node parent) {
      number_[node] = static_cast<Node>(vertex_.size());
      vertex_.push_back(node);
      parent_.push_back(parent);
      stack.emplace_back(node, 0);
    };
    enter(root, kNoNode);
    while (!stack.empty()) {
      auto& [node, next] = stack.back();
      const auto successors = graph_.successors(node);
      if (next == successors.size()) {
        stack.pop_back();
        continue;
      }
      const Node to = successors[next++];
      if (number_[to] == kNoNode) enter(to, number_[node]);
    }
  }

  /// The node with the least semi-dominator on the way from v up to, but
  /// without, the root of its tree.
  Node evaluate(Node v) {
    if (ancestor_[v] == kNoNode) return v;
    path_.clear();
    for (Node u = v; ancestor_[ancestor_[u]] != kNoNode; u = ancestor_[u]) {
      path_.push_back(u);
    }
    for (; !path_.empty(); path_.pop_back()) {
      const Node u = path_.back();
      const Node above = ancestor_[u];
      if (semi_[best_[above]] < semi_[best_[u]]) best_[u] = best_[above];
      ancestor_[u] = ancestor_[above];
    }
    return best_[v];
  }

  const Digraph& graph_;
  std::vector<Node> number_;  // Per node, kNoNode where not reached.
  // Per number.
  std::vector<Node> vertex_;
  std::vector<Node> parent_;
  std::vector<Node> semi_;
  std::vector<Node> best_;
  std::vector<Node> ancestor_;
  std::vector<Node> idom_;
  std::vector<std::vector<Node>> bucket_;
  std::vector<Node> path_;
};

}  // namespace

std::vector<Node> immediate_dominators(const Digraph& graph, Node root) {
  return LengauerTarjan(graph, root).run();
}

ControlDependence control_dependence(const Digraph& graph, Node end) {
  ControlDependence result;
  result.post_dominator = immediate_dominators(graph.reversed(), end);
  result.controllers.resize(graph.size());
  for (Node branch = 0; branch < graph.size(); ++branch) {
    if (graph.successors(branch).size() < 2) continue;
    const Node stop = result.post_dominator[branch];
    for (const Node to : graph.successors(branch)) {
      for (Node node = to; node != stop && node != kNoNode;
           node = result.post_dominator[node]) {
        auto& controllers = result.controllers[node];
        // Ways of one branch may share their last part.
        if (!controllers.empty() && controllers.back() == branch) break;
        controllers.push_back(branch);
      }
    }
  }
  return result;
}

}  // namespace agon::analysis
