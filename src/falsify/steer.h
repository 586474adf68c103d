// SPDX-License-Identifier: Apache-2.0
/// Whether a choice of a value can lead from every state of a set to another.
#pragma once

#include <vector>

#include "smt/solver.h"
#include "support/context.h"

namespace agon::falsify {

/// Terms over the state before `target := anything`, such that from each state
/// of `from` one of them, as the value, leads to a state of `to`. None if this
/// could not be shown.
std::vector<term::Term> steer(term::Pool& pool, smt::Solver& solver,
                              support::Context& context, term::Term from,
                              term::Term target, term::Term to);

}  // namespace agon::falsify
