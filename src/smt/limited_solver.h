// SPDX-License-Identifier: Apache-2.0
/// A decorator that knows when time is up.
#pragma once

#include <memory>

#include "smt/solver.h"
#include "support/context.h"

namespace agon::smt {

/// Answers Unknown at once when the context is exhausted. An interrupt ends one
/// check only, and whoever asks a hundred questions in a row would have to be
/// interrupted a hundred times.
std::unique_ptr<Solver> make_limited_solver(std::unique_ptr<Solver> inner,
                                            support::Context& context);

}  // namespace agon::smt
