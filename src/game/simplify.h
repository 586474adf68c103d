// SPDX-License-Identifier: Apache-2.0
/// Making formulas smaller without changing what they tell apart.
#pragma once

#include "game/formula.h"
#include "lts/lts.h"

namespace agon::game {

/// The same formula with equal subformulas shared and without those that are
/// not used.
Formula compact(const Formula& formula);

/// Given a formula that is true in `left` and false in `right`, removes parts
/// of conjunctions as long as this remains so. Large formulas are only
/// compacted, since every attempt means to evaluate the formula again.
Formula simplify(const Formula& formula, const lts::Lts& lts, lts::State left,
                 lts::State right);

}  // namespace agon::game
