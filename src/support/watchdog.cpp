// SPDX-License-Identifier: Apache-2.0
#include "support/watchdog.h"

#include <chrono>
#include <utility>

namespace agon::support {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{50};

}  // namespace

Watchdog::Watchdog(Context& context, std::function<void()> wake)
    : context_(context), wake_(std::move(wake)), thread_([this] { watch(); }) {}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    is_done_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void Watchdog::watch() {
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, kBetweenLooks, [this] { return is_done_; })) {
    if (context_.must_stop()) wake_();
  }
}

}  // namespace agon::support
