// SPDX-License-Identifier: Apache-2.0
#include "cli/log.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>

#include "cli/terminal.h"
#include "support/memory.h"
#include "support/utf8.h"

namespace agon::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto kTick = 100ms;
constexpr auto kFirstLive = 300ms;  // What is done by then needs no line.
constexpr auto kBetweenLines = 10s;

std::atomic<bool> snapshot_requested = false;

double seconds(std::chrono::steady_clock::duration time) {
  return std::chrono::duration<double>(time).count();
}

}  // namespace

void write_stderr(std::string_view text) {
  // fmt::print would throw, and an error in telling an error helps nobody.
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr));
}

void request_snapshot() noexcept { snapshot_requested = true; }

StderrLog::StderrLog(const Options& options)
    : options_(options),
      is_terminal_(is_terminal(STDERR_FILENO)),
      start_(std::chrono::steady_clock::now()),
      last_line_(start_),
      ticker_([this] { tick(); }) {}

StderrLog::~StderrLog() { stop(); }

void StderrLog::stop() {
  {
    const std::lock_guard lock(mutex_);
    is_done_ = true;
    clear_live_line();
  }
  changed_.notify_one();
  if (ticker_.joinable()) ticker_.join();
}

void StderrLog::write(Level level, std::string_view message) {
  const std::lock_guard lock(mutex_);
  if (level == Level::Progress) {
    progress_ = support::printable(message);
    return;
  }
  if (level == Level::Note && options_.is_quiet) return;
  clear_live_line();
  // A diagnostic with a place of its own says what it is; see
  // support::render_diagnostic.
  const char* const kind = level == Level::Note ? "note: " : "warning: ";
  const bool says_so = message.find(kind) != std::string_view::npos;
  write_stderr(
      fmt::format("{}{}\n", says_so ? "" : kind, support::printable(message)));
}

void StderrLog::tick() {
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, kTick, [this] { return is_done_; })) {
    if (snapshot_requested.exchange(false)) {
      clear_live_line();
      write_stderr(fmt::format("agon: {}\n", progress_line()));
    }
    if (!options_.is_quiet && !progress_.empty()) show_progress();
  }
}

void StderrLog::show_progress() {
  const auto now = std::chrono::steady_clock::now();
  if (is_terminal_) {
    if (now - start_ < kFirstLive) return;
    // Cut, since a line that wraps cannot be taken back.
    const std::string line =
        progress_line().substr(0, columns(STDERR_FILENO) - 1);
    write_stderr(fmt::format("\r\x1b[K{}", line));
    has_live_line_ = true;
  } else if (now - last_line_ >= kBetweenLines) {
    last_line_ = now;
    write_stderr(fmt::format("agon: {}\n", progress_line()));
  }
}

std::string StderrLog::progress_line() const {
  const double elapsed = seconds(std::chrono::steady_clock::now() - start_);
  const std::string limit =
      options_.limit.count() > 0
          ? fmt::format(" of {:g}", seconds(options_.limit))
          : "";
  return fmt::format("{}; {} MB, {:.1f}{} s",
                     progress_.empty() ? "reading" : progress_,
                     support::resident_bytes() >> 20, elapsed, limit);
}

void StderrLog::clear_live_line() {
  if (has_live_line_) write_stderr("\r\x1b[K");
  has_live_line_ = false;
}

}  // namespace agon::cli
