// SPDX-License-Identifier: Apache-2.0
/// What a proof says about the loops of the source.
#pragma once

#include <functional>
#include <vector>

#include "abstraction/abstract_program.h"
#include "evidence/result.h"
#include "verify/sequential.h"

namespace agon::verify {

/// For each loop of the entry function itself, the disjunction of what the
/// abstract states at its head say of variables that the source has. The model
/// must be complete. `is_in_scope` is as in options.h. Needs the original
/// program of the task; none without.
std::vector<evidence::LoopInvariant> loop_invariants(
    const Task& task, const abstraction::Blocks& blocks,
    abstraction::AbstractProgram& model,
    const std::function<bool(const ir::Position&, const ir::Position&)>&
        is_in_scope);

}  // namespace agon::verify
