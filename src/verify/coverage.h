// SPDX-License-Identifier: Apache-2.0
/// How much of a specification a program makes use of: a proof is worth little
/// if what was specified never happens.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "lts/successors.h"
#include "support/context.h"

namespace agon::verify {

/// Which states a specification can be in after some trace of the program.
/// Nothing if that is too much work.
std::optional<std::vector<bool>> reached_states(lts::Successors& program,
                                                const lts::Lts& spec,
                                                support::Context& context);

/// A shortest way to each state that is not reached, if it leads through states
/// that are and does not need an action that is `never_performed`.
std::vector<std::vector<lts::Label>> ways_to_others(
    const lts::Lts& spec, const std::vector<bool>& reached,
    const std::set<lts::Label>& never_performed);

}  // namespace agon::verify
