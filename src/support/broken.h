// SPDX-License-Identifier: Apache-2.0
/// Deliberate mistakes in the engines, for one test: does agon-certify notice?
/// Only a program of the tests is compiled with AGON_BROKEN.
#pragma once

#include <cstdlib>
#include <string_view>

namespace agon::support {

#ifdef AGON_BROKEN
/// Whether the environment variable AGON_BREAK asks for this mistake.
inline bool is_broken(std::string_view what) {
  const char* const chosen = std::getenv("AGON_BREAK");
  return chosen != nullptr && what == chosen;
}
#else
constexpr bool is_broken(std::string_view) { return false; }
#endif

}  // namespace agon::support
