// SPDX-License-Identifier: Apache-2.0
#include "certify/blocks.h"

#include <algorithm>
#include <set>
#include <utility>

namespace agon::certify {

using ir::EdgeId;
using ir::LocationId;
using term::Term;

Blocks::Blocks(const ir::Program& program, ir::FunctionId function,
               std::vector<bool> listed)
    : program_(program),
      body_(program[function].body),
      listed_(std::move(listed)) {}

std::string Blocks::label(EdgeId edge) const {
  const auto* call = std::get_if<ir::Call>(&body_.edge(edge).statement);
  return call != nullptr ? program_[call->callee].display : "tau";
}

bool Blocks::ends_block(EdgeId edge) const {
  return is_listed(body_.edge(edge).to) ||
         std::holds_alternative<ir::Call>(body_.edge(edge).statement);
}

/// The locations of a block, so that edges other than back edges go forward.
std::vector<LocationId> Blocks::order(LocationId start) const {
  std::vector<LocationId> finished;
  std::vector<bool> seen(body_.num_locations());
  std::vector<std::pair<LocationId, std::size_t>> stack{{start, 0}};
  seen[start.index()] = true;
  while (!stack.empty()) {
    auto& [location, next] = stack.back();
    const auto out = body_.out_edges(location);
    if (next == out.size()) {
      finished.push_back(location);
      stack.pop_back();
      continue;
    }
    const EdgeId edge = out[next++];
    const LocationId to = body_.edge(edge).to;
    if (ends_block(edge) || seen[to.index()]) continue;
    seen[to.index()] = true;
    stack.emplace_back(to, 0);
  }
  std::ranges::reverse(finished);
  return finished;
}

/// Any of the arrivals: which one is a choice of its own, so that nothing rests
/// on their conditions being exclusive.
Blocks::Arrival Blocks::merge(std::vector<Arrival> arrivals) {
  term::Pool& pool = *program_.pool;
  Arrival result = std::move(arrivals.back());
  for (arrivals.pop_back(); !arrivals.empty(); arrivals.pop_back()) {
    const Arrival& other = arrivals.back();
    const Term choice = pool.fresh("path", term::Sort::boolean());
    result.when = pool.ite(choice, other.when, result.when);
    std::set<Term> changed;
    for (const auto& [variable, value] : other.values) changed.insert(variable);
    for (const auto& [variable, value] : result.values) {
      changed.insert(variable);
    }
    for (const Term variable : changed) {
      const auto there = other.values.find(variable);
      const Term value = there == other.values.end() ? variable : there->second;
      Term& here = result.values.try_emplace(variable, variable).first->second;
      if (here != value) here = pool.ite(choice, value, here);
    }
  }
  return result;
}

Blocks::Arrival Blocks::step(const Arrival& at, EdgeId edge) {
  term::Pool& pool = *program_.pool;
  Arrival next = at;
  const ir::Statement& statement = body_.edge(edge).statement;
  if (const auto* assign = std::get_if<ir::Assign>(&statement)) {
    next.values[program_[assign->target].term] =
        term::substitute(pool, assign->value, at.values);
  } else if (const auto* havoc = std::get_if<ir::Havoc>(&statement)) {
    const Term target = program_[havoc->target].term;
    next.values[target] = pool.fresh("any", target.sort());
  } else if (const auto* test = std::get_if<ir::Assume>(&statement)) {
    next.when = pool.conjunction(
        {at.when, term::substitute(pool, test->condition, at.values)});
  }
  return next;
}

std::vector<Exit> Blocks::run(LocationId start,
                              const term::Substitution& values) {
  term::Pool& pool = *program_.pool;
  const std::vector<LocationId> locations = order(start);
  std::vector<bool> is_passed(body_.num_locations());
  std::vector<std::vector<Arrival>> arrived(body_.num_locations());
  arrived[start.index()].push_back({pool.boolean(true), values});
  std::vector<Exit> exits;
  for (const LocationId location : locations) {
    is_passed[location.index()] = true;
    auto& here = arrived[location.index()];
    if (here.empty()) continue;
    const Arrival at = merge(std::exchange(here, {}));
    for (const EdgeId edge : body_.out_edges(location)) {
      Arrival next = step(at, edge);
      if (next.when.is_false()) continue;
      const LocationId to = body_.edge(edge).to;
      if (ends_block(edge) || is_passed[to.index()]) {
        exits.push_back({edge, next.when, std::move(next.values)});
      } else {
        arrived[to.index()].push_back(std::move(next));
      }
    }
  }
  return exits;
}

}  // namespace agon::certify
