// SPDX-License-Identifier: Apache-2.0
/// The version of the program, as the build knows it.
#pragma once

namespace agon::report {

inline constexpr const char* kVersion = AGON_VERSION;

}  // namespace agon::report
