// SPDX-License-Identifier: Apache-2.0
/// The bisimulation game, played to explain why two states differ.
#pragma once

#include <optional>

#include "game/equivalence.h"
#include "game/formula.h"
#include "lts/lts.h"
#include "support/context.h"

namespace agon::game {

/// A formula that is true in `left` and false in `right`, two states that are
/// known to be inequivalent. Different states of `lts` should be inequivalent
/// anyway, which keeps the game small. Nothing if time or memory runs out.
std::optional<Formula> distinguish(const lts::Lts& lts, lts::State left,
                                   lts::State right, Equivalence equivalence,
                                   support::Context& context);

}  // namespace agon::game
