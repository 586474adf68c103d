// SPDX-License-Identifier: Apache-2.0
/// The log of the command line: stderr.
#pragma once

#include <string_view>

#include "support/context.h"

namespace agon::cli {

/// Writes to stderr as far as that is possible. There is nobody to tell if not.
void write_stderr(std::string_view text);

/// Writes notes and warnings as lines. Progress is one live line, and appears
/// only if stderr is a terminal.
class StderrLog final : public support::Log {
 public:
  StderrLog();
  ~StderrLog() override;

  void write(Level level, std::string_view message) override;

 private:
  void clear_live_line();

  bool is_terminal_;
  bool has_live_line_ = false;
};

}  // namespace agon::cli
