// SPDX-License-Identifier: Apache-2.0
/// Z3 in this process.
#pragma once

#include <memory>

#include "smt/solver.h"

namespace agon::smt {

struct Z3Options {
  /// Every check starts afresh and preprocesses all that is asserted. Better
  /// for a few large questions, such as a long path; worse for many small ones.
  bool one_shot = false;
};

/// What solvers on the same terms can share: Z3's context and the terms that
/// were translated already. For one thread.
class Z3Terms;
std::shared_ptr<Z3Terms> make_z3_terms();

/// `terms` may be shared by any number of solvers; without it the solver gets
/// its own.
std::unique_ptr<Solver> make_z3_solver(
    const Z3Options& options = {}, std::shared_ptr<Z3Terms> terms = nullptr);

}  // namespace agon::smt
