// SPDX-License-Identifier: Apache-2.0
/// Refinement along a path that may be spurious.
#pragma once

#include <span>

#include "algol/move.h"
#include "algol/precision.h"
#include "algol/search.h"
#include "algol/tree.h"

namespace agon::algol {

/// Divides parts of the sites from which the guesses on the path come, and only
/// those. The path was found with this precision, and has a guess.
void refine(const Tree& tree, std::span<const Pattern> patterns,
            const Path& path, Precision& precision);

}  // namespace agon::algol
