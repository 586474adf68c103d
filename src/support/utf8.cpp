// SPDX-License-Identifier: Apache-2.0
#include "support/utf8.h"

#include <cstddef>

namespace agon::support {
namespace {

/// How many bytes a character has that starts with this one; 0 if none does.
std::size_t length(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

bool is_character(char32_t c, std::size_t bytes) {
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  return c >= kLeast[bytes] && c <= 0x10ffff && (c < 0xd800 || c > 0xdfff);
}

Utf8Piece first_piece(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return static_cast<unsigned char>(text[i]);
  };
  const std::size_t bytes = length(byte(0));
  const Utf8Piece broken{text.substr(0, 1), 0, false};
  if (bytes == 0 || bytes > text.size()) return broken;
  char32_t c = bytes == 1 ? byte(0) : byte(0) & (0x7fU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return broken;
    c = c << 6 | (byte(i) & 0x3fU);
  }
  if (!is_character(c, bytes)) return broken;
  return {text.substr(0, bytes), c, true};
}

bool is_harmless(char32_t c) {
  if (c == '\n') return true;
  const bool is_control = c < 0x20 || (c >= 0x7f && c < 0xa0);
  const bool turns = (c >= 0x200e && c <= 0x200f) ||
                     (c >= 0x202a && c <= 0x202e) ||
                     (c >= 0x2066 && c <= 0x2069);
  return !is_control && !turns;
}

}  // namespace

Utf8Piece take_utf8(std::string_view& text) {
  const Utf8Piece piece = first_piece(text);
  text.remove_prefix(piece.bytes.size());
  return piece;
}

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const Utf8Piece piece = take_utf8(text);
    if (piece.is_valid && is_harmless(piece.character)) {
      result += piece.bytes;
    } else {
      result += '?';
    }
  }
  return result;
}

}  // namespace agon::support
