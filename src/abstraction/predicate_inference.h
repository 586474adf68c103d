// SPDX-License-Identifier: Apache-2.0
/// Which predicates are needed where, so that some branches can be followed.
#pragma once

#include <cstddef>
#include <span>

#include "abstraction/blocks.h"
#include "abstraction/liveness.h"
#include "abstraction/precision.h"

namespace agon::abstraction {

/// A predicate in the one of two opposite forms that is used throughout: no
/// negation, and `<` rather than `<=`.
term::Term canonical(term::Pool& pool, term::Term predicate);

/// Infers predicates from the conditions of branches (TWO Fig. 5): a seed is
/// needed where it is tested, and a predicate that is needed after a statement
/// is needed before it as its weakest precondition. What becomes constant or
/// depends on an input that is not chosen yet is not tracked.
///
/// A loop can make this go on forever (`x == 0`, `x + 1 == 0`, …), so no
/// location gets more than `bound` predicates.
Precision infer_predicates(const Blocks& blocks, const Liveness& liveness,
                           std::span<const term::Term> seeds,
                           std::size_t bound = 48);

}  // namespace agon::abstraction
