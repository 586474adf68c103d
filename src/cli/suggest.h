// SPDX-License-Identifier: Apache-2.0
/// Did you mean …?
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace agon::cli {

/// The known word nearest to `word`, or nothing if none is near.
std::string nearest(std::string_view word,
                    const std::vector<std::string>& known);

}  // namespace agon::cli
