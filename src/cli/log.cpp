// SPDX-License-Identifier: Apache-2.0
#include "cli/log.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace agon::cli {

void write_stderr(std::string_view text) {
  // fmt::print would throw, and an error in telling an error helps nobody.
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr));
}

StderrLog::StderrLog() : is_terminal_(::isatty(STDERR_FILENO) == 1) {}

StderrLog::~StderrLog() { clear_live_line(); }

void StderrLog::write(Level level, std::string_view message) {
  if (level == Level::Progress) {
    if (!is_terminal_) return;
    write_stderr(fmt::format("\r\x1b[K{}", message));
    has_live_line_ = true;
    return;
  }
  clear_live_line();
  // A diagnostic with a place of its own says what it is; see
  // support::render_diagnostic.
  const char* const kind = level == Level::Note ? "note: " : "warning: ";
  const bool says_so = message.find(kind) != std::string_view::npos;
  write_stderr(fmt::format("{}{}\n", says_so ? "" : kind, message));
}

void StderrLog::clear_live_line() {
  if (has_live_line_) write_stderr("\r\x1b[K");
  has_live_line_ = false;
}

}  // namespace agon::cli
