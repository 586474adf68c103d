// SPDX-License-Identifier: Apache-2.0
#include "support/limit_reason.h"

#include <fmt/format.h>

#include "support/memory.h"

namespace agon::support {

std::optional<std::string> limit_reason(
    const Limits& limits, std::chrono::steady_clock::time_point start,
    bool is_interrupted) {
  if (is_interrupted) return "interrupted";
  if (limits.time.count() > 0 &&
      std::chrono::steady_clock::now() - start > limits.time) {
    return fmt::format("the time limit of {} s was reached",
                       static_cast<double>(limits.time.count()) / 1000);
  }
  if (limits.memory_bytes > 0 && resident_bytes() > limits.memory_bytes) {
    return fmt::format("the memory limit of {} MB was reached",
                       limits.memory_bytes >> 20);
  }
  return std::nullopt;
}

}  // namespace agon::support
