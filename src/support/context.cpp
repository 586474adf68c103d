// SPDX-License-Identifier: Apache-2.0
#include "support/context.h"

#include <fmt/format.h>

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
  const bool result = must_end() || is_share_over();
  if (result) look_now_ = true;
  return result;
}

bool Context::must_end() const noexcept {
  return stop_requested_ || is_late() || is_large();
}

bool Context::is_share_over() const {
  const Clock::rep end = share_end_;
  return end != kNoShare && (Clock::now() - start_).count() > end;
}

Context::Share::Share(Context& context, std::size_t parts) : context_(context) {
  const Limits& limits = context.limits();
  if (limits.time.count() == 0 || parts <= 1) return;
  const auto now = Clock::now() - context.start_;
  if (now >= limits.time) return;
  const auto left = Clock::duration(limits.time) - now;
  context.share_end_ = (now + left / static_cast<Clock::rep>(parts)).count();
}

Context::Share::~Share() {
  context_.share_end_ = kNoShare;
  context_.look_at_the_clock();
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
  if (!exhausted_ && is_share_over()) {
    exhausted_ = fmt::format("its share of the time limit of {} s was reached",
                             static_cast<double>(limits_.time.count()) / 1000);
  }
}

}  // namespace agon::support
