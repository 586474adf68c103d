// SPDX-License-Identifier: Apache-2.0
/// Building the reachable part of a lazy system.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "lts/lts.h"
#include "lts/successors.h"
#include "support/context.h"

namespace agon::lts {

/// The reachable part of `system`, numbered breadth-first from 0, with its
/// alphabet and kinds. Throws InputError if it has more states than the limits
/// of `context` allow, or if time or memory runs out: a part of a system is
/// never passed off as the whole.
Lts explore(Successors& system, support::Context& context);

/// The same with the way back.
struct Explored {
  Lts lts;
  std::vector<State> original;  ///< The state of the system, by state of `lts`.
};
Explored explore_traced(Successors& system, support::Context& context);

/// For algorithms that can do without: nothing if the reachable part has more
/// than `max_states` states or a limit is reached.
std::optional<Explored> explore_at_most(std::size_t max_states,
                                        Successors& system,
                                        support::Context& context);

}  // namespace agon::lts
