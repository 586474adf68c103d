// SPDX-License-Identifier: Apache-2.0
#include "support/error.h"

#include <fmt/format.h>

#include <algorithm>

namespace agon::support {
namespace {

constexpr std::size_t kShownWidth = 100;

bool is_printable(char c) {
  return static_cast<unsigned char>(c) >= 0x20 && c != 0x7f;
}

// UTF-8 continuation bytes take no room of their own under the caret.
bool takes_room(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
}

}  // namespace

InputError::InputError(const std::string& message)
    : std::runtime_error("error: " + message), message_(message) {}

InputError::InputError(const std::string& message, Location location,
                       std::string_view line_text)
    : std::runtime_error(
          render_diagnostic("error", message, location, line_text)),
      location_(std::move(location)),
      message_(message) {}

std::string render_diagnostic(std::string_view severity,
                              std::string_view message,
                              const Location& location,
                              std::string_view line_text) {
  if (location.line == 0) {
    return fmt::format("{}: {}: {}", location.file, severity, message);
  }
  const std::size_t column = location.column == 0 ? 0 : location.column - 1;
  const std::size_t begin = column < kShownWidth ? 0 : column - kShownWidth / 2;
  const std::string_view window =
      line_text.substr(std::min(begin, line_text.size()), kShownWidth);

  std::string shown;
  std::string padding;
  for (std::size_t i = 0; i < window.size(); ++i) {
    const char c = window[i];
    shown += is_printable(c) ? c : (c == '\t' ? ' ' : '?');
    if (begin + i < column && takes_room(c)) padding += ' ';
  }
  if (column > begin + window.size()) padding += ' ';

  const std::string number = std::to_string(location.line);
  return fmt::format(
      "{}:{}:{}: {}: {}\n {} | {}{}\n {} | {}{}^", location.file, location.line,
      location.column, severity, message, number, begin > 0 ? "..." : "", shown,
      std::string(number.size(), ' '), begin > 0 ? "   " : "", padding);
}

void assertion_failed(const char* condition, const char* file, int line) {
  // The one place in a library that writes to stderr: the process is about to
  // die, and there is nobody left to hand a message to.
  fmt::print(stderr,
             "agon: internal error: {}:{}: expected {}\n"
             "This is a bug in agon; please report it with the input.\n",
             file, line, condition);
  std::abort();
}

}  // namespace agon::support
