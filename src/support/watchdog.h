// SPDX-License-Identifier: Apache-2.0
/// Wakes work that is deep in a library when a limit is reached.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "support/context.h"

namespace agon::support {

/// As long as it lives, a thread looks at the limits of a context several times
/// a second. Once one is reached it calls `wake`, again and again, since a
/// library may be between two calls when it is told to stop.
class Watchdog {
 public:
  Watchdog(Context& context, std::function<void()> wake);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  void watch();

  Context& context_;
  std::function<void()> wake_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_done_ = false;
  std::thread thread_;
};

}  // namespace agon::support
