// SPDX-License-Identifier: Apache-2.0
/// The assumptions about library routines that come with Agon.
#pragma once

#include <string_view>

namespace agon::spec {

/// How it is imported, and how it is called in messages.
inline constexpr std::string_view kStandardName = "std.agon";
inline constexpr std::string_view kStandardSource = "<agon>/std.agon";

/// The text of share/std.agon.
std::string_view standard_text();

}  // namespace agon::spec
