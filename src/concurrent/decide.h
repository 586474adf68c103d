// SPDX-License-Identifier: Apache-2.0
/// Decides whether components that run in parallel conform to a specification,
/// or are free of deadlocks.
#pragma once

#include <span>

#include "concurrent/question.h"
#include "evidence/result.h"
#include "smt/solver.h"
#include "support/context.h"
#include "verify/options.h"

namespace agon::concurrent {

/// TWO Fig. 1: abstract each component, and each abstraction once more; search;
/// validate what is found component by component, first on the abstraction and
/// then on the program; refine where it fails. One solver for each model.
evidence::Result decide(const Prepared& task, const verify::Options& options,
                        std::span<smt::Solver* const> solvers,
                        support::Context& context);

}  // namespace agon::concurrent
