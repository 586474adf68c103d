// SPDX-License-Identifier: Apache-2.0
// A depth-first search numbers locations in the reverse of the order in which
// it is done with them, so what it looks at first comes last. It looks first at
// edges that leave loops: then all that follows a loop is behind it.
#include "ir/loop_order.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>
#include <utility>

namespace agon::ir {
namespace {

using Edges = std::vector<std::vector<EdgeId>>;  // By location.

/// Locations in reverse of the order in which they are done. `on_back` gets the
/// edges to locations that are not done yet.
template <class Ends, class OnBack>
std::vector<LocationId> search(const Edges& out,
                               const std::vector<LocationId>& targets,
                               LocationId start, const Ends& ends,
                               const OnBack& on_back) {
  enum class Mark : std::uint8_t { New, Open, Done };
  std::vector<Mark> marks(out.size(), Mark::New);
  std::vector<LocationId> done;
  std::vector<std::pair<LocationId, std::size_t>> stack{{start, 0}};
  marks[start.index()] = Mark::Open;
  while (!stack.empty()) {
    auto& [location, next] = stack.back();
    if (next == out[location.index()].size()) {
      marks[location.index()] = Mark::Done;
      done.push_back(location);
      stack.pop_back();
      continue;
    }
    const EdgeId edge = out[location.index()][next++];
    if (ends(edge)) continue;
    const LocationId to = targets[edge.index()];
    if (marks[to.index()] == Mark::Open) on_back(edge);
    if (marks[to.index()] != Mark::New) continue;
    marks[to.index()] = Mark::Open;
    stack.emplace_back(to, 0);
  }
  std::ranges::reverse(done);
  return done;
}

/// The locations that lead to one of the last without passing the head.
std::vector<LocationId> loop_of(
    LocationId head, std::vector<LocationId> last,
    const std::vector<std::vector<LocationId>>& before) {
  std::set<LocationId> inside{head};
  while (!last.empty()) {
    const LocationId location = last.back();
    last.pop_back();
    if (!inside.insert(location).second) continue;
    const auto& more = before[location.index()];
    last.insert(last.end(), more.begin(), more.end());
  }
  return {inside.begin(), inside.end()};
}

template <class Ends>
LoopOrder::Part part_from(const Edges& out,
                          const std::vector<LocationId>& targets,
                          LocationId start, const Ends& ends) {
  LoopOrder::Part result;
  std::vector<EdgeId> back;
  result.locations = search(out, targets, start, ends,
                            [&](EdgeId edge) { back.push_back(edge); });
  std::vector<std::vector<LocationId>> before(out.size());
  for (const LocationId location : result.locations) {
    for (const EdgeId edge : out[location.index()]) {
      if (ends(edge)) continue;
      const LocationId to = targets[edge.index()];
      before[to.index()].push_back(location);
      if (std::ranges::count(back, edge) > 0) {
        result.loops[to].push_back(location);
      }
    }
  }
  for (auto& [head, locations] : result.loops) {
    locations = loop_of(head, std::move(locations), before);
  }
  return result;
}

}  // namespace

LoopOrder::LoopOrder(const Cfa& body) {
  for (const Edge& edge : body.edges()) targets_.push_back(edge.to);
  for (std::size_t i = 0; i < body.num_locations(); ++i) {
    const auto out = body.out_edges(LocationId::at(i));
    out_.emplace_back(out.begin(), out.end());
  }
  loops_ = part_from(out_, targets_, body.entry(), [](EdgeId) {
             return false;
           }).loops;
  std::vector<std::vector<LocationId>> heads(out_.size());  // Of loops around.
  for (const auto& [head, locations] : loops_) {
    for (const LocationId location : locations) {
      heads[location.index()].push_back(head);
    }
  }
  const auto num_left = [&](EdgeId id) {
    const auto& from = heads[body.edge(id).from.index()];
    std::vector<LocationId> left;
    std::ranges::set_difference(from, heads[body.edge(id).to.index()],
                                std::back_inserter(left));
    return left.size();
  };
  for (std::vector<EdgeId>& out : out_) {
    std::ranges::stable_sort(out, std::ranges::greater(), num_left);
  }
}

LoopOrder::Part LoopOrder::from(LocationId start,
                                const std::function<bool(EdgeId)>& ends) const {
  return part_from(out_, targets_, start, ends);
}

std::span<const LocationId> LoopOrder::loop(LocationId head) const {
  const auto found = loops_.find(head);
  return found == loops_.end() ? std::span<const LocationId>()
                               : std::span<const LocationId>(found->second);
}

Agenda::Agenda(const LoopOrder::Part& part, std::size_t num_locations)
    : locations_(part.locations), number_(num_locations), open_{0} {
  for (std::size_t i = 0; i < locations_.size(); ++i) {
    number_[locations_[i].index()] = i;
  }
  for (const auto& [head, loop] : part.loops) {
    std::set<std::size_t>& inside = inside_[number_[head.index()]];
    for (const LocationId each : loop) inside.insert(number_[each.index()]);
    inside.erase(number_[head.index()]);
  }
}

void Agenda::add(LocationId from, LocationId to) {
  const std::size_t number = number_[to.index()];
  (number > number_[from.index()] ? open_ : again_).insert(number);
}

LocationId Agenda::take() {
  const auto is_done = [&](std::size_t head) {
    return std::ranges::none_of(open_, [&](std::size_t each) {
      return inside_.at(head).contains(each);
    });
  };
  const auto innermost =
      std::ranges::find_if(again_.rbegin(), again_.rend(), is_done);
  const std::size_t next =
      innermost != again_.rend() ? *innermost : *open_.begin();
  open_.erase(next);
  again_.erase(next);
  return locations_[next];
}

}  // namespace agon::ir
