// SPDX-License-Identifier: Apache-2.0
/// A process that does one piece of work and sends back what it found.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "cli/session.h"
#include "report/archive.h"

namespace agon::cli {

class Worker {
 public:
  /// Starts the process, which calls `run` with a session like `parent`.
  Worker(const std::function<ExitCode(Session&)>& run, Session& parent);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// What can be waited for with poll(2).
  int descriptor() const { return fd_; }

  /// Takes what there is to read; true if that was the last.
  bool receive();

  /// Asks the process to stop, or, if it is long past its time, ends it.
  void interrupt();
  void end_if_late();

  /// What it has done, after `receive` was true.
  report::Work finish();

 private:
  pid_t pid_ = -1;
  int fd_ = -1;
  bool was_late_ = false;
  std::string bytes_;
  std::optional<std::chrono::steady_clock::time_point> deadline_;
};

}  // namespace agon::cli
