// SPDX-License-Identifier: Apache-2.0
/// A decorator that asks again, otherwise.
#pragma once

#include <cstdint>
#include <memory>

#include "smt/solver.h"

namespace agon::smt {

/// How long a check may take, in resources.
struct Patience {
  std::uint64_t first = 300'000;
  std::uint64_t afresh = 1'500'000;
  /// Doubled whenever it was not enough, so that no question is in the way of
  /// others for long, and none is given up for good.
  std::uint64_t last = 4'000'000;
  /// Terms in a question for `afresh`: what simplifies the whole of a large one
  /// may take long before it looks at its limit.
  std::size_t largest = 2000;
};

/// Asks `inner`, which keeps what it learnt from other questions; where this
/// takes too long, `afresh`, which gets the question as a whole; and then
/// `inner` again, for longer. With limits for `inner` (`set_limits`), only that
/// one is asked, and once.
std::unique_ptr<Solver> make_patient_solver(std::unique_ptr<Solver> inner,
                                            std::unique_ptr<Solver> afresh,
                                            const Patience& patience = {});

}  // namespace agon::smt
