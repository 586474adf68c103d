// SPDX-License-Identifier: Apache-2.0
/// The version of the program, as the build knows it.
#pragma once

namespace agon::cli {

inline constexpr const char* kVersion = AGON_VERSION;

}  // namespace agon::cli
