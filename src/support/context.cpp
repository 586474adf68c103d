// SPDX-License-Identifier: Apache-2.0
#include "support/context.h"

#include "support/limit_reason.h"
#include "support/memory.h"

namespace agon::support {
namespace {

/// Calls of `exhausted` between two looks at the clock and the memory.
constexpr std::uint32_t kCallsPerLook = 1024;

}  // namespace

const std::optional<std::string>& Context::exhausted() {
  if (!exhausted_ && (look_now_.load(std::memory_order_relaxed) ||
                      calls_++ % kCallsPerLook == 0)) {
    look_at_the_clock();
  }
  return exhausted_;
}

bool Context::must_stop() noexcept {
  const bool result = stop_requested_ || is_late() || is_large();
  if (result) look_now_ = true;
  return result;
}

bool Context::is_late() const {
  return limits_.time.count() > 0 &&
         std::chrono::steady_clock::now() - start_ > limits_.time;
}

bool Context::is_large() const {
  return limits_.memory_bytes > 0 && resident_bytes() > limits_.memory_bytes;
}

void Context::look_at_the_clock() {
  exhausted_ = limit_reason(limits_, start_, stop_requested_);
}

}  // namespace agon::support
