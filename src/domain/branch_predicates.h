// SPDX-License-Identifier: Apache-2.0
/// Predicates to start with: what a body branches on.
#pragma once

#include <vector>

#include "ir/program.h"

namespace agon::domain {

/// The atoms of the branch conditions and of further ones, and of their weakest
/// preconditions over assignments as long as there are few.
std::vector<term::Term> branch_predicates(
    const ir::Program& program, ir::FunctionId entry,
    const std::vector<term::Term>& further);

}  // namespace agon::domain
