// SPDX-License-Identifier: Apache-2.0
#include "game/trace_search.h"

#include <algorithm>

// Breadth-first search over pairs (p, S): the implementation is in p after some
// trace, and S is all the states that the specification can be in after the
// same trace. A pair offends if p can do what no member of S can. If every set
// is a singleton this is the plain product.
//
// Antichains (De Wulf et al., CAV 2006): a pair (p, S) need not be looked at if
// a pair (p, S') with S' a subset of S has been found at no greater depth, for
// whatever offends from S offends from S' no later. Pairs count from their
// discovery on, not from their expansion (Laveaux et al., LMCS 2021). Because
// pairs are compared only with pairs that are at least as shallow, the first
// offending trace is a shortest one.
//
// Simulation (Abdulla et al., TACAS 2010): (p, S) need not be looked at either
// if a member of S simulates p. The simulation game decides that on demand, and
// gets no more than a few times the effort of the search itself.
//
// In a weak reading a silent step of the implementation leaves S alone and does
// not count, so it goes to the front of the queue.

namespace agon::game {

using lts::Label;
using lts::State;
using lts::Transition;
using support::Verdict;

namespace {

constexpr std::size_t kBudgetPerQuestion = 64;

}  // namespace

TraceSearch::TraceSearch(lts::Successors& impl, lts::Successors& spec,
                         Semantics semantics, SimulationGame& simulation,
                         support::Context& context)
    : impl_(impl, Semantics::Strong, context),
      spec_(spec,
            semantics == Semantics::Weak ? lts::Silent::Hidden
                                         : lts::Silent::Visible,
            lts::Errors::Ignore, context),
      semantics_(semantics),
      simulation_(simulation),
      context_(context) {
  discover(impl.initial(), spec_.initial(), kNone, lts::kTau, 0);
}

Verdict TraceSearch::advance(std::size_t budget) {
  if (counterexample_) return Verdict::Violated;
  const std::size_t before = effort();
  while (!queue_.empty()) {
    if (effort() - before >= budget || context_.exhausted()) {
      return Verdict::Unknown;
    }
    const NodeIndex node = queue_.front();
    queue_.pop_front();
    if (nodes_[node].is_subsumed) continue;
    if (is_simulated(nodes_[node].impl, nodes_[node].spec)) continue;
    if (!expand(node)) return Verdict::Violated;
  }
  // Moves may have been cut short at a limit, and pairs be missing.
  return context_.exhausted() ? Verdict::Unknown : Verdict::Holds;
}

void TraceSearch::discover(State impl, State spec, NodeIndex parent,
                           Label label, std::uint32_t depth) {
  if (!enters_antichain(impl, spec, depth)) return;
  const auto node = static_cast<NodeIndex>(nodes_.size());
  nodes_.push_back(
      {impl, spec, parent, label, depth, first_same_[impl.index()]});
  first_same_[impl.index()] = node;
  const bool is_free = parent != kNone && nodes_[parent].depth == depth;
  if (is_free) {
    queue_.push_front(node);
  } else {
    queue_.push_back(node);
  }
}

/// Compares a new pair with all others of the same implementation state.
bool TraceSearch::enters_antichain(State impl, State spec,
                                   std::uint32_t depth) {
  if (impl.index() >= first_same_.size()) {
    first_same_.resize(std::max(impl.index() + 1, 2 * first_same_.size()),
                       kNone);
  }
  NodeIndex* link = &first_same_[impl.index()];
  while (*link != kNone) {
    Node& other = nodes_[*link];
    if (other.depth <= depth && spec_.is_subset(other.spec, spec)) {
      return false;
    }
    if (depth <= other.depth && spec_.is_subset(spec, other.spec)) {
      other.is_subsumed = true;
      *link = other.next_same;
    } else {
      link = &other.next_same;
    }
  }
  return true;
}

bool TraceSearch::is_simulated(State impl, State spec) {
  if (!asks_simulation_) return false;
  for (const State member : spec_.front(spec)) {
    const bool may_spend = simulation_.effort() <= 4 * effort();
    const Verdict verdict =
        simulation_.decide({impl, member}, may_spend ? kBudgetPerQuestion : 0);
    if (verdict == Verdict::Holds) return true;
  }
  return false;
}

bool TraceSearch::expand(NodeIndex index) {
  const Node node = nodes_[index];
  // The moves of the set stay valid: no other set's are asked for below.
  const auto answers = spec_.expand(node.spec);
  auto answer = answers.begin();
  const MoveTable::Range row = impl_.row(node.impl);
  for (std::uint32_t i = row.begin; i < row.end; ++i) {
    const Transition move = impl_.move(i);
    if (semantics_ == Semantics::Weak && move.label == lts::kTau) {
      discover(move.target, node.spec, index, move.label, node.depth);
      continue;
    }
    while (answer != answers.end() && answer->label < move.label) ++answer;
    if (answer == answers.end() || answer->label != move.label) {
      if (context_.exhausted()) return true;  // The set may be incomplete.
      report(index, move);
      return false;
    }
    discover(move.target, answer->target, index, move.label, node.depth + 1);
  }
  return true;
}

void TraceSearch::report(NodeIndex node, Transition offending) {
  OffendingTrace trace;
  for (const Transition& move : spec_.expand(nodes_[node].spec)) {
    trace.allowed.push_back(move.label);
  }
  trace.steps.push_back(offending);
  for (; nodes_[node].parent != kNone; node = nodes_[node].parent) {
    trace.steps.push_back({nodes_[node].label, nodes_[node].impl});
  }
  std::reverse(trace.steps.begin(), trace.steps.end());
  for (const Transition& step : trace.steps) {
    if (semantics_ == Semantics::Weak && step.label == lts::kTau) continue;
    trace.actions.push_back(step.label);
  }
  counterexample_ = std::move(trace);
}

}  // namespace agon::game
