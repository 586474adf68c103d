// SPDX-License-Identifier: Apache-2.0
/// How much memory the process uses.
#pragma once

#include <cstddef>

namespace agon::support {

/// What is in main memory now, in bytes; 0 if the system does not say.
std::size_t resident_bytes();

}  // namespace agon::support
