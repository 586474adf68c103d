// SPDX-License-Identifier: Apache-2.0
#include "support/utf8.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace agon::support {
namespace {

/// As the table of the standard has it.
std::string encode(char32_t c) {
  const auto byte = [](char32_t value) { return static_cast<char>(value); };
  if (c < 0x80) return {byte(c)};
  if (c < 0x800) return {byte(0xc0 | c >> 6), byte(0x80 | (c & 0x3f))};
  if (c < 0x10000) {
    return {byte(0xe0 | c >> 12), byte(0x80 | (c >> 6 & 0x3f)),
            byte(0x80 | (c & 0x3f))};
  }
  return {byte(0xf0 | c >> 18), byte(0x80 | (c >> 12 & 0x3f)),
          byte(0x80 | (c >> 6 & 0x3f)), byte(0x80 | (c & 0x3f))};
}

TEST(Utf8, KnowsEveryCharacter) {
  for (char32_t c = 0; c <= 0x10ffff; ++c) {
    const std::string bytes = encode(c);
    std::string_view rest = bytes;
    const Utf8Piece piece = take_utf8(rest);
    const bool is_surrogate = c >= 0xd800 && c <= 0xdfff;
    ASSERT_EQ(piece.is_valid, !is_surrogate) << static_cast<unsigned>(c);
    if (is_surrogate) continue;
    ASSERT_EQ(piece.character, c);
    ASSERT_EQ(piece.bytes, bytes);
    ASSERT_TRUE(rest.empty());
  }
}

TEST(Utf8, RefusesWhatIsNone) {
  for (const char* const bytes :
       {"\x80", "\xc0\x80", "\xc1\xbf", "\xe0\x9f\xbf", "\xf0\x8f\xbf\xbf",
        "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff", "\xc3", "\xe2\x82",
        "\xc3(", "\xed\xa0\x80"}) {
    std::string_view rest = bytes;
    EXPECT_FALSE(take_utf8(rest).is_valid) << bytes;
  }
}

TEST(Utf8, LosesNoByte) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (int i = 0; i < 12; ++i) text += static_cast<char>(random());
    std::string together;
    for (std::string_view rest = text; !rest.empty();) {
      together += take_utf8(rest).bytes;
    }
    ASSERT_EQ(together, text);
  }
}

TEST(Utf8, PrintsNoCommands) {
  EXPECT_EQ(printable("a\x1b[2J\n\tb\x7f"), "a?[2J\n?b?");
  EXPECT_EQ(printable("\xc2\x9b \xe2\x80\xae \xff \xc3\xa9"), "? ? ? \xc3\xa9");
}

}  // namespace
}  // namespace agon::support
