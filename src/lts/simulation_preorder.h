// SPDX-License-Identifier: Apache-2.0
/// The largest simulation on the states of a system.
#pragma once

#include "lts/bit_matrix.h"
#include "lts/lts.h"
#include "support/context.h"

namespace agon::lts {

/// Bit t of row s: t simulates s. States are simulated only by states of their
/// own kind, and silent steps are like any others. Takes two bits per pair and
/// O(n m b) time for n states and m transitions, at most b of them from one
/// state with one label. Throws InputError if that is too much.
BitMatrix simulation_preorder(const Lts& lts, support::Context& context);

}  // namespace agon::lts
