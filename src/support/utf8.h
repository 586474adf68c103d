// SPDX-License-Identifier: Apache-2.0
/// Text of the user's as characters, whatever its bytes are.
#pragma once

#include <string>
#include <string_view>

namespace agon::support {

/// U+FFFD, which stands for what is no character.
inline constexpr std::string_view kReplacement = "\xef\xbf\xbd";

/// One character, or one byte that is a part of none.
struct Utf8Piece {
  std::string_view bytes;
  char32_t character = 0;
  bool is_valid = true;
};

/// Takes the first piece off a text that is not empty.
Utf8Piece take_utf8(std::string_view& text);

/// The text as a terminal may see it: a line feed stays, and whatever could
/// command the terminal, or turn the direction of the text, becomes `?`.
std::string printable(std::string_view text);

}  // namespace agon::support
