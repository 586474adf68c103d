// SPDX-License-Identifier: Apache-2.0
#include "analysis/points_to_solver.h"

#include "support/error.h"

namespace agon::analysis {

NodeId InclusionSolver::add_node() {
  nodes_.emplace_back();
  return NodeId::at(nodes_.size() - 1);
}

void InclusionSolver::add(NodeId node, PlaceId place) {
  derive(node, place, {current_, FactId()});
}

// Every premise was processed by the Horn solver before it was expanded, so a
// new clause never waits: it is read to its end and fires at once.
void InclusionSolver::derive(NodeId node, PlaceId place, const Body& body) {
  const FactId fact = FactId::at(facts_.size());
  const auto key = support::pair_key(node.value(), place.value());
  if (!known_.try_emplace(key, fact).second) return;
  facts_.push_back({node, place});
  nodes_[node.index()].places.push_back(place);
  const horn::Variable variable = horn_.add_variable();
  AGON_ASSERT(variable == fact);
  bodies_.push_back(body);
  std::size_t cursor = 0;
  horn_.start(horn_.add_clause(variable), [&](horn::Clause clause) {
    const Body& literals = bodies_[clause.index()];
    while (cursor < literals.size()) {
      const FactId literal = literals[cursor++];
      if (literal.valid()) return literal;
    }
    return FactId();
  });
}

void InclusionSolver::include(NodeId from, NodeId to) {
  if (from == to) return;
  const auto key = support::pair_key(from.value(), to.value());
  if (!edges_.insert(key).second) return;
  nodes_[from.index()].edges.push_back({to, current_});
  // Places come to the end while we add; they find the new edge themselves.
  const std::size_t present = nodes_[from.index()].places.size();
  for (std::size_t i = 0; i < present; ++i) {
    const PlaceId place = nodes_[from.index()].places[i];
    const auto found =
        known_.find(support::pair_key(from.value(), place.value()));
    // One that is not expanded yet will find the edge, too.
    if (found->second.index() >= expanded_) continue;
    derive(to, place, {found->second, current_});
  }
}

void InclusionSolver::add_rule(NodeId node, Rule rule) {
  nodes_[node.index()].rules.push_back(rule);
  const std::size_t present = nodes_[node.index()].places.size();
  for (std::size_t i = 0; i < present; ++i) {
    const PlaceId place = nodes_[node.index()].places[i];
    const auto found =
        known_.find(support::pair_key(node.value(), place.value()));
    if (found->second.index() >= expanded_) continue;
    apply(rule, place);
  }
}

void InclusionSolver::expand(FactId fact) {
  const auto [node, place] = facts_[fact.index()];
  // Edges and rules that are added on the way replay all expanded facts, and
  // this one counts as expanded.
  const std::size_t edges = nodes_[node.index()].edges.size();
  for (std::size_t i = 0; i < edges; ++i) {
    const Edge edge = nodes_[node.index()].edges[i];
    derive(edge.to, place, {fact, edge.reason});
  }
  const std::size_t rules = nodes_[node.index()].rules.size();
  for (std::size_t i = 0; i < rules; ++i) {
    const Rule rule = nodes_[node.index()].rules[i];
    apply(rule, place);
  }
}

void InclusionSolver::solve(support::Context* context) {
  while (expanded_ < facts_.size()) {
    if (context != nullptr && context->exhausted()) break;
    horn_.propagate([](horn::Clause) { return FactId(); });
    current_ = FactId::at(expanded_++);
    expand(current_);
  }
  current_ = {};
}

std::vector<InclusionSolver::Fact> InclusionSolver::derivation(
    NodeId node, PlaceId place) const {
  std::vector<Fact> result;
  const auto found =
      known_.find(support::pair_key(node.value(), place.value()));
  FactId fact = found == known_.end() ? FactId() : found->second;
  while (fact.valid()) {
    result.push_back(facts_[fact.index()]);
    fact = bodies_[horn_.reason(fact).index()][0];
  }
  return result;
}

}  // namespace agon::analysis
