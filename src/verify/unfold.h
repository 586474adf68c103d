// SPDX-License-Identifier: Apache-2.0
/// Loops that count, written out round by round.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "ir/program.h"

namespace agon::verify {

/// How many locations the rounds of all loops may have together.
inline constexpr std::size_t kMostUnfolded = 1500;

/// Replaces loops of `function` by their rounds where constants decide how many
/// there are, or how many at most: what is a loop then ends soon and needs no
/// predicate. The function does what it did before. Its calls have to be
/// actions. Says whether there were any.
bool unfold_loops(ir::Program& program, ir::FunctionId function,
                  std::size_t most = kMostUnfolded);

/// A location of a function whose loops were written out.
struct Copy {
  ir::LocationId location;  ///< Of the function before.
  /// What counters hold here, as equations.
  std::vector<term::Term> known;
};

/// The same, but no location is left out: by location, what it is a copy of.
/// Nothing if there are no such loops.
std::optional<std::vector<Copy>> write_out_loops(
    ir::Program& program, ir::FunctionId function,
    std::size_t most = kMostUnfolded);

}  // namespace agon::verify
