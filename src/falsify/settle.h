// SPDX-License-Identifier: Apache-2.0
/// Settles whether the Falsifier can insist on moves, where it matters.
#pragma once

#include "falsify/game.h"
#include "falsify/model.h"

namespace agon::falsify {

/// Decides about one open move of a choice: is every state of the source
/// steered into the target by some value?
void settle(Model& model, NodeId node, std::size_t move,
            const ir::Program& program, ir::FunctionId entry,
            smt::Solver& solver, support::Context& context);

/// Decides about all moves that the winning strategy from some nodes relies on.
/// True if they are sure; otherwise the game has to be played again.
bool are_sure(Model& model, const std::vector<Win>& wins,
              const std::vector<NodeId>& from, const ir::Program& program,
              ir::FunctionId entry, smt::Solver& solver,
              support::Context& context);

}  // namespace agon::falsify
