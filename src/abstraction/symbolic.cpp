// SPDX-License-Identifier: Apache-2.0
#include "abstraction/symbolic.h"

#include <algorithm>

#include "support/error.h"

namespace agon::abstraction {

using term::Term;

SymbolicExecution::SymbolicExecution(const Blocks& blocks)
    : blocks_(blocks),
      program_(blocks.program()),
      pool_(*blocks.program().pool),
      liveness_(blocks.program(), blocks.body()),
      rewrite_(blocks.program()),
      arrived_(blocks.body().num_locations()) {}

std::vector<Exit> SymbolicExecution::run(ir::LocationId cut,
                                         const Values& start,
                                         const Choice& choice,
                                         ir::EdgeId only) {
  const Block& block = blocks_.block(cut);
  const ir::Cfa& body = blocks_.body();
  std::vector<bool> wanted;
  if (only.valid()) wanted = leading_to(block, only);
  std::vector<Exit> exits;
  arrived_[cut.index()].push_back({{}, start});
  for (const ir::LocationId location : block.order) {
    std::vector<State> states = std::move(arrived_[location.index()]);
    arrived_[location.index()].clear();
    if (states.empty() || (only.valid() && !wanted[location.index()])) continue;
    const State here = merge(states, 0);
    for (const ir::EdgeId id : body.out_edges(location)) {
      const ir::LocationId to = body.edge(id).to;
      const bool leaves = blocks_.is_cut(to) || blocks_.action(id).valid();
      if (leaves && only.valid() && id != only) continue;
      State next = here;
      if (!step(next, id, choice)) continue;
      keep_live(next.values, to);
      if (leaves) {
        exits.push_back({id, std::move(next.guard), std::move(next.values)});
      } else {
        arrived_[to.index()].push_back(std::move(next));
      }
    }
  }
  return exits;
}

Exit SymbolicExecution::follow(std::span<const ir::EdgeId> path,
                               const Values& start, const Choice& choice) {
  State state{{}, start};
  for (const ir::EdgeId id : path) {
    if (!step(state, id, choice)) {
      state.guard = {pool_.boolean(false)};
      break;
    }
  }
  keep_live(state.values, blocks_.body().edge(path.back()).to);
  return {path.back(), std::move(state.guard), std::move(state.values)};
}

void SymbolicExecution::keep_live(Values& values,
                                  ir::LocationId location) const {
  values.keep_if(
      [&](ir::VariableId v) { return liveness_.is_live(location, v); });
}

/// False if the edge cannot be taken.
bool SymbolicExecution::step(State& state, ir::EdgeId id,
                             const Choice& choice) {
  const ir::Edge& edge = blocks_.body().edge(id);
  if (const auto* assign = std::get_if<ir::Assign>(&edge.statement)) {
    if (liveness_.is_live(edge.to, assign->target)) {
      state.values.set(assign->target, rewrite_(assign->value, state.values));
    }
  } else if (const auto* havoc = std::get_if<ir::Havoc>(&edge.statement)) {
    if (liveness_.is_live(edge.to, havoc->target)) {
      state.values.set(havoc->target, choice(id));
    }
  } else if (const auto* test = std::get_if<ir::Assume>(&edge.statement)) {
    return assume(state, rewrite_(test->condition, state.values));
  }
  return true;
}

bool SymbolicExecution::assume(State& state, Term condition) {
  if (condition.is_true()) return true;
  if (condition.is_false()) return false;
  if (condition.kind() == term::Kind::And) {
    return std::ranges::all_of(condition.operands(),
                               [&](Term part) { return assume(state, part); });
  }
  if (std::ranges::find(state.guard, condition) != state.guard.end()) {
    return true;
  }
  const Term opposite = pool_.negation(condition);
  if (std::ranges::find(state.guard, opposite) != state.guard.end()) {
    return false;
  }
  state.guard.push_back(condition);
  return true;
}

// Guards are read as paths of a tree of conditions. What all states have in
// common stays as it is; below it they are told apart by their next condition.
// If two groups have opposite ones, nothing is left of the distinction, as
// after an if.
SymbolicExecution::State SymbolicExecution::merge(std::span<State> states,
                                                  std::size_t depth) {
  if (states.size() == 1) {
    State result = std::move(states.front());
    result.guard.erase(result.guard.begin(),
                       result.guard.begin() + static_cast<long>(depth));
    return result;
  }
  const std::size_t first = depth;
  const auto agree = [&] {
    return std::ranges::all_of(states, [&](const State& s) {
      return s.guard.size() > depth &&
             s.guard[depth] == states.front().guard[depth];
    });
  };
  while (agree()) ++depth;
  const std::vector<Term> common(
      states.front().guard.begin() + static_cast<long>(first),
      states.front().guard.begin() + static_cast<long>(depth));

  const auto literal = [&](const State& s) {
    return s.guard.size() > depth ? s.guard[depth] : pool_.boolean(true);
  };
  std::stable_sort(
      states.begin(), states.end(),
      [&](const State& a, const State& b) { return literal(a) < literal(b); });
  const bool are_alike = std::ranges::all_of(
      states, [&](const State& s) { return s.guard.size() == depth; });
  if (are_alike) {  // Should not happen; then either may be the one.
    State either = std::move(states.front());
    for (const State& s : states.subspan(1)) {
      either.values = select(pool_.fresh("path", term::Sort::boolean()),
                             either.values, s.values);
    }
    either.guard = common;
    return either;
  }
  State merged;
  for (std::size_t end = states.size(); end > 0;) {
    const Term condition = literal(states[end - 1]);
    std::size_t begin = end;
    while (begin > 0 && literal(states[begin - 1]) == condition) --begin;
    const std::span<State> group = states.subspan(begin, end - begin);
    const bool at_end = group.front().guard.size() <= depth;
    State part = merge(group, at_end ? depth : depth + 1);
    if (end < states.size()) {
      merged = join(condition, std::move(part), std::move(merged));
    } else {
      merged = std::move(part);
      if (!at_end) merged.guard.insert(merged.guard.begin(), condition);
    }
    end = begin;
  }
  merged.guard.insert(merged.guard.begin(), common.begin(), common.end());
  return merged;
}

/// One of two states that never hold together: the first holds under the
/// condition and its own guard.
SymbolicExecution::State SymbolicExecution::join(Term condition, State then,
                                                 State otherwise) {
  const Term rest = pool_.conjunction(then.guard);
  const Term left = pool_.conjunction({condition, rest});
  const Term right = pool_.conjunction(otherwise.guard);
  const bool is_opposite = !otherwise.guard.empty() &&
                           otherwise.guard.front() == pool_.negation(condition);
  State result;
  result.values =
      select(is_opposite ? condition : left, then.values, otherwise.values);
  const bool covers =
      is_opposite && rest.is_true() && otherwise.guard.size() == 1;
  const Term either =
      covers ? pool_.boolean(true) : pool_.disjunction({left, right});
  if (!either.is_true()) result.guard.push_back(either);
  return result;
}

Values SymbolicExecution::select(Term condition, const Values& then,
                                 const Values& otherwise) {
  Values result;
  auto a = then.entries().begin();
  auto b = otherwise.entries().begin();
  while (a != then.entries().end() || b != otherwise.entries().end()) {
    const bool left = b == otherwise.entries().end() ||
                      (a != then.entries().end() && a->first <= b->first);
    const bool right = a == then.entries().end() ||
                       (b != otherwise.entries().end() && b->first <= a->first);
    const ir::VariableId variable = left ? a->first : b->first;
    const Term own = program_[variable].term;
    const Term first = left ? a->second : own;
    const Term second = right ? b->second : own;
    const Term value = own.sort().is_array()
                           ? rewrite_.memory().choose(condition, first, second)
                           : pool_.ite(condition, first, second);
    if (value != own) result.append(variable, value);
    if (left) ++a;
    if (right) ++b;
  }
  return result;
}

std::vector<bool> SymbolicExecution::leading_to(const Block& block,
                                                ir::EdgeId exit) const {
  const ir::Cfa& body = blocks_.body();
  std::vector<bool> result(body.num_locations());
  result[body.edge(exit).from.index()] = true;
  for (std::size_t i = block.order.size(); i-- > 0;) {
    const ir::LocationId location = block.order[i];
    for (const ir::EdgeId id : body.out_edges(location)) {
      const ir::LocationId to = body.edge(id).to;
      if (!blocks_.is_cut(to) && !blocks_.action(id).valid() &&
          result[to.index()]) {
        result[location.index()] = true;
      }
    }
  }
  return result;
}

}  // namespace agon::abstraction
