// SPDX-License-Identifier: Apache-2.0
/// Inclusion constraints between sets of places, solved online.
///
/// Sets that include one another are found as the strong components of the
/// inclusions and become one. Internal to points-to analysis.
#pragma once

#include <tsl/robin_set.h>

#include <compare>
#include <cstdint>
#include <functional>
#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/digraph.h"
#include "analysis/place_set.h"
#include "support/context.h"
#include "support/hash.h"
#include "support/id.h"

namespace agon::analysis {

/// A set of places: of a variable, a cell's content, a term.
using NodeId = support::Id<struct PointsToNodeTag>;
/// A location, numbered by whoever uses the solver.
using PlaceId = support::Id<struct PointsToPlaceTag>;

/// What to do with every place that a node has or gains. The numbers mean what
/// the user of the solver says.
struct Rule {
  std::uint8_t kind = 0;
  NodeId node;
  std::uint32_t number = 0;

  friend auto operator<=>(const Rule&, const Rule&) = default;
};

class InclusionSolver {
 public:
  virtual ~InclusionSolver() = default;

  NodeId add_node();
  /// `place` is in `node`, because of the rule that is applied, if any.
  void add(NodeId node, PlaceId place);
  /// All of `from` is in `to`.
  void include(NodeId from, NodeId to);
  void add_rule(NodeId node, Rule rule);
  /// Draws conclusions until there are no more.
  void solve(support::Context* context);

  std::size_t num_nodes() const { return nodes_.size(); }
  std::size_t num_facts() const;
  /// The node that a set is kept at: the same for sets that were found to be
  /// equal.
  NodeId find(NodeId node) const;
  const PlaceSet& places(NodeId node) const {
    return nodes_[find(node).index()].places;
  }

  /// A number for the content of a set: the same for equal ones, 0 for empty.
  /// The sets must not change any more.
  std::uint32_t set_number(NodeId node);

  /// The sets that a place went through, nearest first, up to a root.
  struct Fact {
    NodeId node;
    PlaceId place;
  };
  std::vector<Fact> derivation(NodeId node, PlaceId place) const;

 protected:
  /// Draws the conclusions of a rule, by `add`, `include` and `add_rule`. May
  /// be asked again for a place that it has seen.
  virtual void apply(const Rule& rule, PlaceId place) = 0;

 private:
  struct Node {
    PlaceSet places;
    PlaceSet fresh;  // Those of them that nothing was concluded from so far.
    std::vector<NodeId> edges;
    std::vector<Rule> rules;
    bool is_queued = false;
  };
  /// A place that did not come from an inclusion.
  struct Origin {
    Fact fact;
    Fact because;
  };
  using Task = std::pair<std::uint32_t, NodeId>;

  void enqueue(NodeId node);
  void gain(NodeId node, const PlaceSet& places);
  void apply_to(const Rule& rule, NodeId node, const PlaceSet& places);
  void expand(NodeId node);
  void collapse();
  void merge(NodeId node, NodeId into);
  void tidy(NodeId node);
  std::size_t trace_back(const Digraph& backward, Fact fact, std::size_t last,
                         std::vector<Fact>& result) const;

  std::vector<Node> nodes_;
  mutable std::vector<NodeId> parent_;  // By node.
  std::vector<std::uint32_t> order_;    // By node: where to take up work first.
  std::priority_queue<Task, std::vector<Task>, std::greater<>> queue_;
  tsl::robin_set<std::uint64_t, support::MixHash> edges_;
  std::vector<Origin> origins_;
  std::vector<std::uint32_t> numbers_;  // By node.
  std::unordered_map<PlaceSet, std::uint32_t, PlaceSetHash> set_numbers_;
  Fact current_;                // What a rule is applied to.
  std::size_t work_ = 0;        // Since components were looked for.
  bool has_new_edges_ = false;  // Since then.
};

}  // namespace agon::analysis
