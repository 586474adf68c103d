// SPDX-License-Identifier: Apache-2.0
/// Few candidates that do what has to be done (TWO §6.3), whatever they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "refine/options.h"

namespace agon::refine {

/// Numbers of candidates, sorted.
using Choice = std::vector<std::uint32_t>;
using Test = std::function<bool(const Choice&)>;

/// Sets of candidates that pass the test, from the smallest, and of the same
/// size those first that consist of early candidates. Supersets of a set that
/// passes are left out: they have to pass, too. So are sets out of several
/// `parts`, of which one has to pass alone. Of parts with more candidates than
/// `kFewCandidates`, sets that are larger than one that passes are left out as
/// well (TWO §9.1.2).
constexpr std::size_t kFewCandidates = 8;
std::vector<Choice> eliminating_sets(std::span<const Choice> parts,
                                     const MinimiseBounds& bounds,
                                     const Test& passes);

/// Leaves out candidates one by one as long as the rest passes (TWO Fig. 10).
/// Those that come first in `order` are tried first. Supersets of what passes
/// have to pass; so one that had to stay once has to stay, and the figure's
/// restarts would change nothing.
Choice greedy(const Choice& order, const Test& passes);

}  // namespace agon::refine
