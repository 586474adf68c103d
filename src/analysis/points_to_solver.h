// SPDX-License-Identifier: Apache-2.0
/// Inclusion constraints between sets, solved online as Horn clauses.
///
/// A fact `place is in node` is a Horn variable that is made when it is first
/// derived. Facts are expanded in order; what a fact implies is asked for only
/// then, so the clauses of `x = *p` come into being one by one as `p` gains
/// places. Internal to points-to analysis.
#pragma once

#include <tsl/robin_map.h>
#include <tsl/robin_set.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "horn/lazy_solver.h"
#include "support/context.h"
#include "support/hash.h"
#include "support/id.h"

namespace agon::analysis {

/// A set of places: of a variable, a cell's content, a term.
using NodeId = support::Id<struct PointsToNodeTag>;
/// A location, numbered by whoever uses the solver.
using PlaceId = support::Id<struct PointsToPlaceTag>;
using FactId = horn::Variable;

/// What to do with every place that a node has or gains. The numbers mean what
/// the user of the solver says.
struct Rule {
  std::uint8_t kind = 0;
  NodeId node;
  std::uint32_t number = 0;
};

class InclusionSolver {
 public:
  virtual ~InclusionSolver() = default;

  NodeId add_node();
  /// `place` is in `node`, because of the fact that is expanded, if any.
  void add(NodeId node, PlaceId place);
  /// All of `from` is in `to`.
  void include(NodeId from, NodeId to);
  void add_rule(NodeId node, Rule rule);
  /// Expands facts until there are no more.
  void solve(support::Context* context);

  std::size_t num_nodes() const { return nodes_.size(); }
  std::size_t num_facts() const { return facts_.size(); }
  std::span<const PlaceId> places(NodeId node) const {
    return nodes_[node.index()].places;
  }
  bool contains(NodeId node, PlaceId place) const {
    return known_.contains(support::pair_key(node.value(), place.value()));
  }

  /// The facts that a fact follows from, nearest first, up to a root.
  struct Fact {
    NodeId node;
    PlaceId place;
  };
  std::vector<Fact> derivation(NodeId node, PlaceId place) const;

 protected:
  /// Draws the conclusions of a rule, by `add`, `include` and `add_rule`.
  virtual void apply(const Rule& rule, PlaceId place) = 0;

 private:
  using Body = std::array<FactId, 2>;

  struct Edge {
    NodeId to;
    FactId reason;  // The fact that brought the edge about, if any.
  };
  struct Node {
    std::vector<PlaceId> places;
    std::vector<Edge> edges;
    std::vector<Rule> rules;
  };

  void derive(NodeId node, PlaceId place, const Body& body);
  void expand(FactId fact);

  horn::LazySolver horn_;
  std::vector<Body> bodies_;  // By clause.
  std::vector<Fact> facts_;   // By Horn variable.
  std::vector<Node> nodes_;
  tsl::robin_map<std::uint64_t, FactId, support::MixHash> known_;
  tsl::robin_set<std::uint64_t, support::MixHash> edges_;
  std::size_t expanded_ = 0;
  FactId current_;  // The fact that is expanded.
};

}  // namespace agon::analysis
