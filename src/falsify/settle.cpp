// SPDX-License-Identifier: Apache-2.0
#include "falsify/settle.h"

#include "falsify/steer.h"

namespace agon::falsify {

void settle(Model& model, NodeId node, std::size_t move,
            const ir::Program& program, ir::FunctionId entry,
            smt::Solver& solver, support::Context& context) {
  const Node& source = model.nodes[node];
  Move& taken = model.nodes[node].moves[move];
  if (taken.certainty != Certainty::Open) return;
  const ir::Edge& edge = program[entry].body.edge(taken.edge);
  const term::Term target =
      program[std::get<ir::Havoc>(edge.statement).target].term;
  taken.values = steer(*program.pool, solver, context, source.states, target,
                       model.nodes[taken.target].states);
  taken.certainty = taken.values.empty() ? Certainty::Unsure : Certainty::Sure;
}

bool are_sure(Model& model, const std::vector<Win>& wins,
              const std::vector<NodeId>& from, const ir::Program& program,
              ir::FunctionId entry, smt::Solver& solver,
              support::Context& context) {
  bool all = true;
  for (const NodeId id : reached(model, wins, from)) {
    const std::uint32_t move = wins[id].move;
    if (move == Win::kWhatever) continue;
    settle(model, id, move, program, entry, solver, context);
    all = all && model.nodes[id].moves[move].certainty == Certainty::Sure;
  }
  return all;
}

}  // namespace agon::falsify
