// SPDX-License-Identifier: Apache-2.0
/// Random systems for tests, from fixed seeds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

#include "lts/lts.h"

namespace agon::test {

/// The shape of a random system. The defaults give small ones with
/// nondeterminism, silent cycles, deadlocks and unreachable parts.
struct RandomShape {
  std::size_t max_states = 6;
  std::size_t max_labels = 3;  ///< Visible ones: a, b, c, …
  double silent = 0.25;        ///< Share of silent transitions.
  double density = 1.8;        ///< Mean transitions per state, at the most.
};

using Random = std::mt19937_64;

/// A uniform number below `bound`, the same on every platform.
std::size_t below(Random& random, std::size_t bound);

lts::Lts random_lts(Random& random, const lts::SharedLabels& labels,
                    const RandomShape& shape = {});

/// A system like `lts` with a few transitions removed, added or redirected, so
/// that relations between the two hold about as often as not.
lts::Lts mutate(Random& random, const lts::Lts& lts);

/// How many random cases to try: `base`, times AGON_TEST_SCALE if that is set
/// in the environment.
std::size_t scaled(std::size_t base);

/// The seed of the first random case: 0, or AGON_TEST_FIRST if that is set, to
/// try others than always.
std::size_t first_case();

}  // namespace agon::test
