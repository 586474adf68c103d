// SPDX-License-Identifier: Apache-2.0
/// The Aldebaran format `.aut`, as spoken by CADP, mCRL2 and LTSA.
///
///   des (initial, transitions, states)
///   (source, label, target)
///
/// A label is bare or in double quotes; `tau`, `"tau"` and a bare `i` are
/// silent. State -1 is the ERROR state, as LTSA writes it. What the header
/// promises has to be true.
#pragma once

#include <string>

#include "lts/lts.h"
#include "support/context.h"
#include "support/source.h"

namespace agon::lts {

/// Reads a system. Throws InputError with the place of the first mistake.
Lts read_aut(const support::Source& source, const SharedLabels& labels,
             support::Context& context);

/// Writes a system so that `read_aut` gives it back, less the alphabet beyond
/// what occurs and the difference between END and STOP, for which the format
/// has no room.
std::string write_aut(const Lts& lts);

}  // namespace agon::lts
