// SPDX-License-Identifier: Apache-2.0
/// Reductions that keep less than bisimulation does: simulation and traces.
#pragma once

#include "lts/determinise.h"
#include "lts/lts.h"
#include "support/context.h"

namespace agon::lts {

/// The least system that simulates `lts` and is simulated by it: the quotient
/// by simulation equivalence, without transitions to states that another
/// transition with the same label surpasses, and without unreachable states.
/// Silent steps are like any others. A state is simulated only by states of its
/// own kind. The initial state is 0, and the alphabet is kept.
///
/// The preorder needs two bits for each pair of states that are not strongly
/// bisimilar. Throws InputError if there are more than 40 000 of these states,
/// or if time or memory runs out.
Lts minimise_by_simulation(const Lts& lts, support::Context& context);

/// The least deterministic system with the same traces, which determinise.h
/// defines. Throws InputError like `determinise`.
Lts minimise_by_traces(const Lts& lts, Silent silent,
                       support::Context& context);

}  // namespace agon::lts
