// SPDX-License-Identifier: Apache-2.0
#include "analysis/reaching_definitions.h"

#include "analysis/control_dependence.h"

namespace agon::analysis {
namespace {

using Value = ReachingDefinitions::Value;

class Numbering {
 public:
  Numbering(const Digraph& graph, Node entry, const Accesses& accesses)
      : graph_(graph),
        accesses_(accesses),
        entry_(entry),
        dominator_(immediate_dominators(graph, entry)),
        merges_at_(graph.size()) {}

  ReachingDefinitions run() {
    result_.num_values = accesses_.num_variables;
    result_.uses.resize(graph_.size());
    result_.definitions.resize(graph_.size());
    for (Node node = 0; node < graph_.size(); ++node) {
      result_.uses[node].assign(accesses_.uses[node].size(),
                                ReachingDefinitions::kUnreachable);
      result_.definitions[node].assign(accesses_.definitions[node].size(),
                                       ReachingDefinitions::kUnreachable);
    }
    place_merges();
    name_values();
    return std::move(result_);
  }

 private:
  struct Merge {
    std::uint32_t variable;
    Value value;
  };

  bool is_reached(Node node) const {
    return node == entry_ || dominator_[node] != kNoNode;
  }

  std::vector<std::vector<Node>> frontiers() const {
    std::vector<std::vector<Node>> result(graph_.size());
    const Digraph predecessors = graph_.reversed();
    for (Node join = 0; join < graph_.size(); ++join) {
      if (!is_reached(join)) continue;
      // The entry has a way in that is no arc.
      const auto before = predecessors.successors(join);
      if (before.size() + (join == entry_ ? 1 : 0) < 2) continue;
      for (Node node : before) {
        if (!is_reached(node)) continue;
        while (node != kNoNode && node != dominator_[join]) {
          auto& frontier = result[node];
          if (!frontier.empty() && frontier.back() == join) break;
          frontier.push_back(join);
          node = dominator_[node];
        }
      }
    }
    return result;
  }

  void place_merges() {
    const auto frontier = frontiers();
    std::vector<std::vector<Node>> defined_in(accesses_.num_variables);
    for (Node node = 0; node < graph_.size(); ++node) {
      if (!is_reached(node)) continue;
      for (const std::uint32_t v : accesses_.definitions[node]) {
        defined_in[v].push_back(node);
      }
    }
    std::vector<std::uint32_t> merged_for(graph_.size(), kNoNode);
    for (std::uint32_t v = 0; v < accesses_.num_variables; ++v) {
      std::vector<Node> work = std::move(defined_in[v]);
      while (!work.empty()) {
        const Node node = work.back();
        work.pop_back();
        for (const Node join : frontier[node]) {
          if (merged_for[join] == v) continue;
          merged_for[join] = v;
          merges_at_[join].push_back({v, result_.num_values++});
          work.push_back(join);
        }
      }
    }
  }

  // Walks over the tree of dominators; `current_` holds the value that each
  // variable has, and `undo_` what to restore when a subtree is left.
  void name_values() {
    std::vector<std::vector<Node>> children(graph_.size());
    for (Node node = 0; node < graph_.size(); ++node) {
      if (dominator_[node] != kNoNode) {
        children[dominator_[node]].push_back(node);
      }
    }
    for (Value v = 0; v < accesses_.num_variables; ++v) current_.push_back(v);
    // The entry's own merges also have the values at the start.
    for (const Merge& merge : merges_at_[entry_]) {
      result_.merges.emplace_back(merge.value, merge.variable);
    }
    struct Frame {
      Node node;
      std::size_t next_child;
      std::size_t undo;
    };
    std::vector<Frame> stack{{entry_, 0, 0}};
    visit(entry_);
    while (!stack.empty()) {
      Frame& frame = stack.back();
      if (frame.next_child < children[frame.node].size()) {
        const Node child = children[frame.node][frame.next_child++];
        stack.push_back({child, 0, undo_.size()});
        visit(child);
        continue;
      }
      for (; undo_.size() > frame.undo; undo_.pop_back()) {
        current_[undo_.back().variable] = undo_.back().value;
      }
      stack.pop_back();
    }
  }

  void set(std::uint32_t variable, Value value) {
    undo_.push_back({variable, current_[variable]});
    current_[variable] = value;
  }

  void visit(Node node) {
    for (const Merge& merge : merges_at_[node]) {
      set(merge.variable, merge.value);
    }
    const auto& uses = accesses_.uses[node];
    for (std::size_t i = 0; i < uses.size(); ++i) {
      result_.uses[node][i] = current_[uses[i]];
    }
    const auto& definitions = accesses_.definitions[node];
    for (std::size_t i = 0; i < definitions.size(); ++i) {
      result_.definitions[node][i] = result_.num_values;
      set(definitions[i], result_.num_values++);
    }
    for (const Node to : graph_.successors(node)) {
      for (const Merge& merge : merges_at_[to]) {
        result_.merges.emplace_back(merge.value, current_[merge.variable]);
      }
    }
  }

  const Digraph& graph_;
  const Accesses& accesses_;
  Node entry_;
  std::vector<Node> dominator_;
  std::vector<std::vector<Merge>> merges_at_;
  std::vector<Value> current_;
  std::vector<Merge> undo_;
  ReachingDefinitions result_;
};

}  // namespace

ReachingDefinitions reaching_definitions(const Digraph& graph, Node entry,
                                         const Accesses& accesses) {
  return Numbering(graph, entry, accesses).run();
}

}  // namespace agon::analysis
