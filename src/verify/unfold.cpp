// SPDX-License-Identifier: Apache-2.0
// A location of a loop becomes one for each combination of values that the
// loop's counters have there, and branches that these values decide are gone.
// If no cycle is left, then the loop was one that counts. What is written out
// are ways through the function that were there before, so nothing is added;
// and a branch is left out only if its condition is false, so nothing is lost.
//
// Counters are variables on which leaving a loop depends and which are computed
// from counters and constants alone. Outer loops come first, with those inside;
// where one cannot be written out, those are tried.
#include "verify/unfold.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "abstraction/liveness.h"
#include "analysis/digraph.h"
#include "analysis/known_values.h"
#include "analysis/statements.h"
#include "support/broken.h"
#include "term/substitute.h"

namespace agon::verify {
namespace {

using analysis::Digraph;
using analysis::Node;
using ir::EdgeId;
using ir::LocationId;
using term::Term;

using Locations = std::vector<LocationId>;

/// A location with what counters hold there; invalid: not known.
using Key = std::pair<LocationId, std::vector<Term>>;

constexpr std::size_t kNone = ~std::size_t{0};

/// A loop that was written out. Copies are numbered from 0.
struct Rounds {
  struct Way {
    std::size_t from = 0;
    EdgeId id;       ///< What it was.
    ir::Edge edge;   ///< With what is known put in.
    std::size_t to;  ///< kNone if it leaves the loop.
  };
  std::vector<Term> counters;
  std::map<Key, std::size_t> copies;
  std::vector<Way> ways;
  std::map<EdgeId, std::size_t> entries;  ///< By the edge that leads there.
  std::size_t start = 0;  ///< If the function begins in the loop.
};

class Unfolding {
 public:
  Unfolding(const ir::Program& program, ir::FunctionId function,
            std::size_t most)
      : program_(program),
        body_(program[function].body),
        most_(most),
        known_(program, function, {}),
        liveness_(program, body_),
        component_(body_.num_locations(), kNone),
        ends_soon_(find_ends()) {}

  /// Whether anything was written out.
  bool run() {
    Locations all;
    for (std::size_t l = 0; l < body_.num_locations(); ++l) {
      all.push_back(LocationId::at(l));
    }
    std::vector<Locations> open = loops_in(all);
    while (!open.empty()) {
      const Locations loop = std::move(open.back());
      open.pop_back();
      if (write_out(loop)) continue;
      std::ranges::move(loops_in(without_entries(loop)),
                        std::back_inserter(open));
    }
    return !unfolded_.empty();
  }

  /// The body with all that was written out, to be finished.
  ir::Cfa result() const;
  /// What each of its locations is.
  std::vector<Copy> copies() const;

 private:
  Locations without_entries(const Locations& loop) const;
  std::vector<Locations> loops_in(const Locations& locations) const;
  std::vector<bool> find_ends() const;
  bool write_out(const Locations& loop);
  std::vector<EdgeId> entries_of(const std::set<LocationId>& loop) const;
  void add_conditions(const Locations& loop, std::set<Term>& variables) const;
  std::set<Term> computable(const Locations& loop) const;
  std::vector<Term> counters_of(const Locations& loop) const;
  Term value_after(const ir::Edge& edge, Term variable) const;
  bool add_rounds(const std::set<LocationId>& loop,
                  const std::vector<Term>& counters, Rounds& rounds) const;
  std::size_t copy(LocationId location, std::vector<Term> values,
                   const std::vector<Term>& counters, Rounds& rounds,
                   std::vector<Key>& open) const;
  std::vector<Term> after(const ir::Statement& statement,
                          std::vector<Term> values,
                          const std::vector<Term>& counters) const;
  void add_ways(const Key& key, const std::set<LocationId>& loop,
                const std::vector<Term>& counters, Rounds& rounds,
                std::vector<Key>& open) const;

  const ir::Program& program_;
  const ir::Cfa& body_;
  std::size_t most_;  // Copies that may still be made.
  analysis::KnownValues known_;
  abstraction::Liveness liveness_;
  std::vector<Rounds> unfolded_;
  std::set<Term> counted_;              // All counters of what was written out.
  std::vector<std::size_t> component_;  // By location, into `unfolded_`.
  std::vector<bool> ends_soon_;         // By location.
};

/// The loops among some locations that are not part of a larger one there.
std::vector<Locations> Unfolding::loops_in(const Locations& locations) const {
  const std::set<LocationId> inside(locations.begin(), locations.end());
  std::vector<Digraph::Arc> arcs;
  std::set<LocationId> own;
  for (const LocationId location : locations) {
    for (const EdgeId id : body_.out_edges(location)) {
      const LocationId to = body_.edge(id).to;
      if (!inside.contains(to)) continue;
      arcs.emplace_back(location.value(), to.value());
      if (to == location) own.insert(location);
    }
  }
  const auto found =
      analysis::strong_components(Digraph(body_.num_locations(), arcs));
  std::map<std::uint32_t, Locations> parts;
  for (const LocationId location : locations) {
    parts[found.of[location.index()]].push_back(location);
  }
  std::vector<Locations> result;
  for (auto& [number, part] : parts) {
    if (part.size() == 1 && !own.contains(part.front())) continue;
    result.push_back(std::move(part));
  }
  return result;
}

std::vector<EdgeId> Unfolding::entries_of(
    const std::set<LocationId>& loop) const {
  std::vector<EdgeId> result;
  for (std::size_t i = 0; i < body_.edges().size(); ++i) {
    const ir::Edge& edge = body_.edges()[i];
    if (!loop.contains(edge.from) && loop.contains(edge.to)) {
      result.push_back(EdgeId::at(i));
    }
  }
  return result;
}

Locations Unfolding::without_entries(const Locations& loop) const {
  const std::set<LocationId> inside(loop.begin(), loop.end());
  std::set<LocationId> entered{body_.entry()};
  for (const EdgeId id : entries_of(inside)) entered.insert(body_.edge(id).to);
  Locations result;
  for (const LocationId location : loop) {
    if (!entered.contains(location)) result.push_back(location);
  }
  return result;
}

/// Where execution neither gets to the end of the function nor goes round any
/// more: behind an error.
std::vector<bool> Unfolding::find_ends() const {
  std::vector<Digraph::Arc> back;
  for (const ir::Edge& edge : body_.edges()) {
    back.emplace_back(edge.to.value(), edge.from.value());
  }
  std::vector<Node> going_on;
  if (body_.exit().valid()) going_on.push_back(body_.exit().value());
  Locations all;
  for (std::size_t l = 0; l < body_.num_locations(); ++l) {
    all.push_back(LocationId::at(l));
  }
  for (const Locations& loop : loops_in(all)) {
    going_on.push_back(loop.front().value());
  }
  std::vector<bool> result =
      analysis::reachable_from(Digraph(body_.num_locations(), back), going_on);
  result.flip();
  return result;
}

/// The variables on which it depends whether this loop and those inside of it
/// are left.
void Unfolding::add_conditions(const Locations& loop,
                               std::set<Term>& variables) const {
  std::vector<Locations> open{loop};
  while (!open.empty()) {
    const Locations part = std::move(open.back());
    open.pop_back();
    const std::set<LocationId> inside(part.begin(), part.end());
    for (const LocationId location : part) {
      for (const EdgeId id : body_.out_edges(location)) {
        const ir::Edge& edge = body_.edge(id);
        if (inside.contains(edge.to) || ends_soon_[edge.to.index()]) continue;
        analysis::for_each_term(edge.statement, [&](Term term) {
          for (const Term v : term::variables_of(term)) variables.insert(v);
        });
      }
    }
    std::ranges::move(loops_in(without_entries(part)),
                      std::back_inserter(open));
  }
}

/// The variables that get nothing in the loop but what is computed from such
/// variables.
std::set<Term> Unfolding::computable(const Locations& loop) const {
  std::set<Term> result;
  std::vector<std::pair<Term, std::vector<Term>>> from;
  for (const ir::Variable& variable : program_.variables) {
    if (variable.term.sort().is_bits()) result.insert(variable.term);
  }
  for (const LocationId location : loop) {
    for (const EdgeId id : body_.out_edges(location)) {
      const ir::Statement& statement = body_.edge(id).statement;
      if (const auto* assign = std::get_if<ir::Assign>(&statement)) {
        from.emplace_back(program_[assign->target].term,
                          term::variables_of(assign->value));
        continue;
      }
      analysis::for_each_target(statement, [&](ir::VariableId target) {
        result.erase(program_[target].term);
      });
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [target, used] : from) {
      const bool can_be =
          std::ranges::all_of(used, [&](Term v) { return result.contains(v); });
      if (!can_be && result.erase(target) > 0) changed = true;
    }
  }
  return result;
}

std::vector<Term> Unfolding::counters_of(const Locations& loop) const {
  std::set<Term> wanted;
  add_conditions(loop, wanted);
  const std::set<Term> possible = computable(loop);
  std::set<Term> result;
  std::ranges::set_intersection(wanted, possible,
                                std::inserter(result, result.end()));
  for (bool changed = true; changed;) {
    changed = false;
    for (const LocationId location : loop) {
      for (const EdgeId id : body_.out_edges(location)) {
        const auto* const assign =
            std::get_if<ir::Assign>(&body_.edge(id).statement);
        if (assign == nullptr ||
            !result.contains(program_[assign->target].term)) {
          continue;
        }
        for (const Term v : term::variables_of(assign->value)) {
          changed |= result.insert(v).second;
        }
      }
    }
  }
  return {result.begin(), result.end()};
}

/// What is known behind an edge into a loop; invalid: nothing.
Term Unfolding::value_after(const ir::Edge& edge, Term variable) const {
  if (!known_.is_reached(edge.from)) return {};
  const auto* const assign = std::get_if<ir::Assign>(&edge.statement);
  const bool is_assigned =
      assign != nullptr && program_[assign->target].term == variable;
  const Term value =
      known_.at(edge.from, is_assigned ? assign->value : variable);
  bool is_changed = false;
  if (!is_assigned) {
    analysis::for_each_target(edge.statement, [&](ir::VariableId target) {
      is_changed |= program_[target].term == variable;
    });
  }
  return value.is_constant() && !is_changed ? value : Term();
}

bool Unfolding::write_out(const Locations& loop) {
  const std::vector<Term> counters = counters_of(loop);
  if (counters.empty()) return false;
  Rounds rounds;
  const std::set<LocationId> inside(loop.begin(), loop.end());
  if (!add_rounds(inside, counters, rounds)) return false;
  most_ -= rounds.copies.size();
  for (const LocationId location : loop) {
    component_[location.index()] = unfolded_.size();
  }
  rounds.counters = counters;
  counted_.insert(counters.begin(), counters.end());
  unfolded_.push_back(std::move(rounds));
  return true;
}

/// False if there are too many, or a cycle is left.
bool Unfolding::add_rounds(const std::set<LocationId>& loop,
                           const std::vector<Term>& counters,
                           Rounds& rounds) const {
  std::vector<Key> open;
  for (const EdgeId id : entries_of(loop)) {
    const ir::Edge& edge = body_.edge(id);
    std::vector<Term> values;
    for (const Term counter : counters) {
      values.push_back(value_after(edge, counter));
    }
    rounds.entries[id] =
        copy(edge.to, std::move(values), counters, rounds, open);
  }
  if (loop.contains(body_.entry())) {
    rounds.start = copy(body_.entry(), std::vector<Term>(counters.size()),
                        counters, rounds, open);
  }
  while (!open.empty()) {
    const Key key = std::move(open.back());
    open.pop_back();
    add_ways(key, loop, counters, rounds, open);
    if (rounds.copies.size() > most_) return false;
  }
  std::vector<Digraph::Arc> arcs;
  for (const Rounds::Way& way : rounds.ways) {
    if (way.to == kNone) continue;
    if (way.from == way.to) return false;
    arcs.emplace_back(static_cast<Node>(way.from), static_cast<Node>(way.to));
  }
  const Digraph graph(rounds.copies.size(), arcs);
  return analysis::strong_components(graph).count == rounds.copies.size();
}

/// The number of a copy. What cannot matter any more makes no difference.
std::size_t Unfolding::copy(LocationId location, std::vector<Term> values,
                            const std::vector<Term>& counters, Rounds& rounds,
                            std::vector<Key>& open) const {
  for (std::size_t i = 0; i < counters.size(); ++i) {
    if (!liveness_.is_live(location, program_.variable_of(counters[i]))) {
      values[i] = Term();
    }
  }
  Key key{location, std::move(values)};
  const auto [at, is_new] =
      rounds.copies.try_emplace(key, rounds.copies.size());
  if (is_new) open.push_back(std::move(key));
  return at->second;
}

/// What counters hold after a statement in which it was put in what they hold
/// before.
std::vector<Term> Unfolding::after(const ir::Statement& statement,
                                   std::vector<Term> values,
                                   const std::vector<Term>& counters) const {
  const auto* const assign = std::get_if<ir::Assign>(&statement);
  analysis::for_each_target(statement, [&](ir::VariableId target) {
    const auto at = std::ranges::find(counters, program_[target].term);
    if (at == counters.end()) return;
    const bool is_known = assign != nullptr && assign->value.is_constant();
    values[static_cast<std::size_t>(at - counters.begin())] =
        is_known ? assign->value : Term();
  });
  return values;
}

void Unfolding::add_ways(const Key& key, const std::set<LocationId>& loop,
                         const std::vector<Term>& counters, Rounds& rounds,
                         std::vector<Key>& open) const {
  term::Substitution known;
  for (std::size_t i = 0; i < counters.size(); ++i) {
    if (key.second[i].valid()) known.emplace(counters[i], key.second[i]);
  }
  const auto put_in = [&](Term term) {
    return known.empty() ? term : term::substitute(*program_.pool, term, known);
  };
  const std::size_t from = rounds.copies.at(key);
  for (const EdgeId id : body_.out_edges(key.first)) {
    Rounds::Way way{from, id, body_.edge(id), kNone};
    way.edge.statement =
        analysis::map_statement(std::move(way.edge.statement), put_in,
                                [](ir::VariableId target) { return target; });
    const auto* const test = std::get_if<ir::Assume>(&way.edge.statement);
    if (test != nullptr && test->condition.is_false()) continue;
    if (support::is_broken("rounds") && from >= 4) continue;
    if (loop.contains(way.edge.to)) {
      way.to =
          copy(way.edge.to, after(way.edge.statement, key.second, counters),
               counters, rounds, open);
    }
    rounds.ways.push_back(std::move(way));
  }
}

ir::Cfa Unfolding::result() const {
  ir::Cfa made;
  Locations kept;
  for (const std::size_t component : component_) {
    kept.push_back(component == kNone ? made.add_location() : LocationId());
  }
  std::vector<Locations> copies;
  for (const Rounds& rounds : unfolded_) {
    copies.emplace_back();
    for (std::size_t i = 0; i < rounds.copies.size(); ++i) {
      copies.back().push_back(made.add_location());
    }
  }
  const auto add = [&](LocationId from, EdgeId id, ir::Edge edge) {
    const std::size_t component = component_[edge.to.index()];
    edge.from = from;
    edge.to = component == kNone
                  ? kept[edge.to.index()]
                  : copies[component][unfolded_[component].entries.at(id)];
    made.add_edge(std::move(edge));
  };
  for (std::size_t i = 0; i < body_.edges().size(); ++i) {
    const ir::Edge& edge = body_.edges()[i];
    const LocationId from = kept[edge.from.index()];
    if (from.valid()) add(from, EdgeId::at(i), edge);
  }
  for (std::size_t c = 0; c < unfolded_.size(); ++c) {
    for (const Rounds::Way& way : unfolded_[c].ways) {
      if (way.to == kNone) {
        add(copies[c][way.from], way.id, way.edge);
        continue;
      }
      ir::Edge edge = way.edge;
      edge.from = copies[c][way.from];
      edge.to = copies[c][way.to];
      made.add_edge(std::move(edge));
    }
  }
  const std::size_t first = component_[body_.entry().index()];
  made.set_entry(first == kNone ? kept[body_.entry().index()]
                                : copies[first][unfolded_[first].start]);
  made.set_exit(kept[body_.exit().index()]);
  return made;
}

std::vector<Copy> Unfolding::copies() const {
  term::Pool& pool = *program_.pool;
  std::vector<Copy> result;
  const auto note = [&](Copy& copy, Term counter, Term value) {
    if (value.valid() && value.is_constant()) {
      copy.known.push_back(pool.equal(counter, value));
    }
  };
  for (std::size_t l = 0; l < body_.num_locations(); ++l) {
    if (component_[l] != kNone) continue;
    Copy& copy = result.emplace_back(LocationId::at(l));
    if (!known_.is_reached(copy.location)) continue;
    for (const Term counter : counted_) {
      note(copy, counter, known_.at(copy.location, counter));
    }
  }
  for (const Rounds& rounds : unfolded_) {
    const std::size_t first = result.size();
    result.resize(first + rounds.copies.size());
    for (const auto& [key, number] : rounds.copies) {
      Copy& copy = result[first + number];
      copy.location = key.first;
      for (std::size_t i = 0; i < rounds.counters.size(); ++i) {
        note(copy, rounds.counters[i], key.second[i]);
      }
    }
  }
  return result;
}

}  // namespace

bool unfold_loops(ir::Program& program, ir::FunctionId function,
                  std::size_t most) {
  Unfolding unfolding(program, function, most);
  if (!unfolding.run()) return false;
  ir::Cfa& body = program.functions[function.index()].body;
  body = unfolding.result();
  body.finish();
  return true;
}

std::optional<std::vector<Copy>> write_out_loops(ir::Program& program,
                                                 ir::FunctionId function,
                                                 std::size_t most) {
  Unfolding unfolding(program, function, most);
  if (!unfolding.run()) return std::nullopt;
  std::vector<Copy> copies = unfolding.copies();
  ir::Cfa& body = program.functions[function.index()].body;
  body = unfolding.result();
  body.finish_unchanged();
  return copies;
}

}  // namespace agon::verify
