// SPDX-License-Identifier: Apache-2.0
/// Errors: bad input is an exception with a place and a caret, a bug is an
/// assertion. Neither is used for "don't know", which is a value.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace agon::support {

/// A place in a file that the user gave us. Lines and columns count from 1;
/// line 0 means the file as a whole.
struct Location {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// Input that cannot be used. Thrown by readers, caught only by a `main`.
class InputError : public std::runtime_error {
 public:
  /// An error that concerns no particular place, such as a missing file.
  explicit InputError(const std::string& message);

  /// An error at a place. `line_text` is the line of source at `location`, of
  /// which the rendering shows the part around the column above a caret.
  InputError(const std::string& message, Location location,
             std::string_view line_text);

  const Location& location() const { return location_; }
  const std::string& message() const { return message_; }

 private:
  Location location_;
  std::string message_;
};

/// Renders `file:line:column: severity: message`, the line and the caret.
/// Control characters in the line are replaced, and long lines are cut.
std::string render_diagnostic(std::string_view severity,
                              std::string_view message,
                              const Location& location,
                              std::string_view line_text);

/// Reports a violated invariant and aborts. Use AGON_ASSERT.
[[noreturn]] void assertion_failed(const char* condition, const char* file,
                                   int line);

}  // namespace agon::support

/// States what must hold if our own code is right; checked in every build.
#define AGON_ASSERT(condition)  \
  (static_cast<bool>(condition) \
       ? static_cast<void>(0)   \
       : ::agon::support::assertion_failed(#condition, __FILE__, __LINE__))
