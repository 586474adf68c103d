// SPDX-License-Identifier: Apache-2.0
/// Where things lie in memory.
#pragma once

#include <cstdint>

namespace agon::ir {

/// Where allocation starts; all objects lie below. By the width of pointers.
constexpr std::uint64_t heap_start(unsigned width) {
  return std::uint64_t{1} << (width - 2);
}

/// Where the memory of a module's client starts; it ends where allocation
/// starts, and objects lie below it if they fit there.
constexpr std::uint64_t client_start(unsigned width) {
  return std::uint64_t{1} << (width - 3);
}

}  // namespace agon::ir
