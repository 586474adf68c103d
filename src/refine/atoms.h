// SPDX-License-Identifier: Apache-2.0
/// The predicates that a condition consists of.
#pragma once

#include <optional>
#include <vector>

#include "term/pool.h"

namespace agon::refine {

/// Whether a formula combines others.
bool is_connective(term::Term formula);

/// `x == 5`, taken apart.
struct Comparison {
  term::Term left;
  term::Term constant;
};
std::optional<Comparison> comparison_with_constant(term::Term atom);

/// The atoms of a formula, simplest parts first.
///
/// A read of memory after writes becomes a question of aliasing (TWO §5.1): is
/// the address one of those written? So `read(write(m, p, 3), q) == 1` gives
/// `p == q`, `3 == 1` and `read(m, q) == 1`, of which constants are left out.
/// The same for any choice (`ite`) inside an atom. At most `bound` atoms.
std::vector<term::Term> atoms(term::Pool& pool, term::Term formula,
                              std::size_t bound = 32);

}  // namespace agon::refine
