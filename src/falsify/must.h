// SPDX-License-Identifier: Apache-2.0
/// Must transitions: steps that every state of a node takes into another.
#pragma once

#include "falsify/model.h"

namespace agon::falsify {

struct MustStatistics {
  std::size_t nodes = 0;  ///< That have a must transition now.
  std::size_t moves = 0;
};

/// Incorporates the must transitions between nodes of the model, found by the
/// solver, as Definition 5.5 of FALS says: a node that is not a choice and has
/// some becomes the Falsifier's, and they become its moves.
MustStatistics incorporate_must(Model& model, const ir::Program& program,
                                ir::FunctionId entry, smt::Solver& solver,
                                support::Context& context);

}  // namespace agon::falsify
