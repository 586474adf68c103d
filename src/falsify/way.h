// SPDX-License-Identifier: Apache-2.0
/// Choices that lead an execution to a place.
#pragma once

#include <optional>
#include <vector>

#include "ir/program.h"
#include "smt/solver.h"
#include "support/context.h"

namespace agon::falsify {

/// Values for the choices that an execution makes, in order, such that it gets
/// to one of the locations whatever the values are that are not the Falsifier's
/// to choose. Paths are run on terms, the nearest first, up to some number.
std::optional<std::vector<term::Bits>> find_way(
    const ir::Program& program, ir::FunctionId entry,
    const std::vector<bool>& is_goal, smt::Solver& solver,
    support::Context& context);

}  // namespace agon::falsify
