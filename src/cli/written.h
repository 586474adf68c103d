// SPDX-License-Identifier: Apache-2.0
/// What commands say that write a system to a file.
#pragma once

#include <string>

#include "cli/session.h"
#include "lts/lts.h"

namespace agon::cli {

/// Writes the system, and says and reports what was written.
void deliver(const std::string& output, const std::string& name,
             const lts::Lts& lts, Session& session);

/// Says and reports that `output` now holds the system.
void announce(const std::string& output, const std::string& name,
              const lts::Lts& lts, Session& session);

}  // namespace agon::cli
