// SPDX-License-Identifier: Apache-2.0
/// Which limit is reached, for people.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "support/context.h"

namespace agon::support {

/// Looks at the clock and the memory of the process.
std::optional<std::string> limit_reason(
    const Limits& limits, std::chrono::steady_clock::time_point start,
    bool is_interrupted);

}  // namespace agon::support
