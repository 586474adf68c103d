// SPDX-License-Identifier: Apache-2.0
#include "falsify/loops.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "analysis/control_dependence.h"
#include "analysis/terminating_loops.h"
#include "falsify/conjuncts.h"

namespace agon::falsify {
namespace {

using term::Term;

/// The natural loop of a head: what leads back to it without passing it.
std::vector<bool> natural_loop(const analysis::Digraph& predecessors,
                               const std::vector<analysis::Node>& dominator,
                               analysis::Node head, std::size_t num_locations) {
  const auto is_dominated = [&](analysis::Node node) {
    while (node != analysis::kNoNode && node != head) node = dominator[node];
    return node == head;
  };
  std::vector<bool> inside(num_locations, false);
  inside[head] = true;
  std::vector<analysis::Node> open;
  const auto add = [&](analysis::Node node) {
    if (node >= num_locations || inside[node]) return;
    inside[node] = true;
    open.push_back(node);
  };
  for (const analysis::Node node : predecessors.successors(head)) {
    if (is_dominated(node)) add(node);
  }
  while (!open.empty()) {
    const analysis::Node node = open.back();
    open.pop_back();
    for (const analysis::Node before : predecessors.successors(node)) {
      if (is_dominated(before)) add(before);
    }
  }
  return inside;
}

}  // namespace

struct LoopFinder::Impl {
  struct Loop {
    ir::LocationId head;
    std::vector<bool> contains;
    Term ends_if;
  };

  Impl(const ir::Program& of, ir::FunctionId entry)
      : program(of),
        calls(of, entry),
        control(of, entry, calls, analysis::find_endings(of, calls)),
        accesses(of, calls, criterion),
        terminating(of, entry, calls, control, accesses) {
    const ir::Cfa& body = of[entry].body;
    const analysis::Digraph predecessors = control.graph().reversed();
    const auto dominator =
        analysis::immediate_dominators(control.graph(), body.entry().value());
    for (const analysis::Node head : control.heads()) {
      if (!control.is_location(head)) continue;
      loops.push_back(
          {ir::LocationId(head),
           natural_loop(predecessors, dominator, head, body.num_locations()),
           terminating.ends_if(head)});
    }
  }

  /// Whether a condition holds in all states of a node. If the node says so
  /// itself, the solver need not.
  bool implies(const Model& model, NodeId node, Term condition,
               smt::Solver& solver, support::Context& context) {
    if (condition.is_true() || condition.is_false()) return condition.is_true();
    const Term states = model.nodes[node].states;
    const auto known = conjuncts(states);
    if (std::ranges::find(known, condition) != known.end()) return true;
    term::Pool& pool = *program.pool;
    const Term rest =
        term::substitute(pool, condition, known_constants(states));
    if (rest.is_constant()) return rest.is_true();
    const Term question[] = {states, pool.negation(condition)};
    ++context.statistics()["solver.calls"];
    return solver.check(question) == smt::Answer::Unsat;
  }

  /// What nodes at a head say that cannot stay true, each with the condition
  /// for that; most frequent first.
  std::vector<Term> bounds(const Model& model, const std::vector<NodeId>& at,
                           analysis::Node head) {
    std::map<Term, std::size_t> count;
    for (const NodeId id : at) {
      for (const Term part : conjuncts(model.nodes[id].states)) ++count[part];
    }
    std::vector<std::pair<std::size_t, Term>> found;
    for (const auto& [part, times] : count) {
      const Term ends = terminating.ends_if(head, part);
      if (ends.is_false()) continue;
      found.emplace_back(times, program.pool->conjunction({part, ends}));
    }
    std::ranges::stable_sort(found, std::greater<>(),
                             &std::pair<std::size_t, Term>::first);
    if (found.size() > kMostBounds) found.resize(kMostBounds);
    std::vector<Term> result;
    for (const auto& [times, bound] : found) result.push_back(bound);
    return result;
  }

  static constexpr std::size_t kMostBounds = 4;  // Of a loop.

  const ir::Program& program;
  analysis::Calls calls;
  analysis::ControlGraph control;
  analysis::Criterion criterion;
  analysis::EdgeAccesses accesses;
  analysis::TerminatingLoops terminating;
  std::vector<Loop> loops;
};

LoopFinder::LoopFinder(const ir::Program& program, ir::FunctionId entry)
    : impl_(std::make_unique<Impl>(program, entry)) {}

LoopFinder::~LoopFinder() = default;

std::vector<Term> LoopFinder::conditions() const {
  std::vector<Term> result;
  for (const Impl::Loop& loop : impl_->loops) {
    if (!loop.ends_if.is_false()) result.push_back(loop.ends_if);
  }
  return result;
}

std::vector<EndingLoop> LoopFinder::ending(const Model& model,
                                           smt::Solver& solver,
                                           support::Context& context) const {
  std::vector<EndingLoop> result;
  for (const Impl::Loop& loop : impl_->loops) {
    if (loop.ends_if.is_false()) continue;
    EndingLoop& ending = result.emplace_back(loop.head, loop.contains);
    std::ranges::copy_if(
        model.at(loop.head), std::back_inserter(ending.nodes), [&](NodeId id) {
          return impl_->implies(model, id, loop.ends_if, solver, context);
        });
  }
  return result;
}

std::vector<EndingLoop> LoopFinder::left(const Model& model,
                                         smt::Solver& solver,
                                         support::Context& context) const {
  std::vector<EndingLoop> result;
  for (const Impl::Loop& loop : impl_->loops) {
    const std::vector<NodeId> at = model.at(loop.head);
    std::set<std::vector<NodeId>> seen;
    for (const Term bound : impl_->bounds(model, at, loop.head.value())) {
      std::vector<NodeId> nodes;
      std::ranges::copy_if(at, std::back_inserter(nodes), [&](NodeId id) {
        return impl_->implies(model, id, bound, solver, context);
      });
      if (nodes.empty() || !seen.insert(nodes).second) continue;
      result.push_back({loop.head, loop.contains, std::move(nodes), true});
    }
  }
  return result;
}

}  // namespace agon::falsify
