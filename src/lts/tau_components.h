// SPDX-License-Identifier: Apache-2.0
/// Strongly connected components of the silent steps.
#pragma once

#include "lts/lts.h"
#include "lts/partition.h"

namespace agon::lts {

/// States that reach one another by silent steps through states of their own
/// kind. Such states are branching bisimilar. Linear time, no recursion.
Partition tau_components(const Lts& lts);

}  // namespace agon::lts
