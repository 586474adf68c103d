// SPDX-License-Identifier: Apache-2.0
/// The path through a block that a model takes.
#pragma once

#include <vector>

#include "abstraction/abstract_program.h"
#include "smt/solver.h"

namespace agon::refine {

/// The edges from a cut point to an exit whose conditions the model makes true;
/// the model must satisfy the exit's guard.
std::vector<ir::EdgeId> walk(
    abstraction::AbstractSteps& steps, ir::LocationId cut, ir::EdgeId exit,
    abstraction::Values values,
    const abstraction::SymbolicExecution::Choice& choice,
    const term::Assignment& model);

}  // namespace agon::refine
