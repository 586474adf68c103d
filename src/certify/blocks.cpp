// SPDX-License-Identifier: Apache-2.0
#include "certify/blocks.h"

#include <map>
#include <set>
#include <utility>

#include "certify/rejected.h"

namespace agon::certify {

using ir::EdgeId;
using ir::LocationId;
using term::Term;

/// A hostile certificate could keep the checker busy for ever.
constexpr std::size_t kMostSteps = 200'000;

Blocks::Blocks(const ir::Program& program, ir::FunctionId function,
               std::vector<bool> listed, std::uint32_t rounds)
    : program_(program),
      body_(program[function].body),
      listed_(std::move(listed)),
      rounds_(rounds),
      order_(body_) {}

std::string Blocks::label(EdgeId edge) const {
  const auto* call = std::get_if<ir::Call>(&body_.edge(edge).statement);
  return call != nullptr ? program_[call->callee].display : "tau";
}

bool Blocks::ends_block(EdgeId edge) const {
  return is_listed(body_.edge(edge).to) ||
         std::holds_alternative<ir::Call>(body_.edge(edge).statement);
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

// Whatever the order is in which locations are passed, all paths are followed
// to an exit. In a good one they meet soon. Each round of a loop may pass those
// inside of it anew.
std::vector<Exit> Blocks::run(LocationId start,
                              const term::Substitution& values) {
  const ir::LoopOrder::Part part =
      order_.from(start, [&](EdgeId edge) { return ends_block(edge); });
  ir::Agenda agenda(part, body_.num_locations());
  std::vector<std::uint32_t> passed(body_.num_locations());
  std::map<LocationId, std::vector<Arrival>> arrived;
  arrived[start].push_back({program_.pool->boolean(true), values});
  std::vector<Exit> exits;
  for (std::size_t steps = 0; !agenda.empty(); ++steps) {
    if (steps == kMostSteps) throw Rejected("loops have too many rounds");
    const LocationId location = agenda.take();
    auto here = arrived.extract(location);
    const std::uint32_t round = passed[location.index()] + 1;
    for (const LocationId l : order_.loop(location)) passed[l.index()] = 0;
    passed[location.index()] = round;
    const Arrival at = merge(std::move(here.mapped()));
    for (const EdgeId edge : body_.out_edges(location)) {
      Arrival next = step(at, edge);
      if (next.when.is_false()) continue;
      const LocationId to = body_.edge(edge).to;
      if (ends_block(edge) || passed[to.index()] >= rounds_) {
        exits.push_back({edge, next.when, std::move(next.values)});
      } else {
        arrived[to].push_back(std::move(next));
        agenda.add(location, to);
      }
    }
  }
  return exits;
}

}  // namespace agon::certify
