// SPDX-License-Identifier: Apache-2.0
/// Text as it is shown on a terminal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace agon::cli {

enum class Colour : std::uint8_t {
  Auto,  ///< On a terminal, unless NO_COLOR is set.
  Always,
  Never,
};

bool is_terminal(int descriptor);
bool wants_colour(Colour colour, int descriptor);
/// How wide the terminal is; 80 if it does not say.
std::size_t columns(int descriptor);

/// Lines that are longer are broken at spaces, and go on with more indentation.
std::string folded(std::string_view text, std::size_t width);

/// Verdicts, notes and actions stand out.
std::string coloured(std::string_view text);

}  // namespace agon::cli
