// SPDX-License-Identifier: Apache-2.0
/// The subset construction: a deterministic system with the same traces.
#pragma once

#include "lts/lts.h"
#include "support/context.h"

namespace agon::lts {

/// What a silent step is to an analysis of traces: a label like any other, or
/// nothing that could be observed.
enum class Silent { Visible, Hidden };

/// The deterministic system whose states are the reachable sets of states that
/// share a trace, with the alphabet of `lts`. The initial state is 0, and each
/// state has at most one transition per label; with `Silent::Hidden` there are
/// no silent ones.
///
/// A set with an ERROR member is ERROR and has no transitions: what comes after
/// a violation does not matter. A set is END if it has no transitions, if there
/// is an END among its members, and no member is stuck that is not END. So a
/// possible deadlock is not taken for success, and a choice between going on
/// and being done is neither. All other sets are Ordinary.
///
/// There may be exponentially many sets. Throws InputError if there are more
/// than the limits of `context` allow, or if time or memory runs out.
Lts determinise(const Lts& lts, Silent silent, support::Context& context);

}  // namespace agon::lts
