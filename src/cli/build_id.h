// SPDX-License-Identifier: Apache-2.0
/// Which build of the program this is.
#pragma once

#include <string>

namespace agon::cli {

/// Another text for every program that the linker has made.
const std::string& build_id();

}  // namespace agon::cli
