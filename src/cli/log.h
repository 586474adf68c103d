// SPDX-License-Identifier: Apache-2.0
/// The log of the command line: stderr.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "support/context.h"

namespace agon::cli {

/// Writes to stderr as far as that is possible. There is nobody to tell if not.
void write_stderr(std::string_view text);

/// Asks for a line that says how far the work is; for a signal handler.
void request_snapshot() noexcept;

/// Writes notes and warnings as lines. Progress is one live line on a terminal,
/// and elsewhere a line every ten seconds.
class StderrLog final : public support::Log {
 public:
  struct Options {
    bool is_quiet = false;  ///< Only warnings, and what was asked for.
    std::chrono::milliseconds limit{0};  ///< Of the time; 0: none.
  };

  explicit StderrLog(const Options& options);
  StderrLog(const StderrLog&) = delete;
  StderrLog& operator=(const StderrLog&) = delete;
  ~StderrLog() override;

  void write(Level level, std::string_view message) override;

  /// No more progress, so that nothing gets between the lines of stdout.
  void stop();

 private:
  void tick();
  void show_progress();
  std::string progress_line() const;
  void clear_live_line();

  Options options_;
  bool is_terminal_;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point last_line_;
  bool has_live_line_ = false;
  std::string progress_;  // The last message.
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_done_ = false;
  std::thread ticker_;
};

}  // namespace agon::cli
