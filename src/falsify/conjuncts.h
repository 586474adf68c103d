// SPDX-License-Identifier: Apache-2.0
/// What the parts of a conjunction say.
#pragma once

#include <span>

#include "term/substitute.h"

namespace agon::falsify {

/// Of a conjunction its parts, of other formulas themselves. The formula must
/// outlive the result.
std::span<const term::Term> conjuncts(const term::Term& formula);

/// Variables of which a part says that they are a constant.
term::Substitution known_constants(const term::Term& formula);

/// The same states in fewer words: without what follows from the constants.
term::Term without_repetitions(term::Pool& pool, const term::Term& formula);

}  // namespace agon::falsify
