// SPDX-License-Identifier: Apache-2.0
/// A decorator that believes no solver.
#pragma once

#include <memory>

#include "smt/solver.h"

namespace agon::smt {

/// Evaluates everything that was asserted and assumed in every model, and looks
/// whether every core consists of assumptions. A mistake is a failed assertion.
std::unique_ptr<Solver> make_validating_solver(std::unique_ptr<Solver> inner);

}  // namespace agon::smt
