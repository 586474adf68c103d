// SPDX-License-Identifier: Apache-2.0
/// Where a counterexample can be played from, by weakest preconditions.
#pragma once

#include "refine/play.h"

namespace agon::refine {

/// VerCon of SIM Fig. 10: the states at the root of a play from which all of it
/// can be played, as a formula over the variables of the program, and over new
/// ones that stand for its inputs ("for some input").
///
/// What `decide` finds by going forward, this finds by going backward. It says
/// more, since it knows nothing of how the program starts, and is slower. It
/// is there to be compared with.
term::Term verification_condition(const Play& play,
                                  const abstraction::Blocks& blocks);

}  // namespace agon::refine
