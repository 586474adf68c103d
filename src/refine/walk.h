// SPDX-License-Identifier: Apache-2.0
/// The path through a block that a model takes.
#pragma once

#include <vector>

#include "abstraction/abstract_program.h"
#include "smt/solver.h"

namespace agon::refine {

struct WalkStep {
  ir::EdgeId edge;
  term::Term value;  ///< What it assigns or chooses, if it does.
};

/// The edges from a cut point to an exit whose conditions the model makes true;
/// the model must satisfy the exit's guard.
std::vector<WalkStep> walk(abstraction::AbstractSteps& steps,
                           ir::LocationId cut, ir::EdgeId exit,
                           abstraction::Values values,
                           const abstraction::SymbolicExecution::Choice& choice,
                           const term::Assignment& model);

}  // namespace agon::refine
