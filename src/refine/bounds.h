// SPDX-License-Identifier: Apache-2.0
/// The smallest and the largest value that a term can have.
#pragma once

#include <vector>

#include "smt/solver.h"
#include "term/pool.h"

namespace agon::refine {

/// Predicates on `shown` that hold for everything that `value` can be under
/// what the solver knows: that it is one constant, or its bounds as a signed
/// and as an unsigned number where they say anything.
std::vector<term::Term> bounds(term::Pool& pool, smt::Solver& solver,
                               term::Term shown, term::Term value);

}  // namespace agon::refine
