// SPDX-License-Identifier: Apache-2.0
#include "analysis/terminating_loops.h"

#include <algorithm>

#include "analysis/control_dependence.h"
#include "term/bits.h"

// If a run went round forever, take the outermost loop whose head it passes
// infinitely often. From some point on the run stays in it, the counter takes
// all its values, and at one of them the branch leaves the loop.

namespace agon::analysis {
namespace {

using term::Kind;

/// The odd constant that is added to `variable`.
bool adds_odd_constant(term::Term value, term::Term variable) {
  if (value.kind() != Kind::Add && value.kind() != Kind::Subtract) return false;
  const term::Term first = value.operand(0);
  const term::Term second = value.operand(1);
  if (first == variable && second.is_constant()) {
    return second.sort().is_bits() && second.value() % 2 == 1;
  }
  return value.kind() == Kind::Add && second == variable &&
         first.is_constant() && first.sort().is_bits() &&
         first.value() % 2 == 1;
}

}  // namespace

TerminatingLoops::TerminatingLoops(const ir::Program& program,
                                   ir::FunctionId function, const Calls& calls,
                                   const ControlGraph& control,
                                   const EdgeAccesses& accesses)
    : program_(program),
      function_(function),
      body_(program[function].body),
      calls_(calls),
      control_(control),
      accesses_(accesses),
      predecessors_(control.graph().reversed()),
      dominator_(immediate_dominators(control.graph(), body_.entry().value())),
      enter_(dominator_.size(), 0),
      leave_(dominator_.size(), 0),
      has_other_entry_(dominator_.size(), false),
      loop_of_(dominator_.size(), kNoNode) {
  walk_dominators();
  for (const auto& [from, head] :
       retreating_arcs(control.graph(), body_.entry().value())) {
    if (!dominates(head, from)) has_other_entry_[head] = true;
  }
}

void TerminatingLoops::walk_dominators() {
  std::vector<Digraph::Arc> arcs;
  for (Node node = 0; node < dominator_.size(); ++node) {
    if (dominator_[node] != kNoNode) arcs.emplace_back(dominator_[node], node);
  }
  const Digraph tree(dominator_.size(), arcs);
  std::uint32_t clock = 1;
  std::vector<std::pair<Node, std::size_t>> stack{{body_.entry().value(), 0}};
  enter_[body_.entry().index()] = clock++;
  while (!stack.empty()) {
    auto& [node, next] = stack.back();
    if (next == tree.successors(node).size()) {
      leave_[node] = clock++;
      stack.pop_back();
      continue;
    }
    const Node child = tree.successors(node)[next++];
    enter_[child] = clock++;
    stack.emplace_back(child, 0);
  }
}

bool TerminatingLoops::dominates(Node a, Node b) const {
  return enter_[a] != 0 && enter_[b] != 0 && enter_[a] <= enter_[b] &&
         leave_[b] <= leave_[a];
}

bool TerminatingLoops::surely_ends(Node head) {
  if (enter_[head] == 0 || has_other_entry_[head]) return false;
  collect_loop(head);
  collect_writes();
  return std::ranges::any_of(nodes_, [&](Node node) {
    return control_.is_location(node) && is_passed_each_round(node) &&
           leaves(node);
  });
}

// The natural loop: what leads back to the head without passing it.
void TerminatingLoops::collect_loop(Node head) {
  head_ = head;
  nodes_.assign(1, head);
  latches_.clear();
  loop_of_[head] = head;
  const auto add = [&](Node node) {
    if (loop_of_[node] == head || enter_[node] == 0) return;
    loop_of_[node] = head;
    nodes_.push_back(node);
  };
  for (const Node node : predecessors_.successors(head)) {
    if (!dominates(head, node)) continue;
    latches_.push_back(node);
    add(node);
  }
  for (std::size_t i = 1; i < nodes_.size(); ++i) {
    for (const Node node : predecessors_.successors(nodes_[i])) add(node);
  }
}

void TerminatingLoops::collect_writes() {
  writes_.clear();
  calls_functions_ = false;
  for (const Node node : nodes_) {
    if (!control_.is_location(node)) continue;
    for (const ir::EdgeId edge : body_.out_edges(ir::LocationId(node))) {
      for (const ir::VariableId v : accesses_.of(function_, edge).writes) {
        auto& [count, last] = writes_[v];
        ++count;
        last = edge;
      }
      for (const ir::FunctionId callee : calls_.callees(function_, edge)) {
        calls_functions_ = calls_functions_ || program_[callee].has_body;
      }
    }
  }
}

bool TerminatingLoops::is_passed_each_round(Node node) const {
  return std::ranges::all_of(
      latches_, [&](Node latch) { return dominates(node, latch); });
}

bool TerminatingLoops::is_passed_twice(Node node) const {
  std::vector<bool> seen(dominator_.size(), false);
  std::vector<Node> queue{node};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const Node to : control_.graph().successors(queue[i])) {
      if (to == head_ || loop_of_[to] != head_) continue;
      if (to == node) return true;
      if (!seen[to]) queue.push_back(to);
      seen[to] = true;
    }
  }
  return false;
}

/// Whether each round adds an odd constant to it, once.
bool TerminatingLoops::counts(ir::VariableId variable) const {
  const auto found = writes_.find(variable);
  if (found == writes_.end() || found->second.first != 1) return false;
  if (calls_functions_ && !program_[variable].owner.valid()) return false;
  const ir::Edge& edge = body_.edge(found->second.second);
  const auto* assign = std::get_if<ir::Assign>(&edge.statement);
  return assign != nullptr &&
         adds_odd_constant(assign->value, program_[variable].term) &&
         is_passed_each_round(edge.from.value()) &&
         !is_passed_twice(edge.from.value());
}

/// Whether the loop leaves its value alone.
bool TerminatingLoops::is_fixed(term::Term term) const {
  return std::ranges::none_of(
      accesses_.variables_of(term), [&](ir::VariableId variable) {
        return writes_.contains(variable) ||
               (calls_functions_ && !program_[variable].owner.valid());
      });
}

bool TerminatingLoops::leaves(Node branch) const {
  const auto out = body_.out_edges(ir::LocationId(branch));
  if (out.size() != 2) return false;
  for (std::size_t i = 0; i < 2; ++i) {
    const ir::Edge& stay = body_.edge(out[i]);
    const ir::Edge& other = body_.edge(out[1 - i]);
    if (loop_of_[other.to.index()] == head_) continue;
    const auto* assume = std::get_if<ir::Assume>(&stay.statement);
    if (assume != nullptr && fails_somewhere(assume->condition)) return true;
  }
  return false;
}

/// Whether a condition is false for some value of a variable that counts.
bool TerminatingLoops::fails_somewhere(term::Term stay) const {
  const bool negated = stay.kind() == Kind::Not;
  const term::Term atom = negated ? stay.operand(0) : stay;
  if (atom.kind() == Kind::And && !negated) {
    return std::ranges::any_of(atom.operands(), [&](term::Term part) {
      return fails_somewhere(part);
    });
  }
  if (atom.operands().size() != 2) return false;
  const term::Term a = atom.operand(0);
  const term::Term b = atom.operand(1);
  switch (atom.kind()) {
    case Kind::Equal:
      // x = b fails for all but one value, x != b for one.
      return fails_for(a, b, true, false) || fails_for(b, a, true, false);
    case Kind::ULess:
    case Kind::SLess:
      return fails_for(a, b, !negated, atom.kind() == Kind::SLess) ||
             fails_for(b, a, !negated, atom.kind() == Kind::SLess);
    case Kind::ULessEqual:
    case Kind::SLessEqual:
      return fails_for(a, b, negated, atom.kind() == Kind::SLessEqual) ||
             fails_for(b, a, negated, atom.kind() == Kind::SLessEqual);
    default:
      return false;
  }
}

// A strict order fails for the last or first value whatever the bound is. One
// that is not strict fails unless the bound is itself the last or first.
bool TerminatingLoops::fails_for(term::Term counter, term::Term bound,
                                 bool strict, bool is_signed) const {
  if (counter.kind() != Kind::Variable || !counter.sort().is_bits()) {
    return false;
  }
  const ir::VariableId variable = program_.variable_of(counter);
  if (!variable.valid() || !is_fixed(bound) || !counts(variable)) return false;
  if (strict) return true;
  if (!bound.is_constant()) return false;
  const unsigned width = bound.width();
  const term::Bits least = is_signed ? term::Bits{1} << (width - 1) : 0;
  const term::Bits greatest = term::truncate(least - 1, width);
  return bound.value() != least && bound.value() != greatest;
}

}  // namespace agon::analysis
