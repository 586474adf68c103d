// SPDX-License-Identifier: Apache-2.0
/// What some executions look like at cut points: random ones, run on terms.
#pragma once

#include <cstdint>
#include <vector>

#include "abstraction/abstract_program.h"
#include "smt/solver.h"

namespace agon::abstraction {

/// Terms whose values are of interest at a location.
using Places = std::vector<term::Term>;

/// The values of the places at a location in one state, as unsigned numbers.
using Sample = std::vector<term::Bits>;

struct SamplingOptions {
  std::size_t runs = 24;
  std::size_t max_blocks = 40;   ///< Per run.
  std::size_t max_samples = 96;  ///< Per location.
};

/// Runs the program with inputs that are often small and often constants of the
/// program, the same in every call. Where these do not get past the first
/// block, the solver says which do. `places` and the result are by location.
/// Nothing depends on whether the executions are possible: where objects lie is
/// made up, for example.
std::vector<std::vector<Sample>> sample(AbstractSteps& steps,
                                        const Start& start,
                                        const std::vector<Places>& places,
                                        smt::Solver& solver,
                                        support::Context& context,
                                        const SamplingOptions& options = {});

/// The constants that a body compares and computes with, sorted.
std::vector<term::Bits> constants_of(const ir::Cfa& body);

}  // namespace agon::abstraction
