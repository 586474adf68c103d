// SPDX-License-Identifier: Apache-2.0
#include "ir/cfa.h"

#include <utility>

#include "support/error.h"

// Finishing an automaton takes three linear passes. Edges that can never be
// taken go first, since they decide which locations have one edge only. Then
// every location that only passes control on is represented by the place where
// control stops being passed on; a cycle of such locations is an empty endless
// loop and keeps one of them, with an edge to itself. Last, a depth-first
// search numbers what can still be reached, and edges follow their locations.

namespace agon::ir {
namespace {

const Assume* as_assume(const Edge& edge) {
  return std::get_if<Assume>(&edge.statement);
}

bool is_never_taken(const Edge& edge) {
  const Assume* const assume = as_assume(edge);
  return assume != nullptr && assume->condition.is_false();
}

bool is_silent(const Edge& edge) {
  const Assume* const assume = as_assume(edge);
  return assume != nullptr && assume->condition.is_true();
}

/// The edges of each location, in the order of `edges`.
struct Index {
  std::vector<std::uint32_t> first;
  std::vector<EdgeId> edges;

  std::span<const EdgeId> of(LocationId location) const {
    const std::uint32_t begin = first[location.index()];
    return std::span(edges).subspan(begin, first[location.index() + 1] - begin);
  }
};

Index index_edges(std::size_t num_locations, std::span<const Edge> edges) {
  Index index;
  index.first.assign(num_locations + 1, 0);
  for (const Edge& edge : edges) ++index.first[edge.from.index() + 1];
  for (std::size_t i = 0; i < num_locations; ++i) {
    index.first[i + 1] += index.first[i];
  }
  std::vector<std::uint32_t> next(index.first.begin(), index.first.end() - 1);
  index.edges.resize(edges.size());
  for (std::size_t i = 0; i < edges.size(); ++i) {
    index.edges[next[edges[i].from.index()]++] = EdgeId::at(i);
  }
  return index;
}

/// For each location the one that stands for it.
std::vector<LocationId> representatives(std::span<const Edge> edges,
                                        const Index& index, LocationId exit) {
  const std::size_t size = index.first.size() - 1;
  // The location that control passes on to, if nothing else happens.
  const auto passes_on = [&](LocationId location) {
    const auto out = index.of(location);
    if (location == exit || out.size() != 1) return LocationId();
    const Edge& edge = edges[out[0].index()];
    return is_silent(edge) ? edge.to : LocationId();
  };
  std::vector<LocationId> result(size);
  std::vector<bool> on_chain(size, false);
  std::vector<LocationId> chain;
  for (std::size_t i = 0; i < size; ++i) {
    LocationId last = LocationId::at(i);
    while (!result[last.index()].valid() && !on_chain[last.index()]) {
      on_chain[last.index()] = true;
      chain.push_back(last);
      const LocationId next = passes_on(last);
      if (next.valid()) last = next;
    }
    const LocationId known = result[last.index()];
    const LocationId representative = known.valid() ? known : last;
    for (const LocationId location : chain) {
      result[location.index()] = representative;
    }
    chain.clear();
  }
  return result;
}

/// Numbers in depth-first order, the first edge of a location first.
std::vector<LocationId> number(std::span<const Edge> edges, const Index& index,
                               LocationId entry, std::size_t& count) {
  struct Visit {
    LocationId location;
    std::uint32_t next_edge;
  };
  std::vector<LocationId> numbers(index.first.size() - 1);
  std::vector<Visit> stack;
  const auto enter = [&](LocationId location) {
    if (numbers[location.index()].valid()) return;
    numbers[location.index()] = LocationId::at(count++);
    stack.push_back({location, 0});
  };
  enter(entry);
  while (!stack.empty()) {
    Visit& visit = stack.back();
    const auto out = index.of(visit.location);
    if (visit.next_edge == out.size()) {
      stack.pop_back();
    } else {
      enter(edges[out[visit.next_edge++].index()].to);
    }
  }
  return numbers;
}

/// Drops edges, and what was noted beside them.
template <class Unwanted>
void drop(std::vector<Edge>& edges, std::vector<EdgeId>& beside,
          const Unwanted& unwanted) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (unwanted(edges[i])) continue;
    if (kept != i) edges[kept] = std::move(edges[i]);
    beside[kept++] = beside[i];
  }
  edges.resize(kept);
  beside.resize(kept);
}

}  // namespace

Cfa Cfa::without_edges() const {
  Cfa result;
  for (std::size_t i = 0; i < num_locations(); ++i) result.add_location();
  result.set_entry(entry());
  result.set_exit(exit());
  return result;
}

LocationId Cfa::add_location() { return LocationId::at(num_locations_++); }

EdgeId Cfa::add_edge(Edge edge) {
  AGON_ASSERT(edge.from.index() < num_locations_);
  AGON_ASSERT(edge.to.index() < num_locations_);
  edges_.push_back(std::move(edge));
  return EdgeId::at(edges_.size() - 1);
}

std::vector<EdgeId> Cfa::finish() {
  if (!entry_.valid()) {
    AGON_ASSERT(num_locations_ == 0);
    first_out_.assign(1, 0);
    return {};
  }
  std::vector<EdgeId> added(edges_.size());
  for (std::size_t i = 0; i < added.size(); ++i) added[i] = EdgeId::at(i);
  drop(edges_, added, is_never_taken);
  const Index before = index_edges(num_locations_, edges_);
  const auto stands_for = representatives(edges_, before, exit_);
  drop(edges_, added, [&](const Edge& edge) {
    return stands_for[edge.from.index()] != edge.from;
  });
  for (Edge& edge : edges_) edge.to = stands_for[edge.to.index()];

  const Index index = index_edges(num_locations_, edges_);
  std::size_t count = 0;
  auto numbers = number(edges_, index, stands_for[entry_.index()], count);
  if (exit_.valid() && !numbers[exit_.index()].valid()) {
    numbers[exit_.index()] = LocationId::at(count++);
  }
  entry_ = numbers[stands_for[entry_.index()].index()];
  if (exit_.valid()) exit_ = numbers[exit_.index()];
  drop(edges_, added, [&](const Edge& edge) {
    return !numbers[edge.from.index()].valid() ||
           !numbers[edge.to.index()].valid();
  });
  for (Edge& edge : edges_) {
    edge.from = numbers[edge.from.index()];
    edge.to = numbers[edge.to.index()];
  }
  num_locations_ = count;
  sort_edges(added);
  return added;
}

void Cfa::finish_unchanged() {
  std::vector<EdgeId> added(edges_.size());
  sort_edges(added);
}

void Cfa::sort_edges(std::vector<EdgeId>& added) {
  Index index = index_edges(num_locations_, edges_);
  std::vector<Edge> sorted;
  std::vector<EdgeId> sorted_added;
  sorted.reserve(edges_.size());
  sorted_added.reserve(edges_.size());
  for (EdgeId& id : index.edges) {
    sorted.push_back(std::move(edges_[id.index()]));
    sorted_added.push_back(added[id.index()]);
    id = EdgeId::at(sorted.size() - 1);
  }
  edges_ = std::move(sorted);
  added = std::move(sorted_added);
  first_out_ = std::move(index.first);
  out_ = std::move(index.edges);
}

std::span<const EdgeId> Cfa::out_edges(LocationId location) const {
  AGON_ASSERT(location.index() + 1 < first_out_.size());
  const std::uint32_t begin = first_out_[location.index()];
  return std::span(out_).subspan(begin,
                                 first_out_[location.index() + 1] - begin);
}

}  // namespace agon::ir
