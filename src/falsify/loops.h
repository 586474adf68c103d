// SPDX-License-Identifier: Apache-2.0
/// Loops of a body of which every execution comes to an end.
#pragma once

#include <vector>

#include "falsify/model.h"
#include "ir/program.h"

namespace agon::falsify {

/// A loop that is entered at its head only. No execution stays in it and passes
/// the head infinitely often, if `ends_if` holds when it comes to the head.
struct EndingLoop {
  ir::LocationId head;
  std::vector<bool> contains;  ///< By location.
  term::Term ends_if;          ///< Over what the loop does not change.
  std::vector<NodeId> nodes;   ///< At the head, where that always holds.
};

/// The loops that may end; without nodes.
std::vector<EndingLoop> ending_loops(const ir::Program& program,
                                     ir::FunctionId entry);

/// Adds the nodes of a model.
void add_nodes(std::vector<EndingLoop>& loops, const Model& model,
               term::Pool& pool, smt::Solver& solver,
               support::Context& context);

}  // namespace agon::falsify
