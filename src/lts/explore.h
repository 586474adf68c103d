// SPDX-License-Identifier: Apache-2.0
/// Building the reachable part of a lazy system.
#pragma once

#include "lts/lts.h"
#include "lts/successors.h"
#include "support/context.h"

namespace agon::lts {

/// The reachable part of `system`, numbered breadth-first from 0, with its
/// alphabet and kinds. Throws InputError if it has more states than the limits
/// of `context` allow, or if time or memory runs out: a part of a system is
/// never passed off as the whole.
Lts explore(Successors& system, support::Context& context);

}  // namespace agon::lts
