// SPDX-License-Identifier: Apache-2.0
#include "support/error.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/source.h"

namespace agon::support {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    if (c == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += c;
    }
  }
  return lines;
}

/// The message that a reader would show for a mistake at `offset`.
std::vector<std::string> shown(const std::string& text, std::size_t offset) {
  try {
    Source::from_string("f", text).fail(offset, "wrong");
  } catch (const InputError& error) {
    return lines_of(error.what());
  }
  return {};
}

TEST(Error, PointsAtTheColumn) {
  EXPECT_EQ(shown("abc\ndef\n", 5), (std::vector<std::string>{
                                        "f:2:2: error: wrong",
                                        " 2 | def",
                                        "   |  ^",
                                    }));
}

TEST(Error, PointsBehindTheLastCharacterAtTheEndOfAFile) {
  EXPECT_EQ(shown("ab", 2), (std::vector<std::string>{
                                "f:1:3: error: wrong",
                                " 1 | ab",
                                "   |   ^",
                            }));
  EXPECT_EQ(shown("ab\n", 3), (std::vector<std::string>{
                                  "f:2:1: error: wrong",
                                  " 2 | ",
                                  "   | ^",
                              }));
  EXPECT_EQ(shown("", 0), (std::vector<std::string>{
                              "f:1:1: error: wrong",
                              " 1 | ",
                              "   | ^",
                          }));
}

TEST(Error, PointsAtTheNewlineItself) {
  EXPECT_EQ(shown("ab\ncd", 2), (std::vector<std::string>{
                                    "f:1:3: error: wrong",
                                    " 1 | ab",
                                    "   |   ^",
                                }));
}

TEST(Error, ShowsATabAsOneColumn) {
  EXPECT_EQ(shown("\tx y", 3), (std::vector<std::string>{
                                   "f:1:4: error: wrong",
                                   " 1 |  x y",
                                   "   |    ^",
                               }));
}

TEST(Error, ReplacesControlCharacters) {
  EXPECT_EQ(shown(std::string("a\x1b[31m\0b", 8), 7)[1], " 1 | a?[31m?b");
  EXPECT_EQ(shown("a\r\nb", 0)[1], " 1 | a?");
}

TEST(Error, CountsAnUmlautAsOneColumnUnderTheCaret) {
  EXPECT_EQ(shown("\u00fc\u00fc x", 5), (std::vector<std::string>{
                                            "f:1:6: error: wrong",
                                            " 1 | \u00fc\u00fc x",
                                            "   |    ^",
                                        }));
}

TEST(Error, CutsALongLineAroundTheColumn) {
  std::string text(5000, 'a');
  text[3000] = 'X';
  const auto lines = shown(text, 3000);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0], "f:1:3001: error: wrong");
  EXPECT_LT(lines[1].size(), 130U);
  EXPECT_NE(lines[1].find("..."), std::string::npos);
  const std::size_t caret = lines[2].find('^');
  ASSERT_NE(caret, std::string::npos);
  EXPECT_EQ(lines[1][caret], 'X');
}

TEST(Error, KeepsCaretUnderCharacterAtEveryColumnOfALongLine) {
  for (std::size_t at = 0; at < 400; ++at) {
    std::string text(400, 'a');
    text[at] = 'X';
    const auto lines = shown(text, at);
    const std::size_t caret = lines[2].find('^');
    ASSERT_LT(caret, lines[1].size()) << at;
    ASSERT_EQ(lines[1][caret], 'X') << at;
  }
}

TEST(Error, WithoutAPlaceHasNoCaret) {
  EXPECT_STREQ(InputError("no such thing").what(), "error: no such thing");
  EXPECT_EQ(render_diagnostic("warning", "odd", {"f", 0, 0}, ""),
            "f: warning: odd");
}

TEST(Error, AlignsTheMarginWithLineNumbersOfAnyLength) {
  const std::string text(99, '\n');
  const auto lines = shown(text + "x", 99);
  EXPECT_EQ(lines[0], "f:100:1: error: wrong");
  EXPECT_EQ(lines[1], " 100 | x");
  EXPECT_EQ(lines[2], "     | ^");
}

TEST(ErrorDeathTest, AssertionNamesWhatWasExpected) {
  EXPECT_DEATH(AGON_ASSERT(1 + 1 == 3), "expected 1 \\+ 1 == 3");
}

}  // namespace
}  // namespace agon::support
