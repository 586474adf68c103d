// SPDX-License-Identifier: Apache-2.0
#include "falsify/loops.h"

#include "analysis/control_dependence.h"
#include "analysis/terminating_loops.h"

namespace agon::falsify {
namespace {

using analysis::Node;

/// The natural loop of a head: what leads back to it without passing it.
std::vector<bool> natural_loop(const analysis::Digraph& predecessors,
                               const std::vector<Node>& dominator, Node head,
                               std::size_t num_locations) {
  const auto is_dominated = [&](Node node) {
    while (node != analysis::kNoNode && node != head) node = dominator[node];
    return node == head;
  };
  std::vector<bool> inside(num_locations, false);
  inside[head] = true;
  std::vector<Node> open;
  const auto add = [&](Node node) {
    if (node >= num_locations || inside[node]) return;
    inside[node] = true;
    open.push_back(node);
  };
  for (const Node node : predecessors.successors(head)) {
    if (is_dominated(node)) add(node);
  }
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    for (const Node before : predecessors.successors(node)) {
      if (is_dominated(before)) add(before);
    }
  }
  return inside;
}

}  // namespace

std::vector<EndingLoop> ending_loops(const ir::Program& program,
                                     ir::FunctionId entry) {
  const analysis::Calls calls(program, entry);
  const auto endings = analysis::find_endings(program, calls);
  const analysis::ControlGraph control(program, entry, calls, endings);
  const analysis::Criterion criterion;
  const analysis::EdgeAccesses accesses(program, calls, criterion);
  analysis::TerminatingLoops loops(program, entry, calls, control, accesses);
  const ir::Cfa& body = program[entry].body;
  const analysis::Digraph predecessors = control.graph().reversed();
  const auto dominator =
      analysis::immediate_dominators(control.graph(), body.entry().value());
  std::vector<EndingLoop> result;
  for (const analysis::Node head : control.heads()) {
    if (!control.is_location(head)) continue;
    const term::Term ends_if = loops.ends_if(head);
    if (ends_if.is_false()) continue;
    result.push_back(
        {ir::LocationId(head),
         natural_loop(predecessors, dominator, head, body.num_locations()),
         ends_if,
         {}});
  }
  return result;
}

void add_nodes(std::vector<EndingLoop>& loops, const Model& model,
               term::Pool& pool, smt::Solver& solver,
               support::Context& context) {
  for (EndingLoop& loop : loops) {
    const term::Term may_stay = pool.negation(loop.ends_if);
    for (const NodeId id : model.at(loop.head)) {
      const term::Term question[] = {model.nodes[id].states, may_stay};
      if (!may_stay.is_false()) {
        ++context.statistics()["solver.calls"];
        if (solver.check(question) != smt::Answer::Unsat) continue;
      }
      loop.nodes.push_back(id);
    }
  }
}

}  // namespace agon::falsify
