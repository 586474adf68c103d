// SPDX-License-Identifier: Apache-2.0
/// Noticing END and ERROR in systems that are never built as a whole.
#pragma once

#include "cli/load.h"

namespace agon::cli {

/// Makes a lazy system remember whether ERROR was met while it was expanded.
void watch(System& system);

/// Whether a watched system has END or ERROR states, as far as it is known.
bool has_special_states(const System& system);

}  // namespace agon::cli
