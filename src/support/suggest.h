// SPDX-License-Identifier: Apache-2.0
/// "Did you mean": the known name that is most like a mistyped one.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace agon::support {

/// "; did you mean 'X'?" for the known name nearest to `name`, or nothing if
/// none is near.
std::string did_you_mean(std::string_view name,
                         std::span<const std::string> known);

}  // namespace agon::support
