// SPDX-License-Identifier: Apache-2.0
#include "analysis/points_to_solver.h"

#include <tsl/robin_map.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "support/error.h"
#include "support/sort_unique.h"

// Only what a set has gained is passed on, as in Pearce, Kelly, Hankin: Online
// cycle detection and difference propagation for pointer analysis (2003). Sets
// are taken up in an order in which inclusions lead forward as far as is known.
// Components are looked for whenever the work since the last time has cost as
// much as looking for them does, so this at most doubles the time.

namespace agon::analysis {
namespace {

constexpr auto kNoNumber = std::numeric_limits<std::uint32_t>::max();

}  // namespace

NodeId InclusionSolver::add_node() {
  const NodeId node = NodeId::at(nodes_.size());
  nodes_.emplace_back();
  parent_.push_back(node);
  order_.push_back(0);
  return node;
}

NodeId InclusionSolver::find(NodeId node) const {
  while (parent_[node.index()] != node) {
    parent_[node.index()] = parent_[parent_[node.index()].index()];
    node = parent_[node.index()];
  }
  return node;
}

std::size_t InclusionSolver::num_facts() const {
  std::size_t result = 0;
  for (const Node& node : nodes_) result += node.places.size();
  return result;
}

std::uint32_t InclusionSolver::set_number(NodeId node) {
  node = find(node);
  numbers_.resize(nodes_.size(), kNoNumber);
  std::uint32_t& number = numbers_[node.index()];
  if (number != kNoNumber) return number;
  const PlaceSet& set = nodes_[node.index()].places;
  const auto next = static_cast<std::uint32_t>(set_numbers_.size()) + 1;
  number = set.empty() ? 0 : set_numbers_.try_emplace(set, next).first->second;
  return number;
}

void InclusionSolver::enqueue(NodeId node) {
  if (nodes_[node.index()].is_queued) return;
  nodes_[node.index()].is_queued = true;
  queue_.emplace(order_[node.index()], node);
}

void InclusionSolver::add(NodeId node, PlaceId place) {
  node = find(node);
  Node& data = nodes_[node.index()];
  if (!data.places.insert(place.value())) return;
  data.fresh.insert(place.value());
  origins_.push_back({{node, place}, current_});
  enqueue(node);
}

void InclusionSolver::gain(NodeId node, const PlaceSet& places) {
  Node& data = nodes_[node.index()];
  work_ += places.num_words() + 1;
  const PlaceSet added = data.places.merge(places);
  if (added.empty()) return;
  data.fresh.merge(added);
  enqueue(node);
}

void InclusionSolver::include(NodeId from, NodeId to) {
  from = find(from);
  to = find(to);
  if (from == to) return;
  const auto key = support::pair_key(from.value(), to.value());
  if (!edges_.insert(key).second) return;
  nodes_[from.index()].edges.push_back(to);
  has_new_edges_ = true;
  if (!nodes_[from.index()].places.empty()) {
    gain(to, nodes_[from.index()].places);
  }
}

void InclusionSolver::add_rule(NodeId node, Rule rule) {
  node = find(node);
  nodes_[node.index()].rules.push_back(rule);
  if (nodes_[node.index()].places.empty()) return;
  // What is fresh will find the rule.
  PlaceSet present = nodes_[node.index()].places;
  present.remove(nodes_[node.index()].fresh);
  apply_to(rule, node, present);
}

void InclusionSolver::apply_to(const Rule& rule, NodeId node,
                               const PlaceSet& places) {
  const Fact before = current_;
  places.for_each([&](std::uint32_t place) {
    current_ = {node, PlaceId(place)};
    ++work_;
    apply(rule, PlaceId(place));
  });
  current_ = before;
}

void InclusionSolver::expand(NodeId node) {
  nodes_[node.index()].is_queued = false;
  const PlaceSet fresh = std::exchange(nodes_[node.index()].fresh, {});
  if (fresh.empty()) return;
  // Edges and rules that come meanwhile see what was fresh by themselves.
  const std::size_t edges = nodes_[node.index()].edges.size();
  const std::size_t rules = nodes_[node.index()].rules.size();
  for (std::size_t i = 0; i < edges; ++i) {
    const NodeId to = find(nodes_[node.index()].edges[i]);
    if (to != node) gain(to, fresh);
  }
  for (std::size_t i = 0; i < rules; ++i) {
    const Rule rule = nodes_[node.index()].rules[i];
    apply_to(rule, node, fresh);
  }
}

void InclusionSolver::solve(support::Context* context) {
  while (!queue_.empty()) {
    if (context != nullptr && context->exhausted()) break;
    if (has_new_edges_ && work_ > nodes_.size() + edges_.size()) collapse();
    const NodeId node = queue_.top().second;
    queue_.pop();
    if (find(node) == node) expand(node);
  }
}

/// Makes one node of every strong component, and orders the nodes.
void InclusionSolver::collapse() {
  std::vector<Digraph::Arc> arcs;
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    for (const NodeId to : nodes_[i].edges) {
      arcs.emplace_back(i, find(to).value());
    }
  }
  const StrongComponents components =
      strong_components(Digraph(nodes_.size(), arcs));
  std::vector<NodeId> first(components.count);
  std::vector<NodeId> merged;
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    const NodeId node(i);
    if (parent_[i] != node) continue;
    NodeId& into = first[components.of[i]];
    order_[i] = components.count - components.of[i];
    if (!into.valid()) {
      into = node;
      continue;
    }
    if (merged.empty() || merged.back() != into) merged.push_back(into);
    merge(node, into);
  }
  support::sort_unique(merged);
  if (!merged.empty()) {
    edges_.clear();
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      tidy(NodeId(i));
    }
  }
  queue_ = {};
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    nodes_[i].is_queued = false;
    if (!nodes_[i].fresh.empty()) enqueue(NodeId(i));
  }
  work_ = 0;
  has_new_edges_ = false;
}

/// What only one of both has is fresh to the edges and rules of the other.
void InclusionSolver::merge(NodeId node, NodeId into) {
  Node& to = nodes_[into.index()];
  Node from = std::exchange(nodes_[node.index()], {});
  parent_[node.index()] = into;
  PlaceSet only_to = to.places;
  only_to.remove(from.places);
  to.fresh.merge(only_to);
  to.fresh.merge(from.fresh);
  to.fresh.merge(to.places.merge(from.places));
  to.edges.insert(to.edges.end(), from.edges.begin(), from.edges.end());
  to.rules.insert(to.rules.end(), from.rules.begin(), from.rules.end());
}

/// Leaves each edge and each rule once, between nodes that still are.
void InclusionSolver::tidy(NodeId node) {
  Node& data = nodes_[node.index()];
  for (NodeId& to : data.edges) to = find(to);
  support::sort_unique(data.edges);
  std::erase(data.edges, node);
  for (const NodeId to : data.edges) {
    edges_.insert(support::pair_key(node.value(), to.value()));
  }
  for (Rule& rule : data.rules) {
    if (rule.node.valid()) rule.node = find(rule.node);
  }
  support::sort_unique(data.rules);
}

/// Follows inclusions back to where the place first was, and from there to the
/// place that it came from. Origins only get older on the way, so this ends.
std::vector<InclusionSolver::Fact> InclusionSolver::derivation(
    NodeId node, PlaceId place) const {
  std::vector<Digraph::Arc> arcs;
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    for (const NodeId to : nodes_[i].edges) {
      arcs.emplace_back(find(to).value(), i);
    }
  }
  const Digraph backward(nodes_.size(), arcs);
  std::vector<Fact> result;
  std::size_t last = origins_.size();
  while (node.valid() && places(node).contains(place.value())) {
    last = trace_back(backward, {find(node), place}, last, result);
    node = origins_[last].because.node;
    place = origins_[last].because.place;
  }
  return result;
}

/// A shortest way back to a set that the place was put into before the origin
/// numbered `last`.
std::size_t InclusionSolver::trace_back(const Digraph& backward, Fact fact,
                                        std::size_t last,
                                        std::vector<Fact>& result) const {
  tsl::robin_map<std::uint32_t, std::size_t> origin_at;
  for (std::size_t i = 0; i < last; ++i) {
    const Fact& put = origins_[i].fact;
    if (put.place == fact.place) origin_at[find(put.node).value()] = i;
  }
  std::vector<NodeId> queue{fact.node};
  tsl::robin_map<std::uint32_t, NodeId> next{{fact.node.value(), NodeId()}};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const auto origin = origin_at.find(queue[i].value());
    if (origin != origin_at.end()) {
      const std::size_t start = result.size();
      for (NodeId at = queue[i]; at.valid(); at = next.at(at.value())) {
        result.push_back({at, fact.place});
      }
      std::reverse(result.begin() + static_cast<std::ptrdiff_t>(start),
                   result.end());
      return origin->second;
    }
    for (const std::uint32_t before : backward.successors(queue[i].value())) {
      if (next.try_emplace(before, queue[i]).second) {
        queue.emplace_back(before);
      }
    }
  }
  AGON_ASSERT(false);
  return last;
}

}  // namespace agon::analysis
