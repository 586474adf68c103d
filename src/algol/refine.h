// SPDX-License-Identifier: Apache-2.0
/// Refinement along a path that may be spurious.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "algol/move.h"
#include "algol/precision.h"
#include "algol/search.h"
#include "algol/tree.h"

namespace agon::algol {

/// A site, and where a part of it should start.
using Cut = std::pair<std::uint32_t, std::int64_t>;

/// Where to divide parts of the sites from which the guesses on the path come,
/// and only those; in order. The path has a guess.
std::vector<Cut> find_cuts(const Tree& tree, std::span<const Pattern> patterns,
                           const Path& path);

/// False if that changes nothing.
bool apply_cuts(std::span<const Cut> cuts, Precision& precision);

}  // namespace agon::algol
