// SPDX-License-Identifier: Apache-2.0
// Words and expressions, seen through the index of a label.
#include <gtest/gtest.h>

#include "unit/fsp/fixture.h"

namespace agon::fsp {
namespace {

std::string value(const std::string& expression) {
  const std::string text = test::show(
      "const N = 3\nrange R = 1..N\nset S = {p, q.r, s[R]}\n"
      "P = (a[" +
      expression + "] -> P).");
  return text.substr(4, text.size() - 6);  // Of "0 a.VALUE 0".
}

TEST(FspExpression, NumbersAreDecimalOctalOrHexadecimal) {
  EXPECT_EQ(value("10"), "10");
  EXPECT_EQ(value("010"), "8");
  EXPECT_EQ(value("0x1F"), "31");
  EXPECT_EQ(value("0"), "0");
  EXPECT_EQ(value("9223372036854775807"), "9223372036854775807");
}

TEST(FspExpression, OperatorsBindAsInC) {
  EXPECT_EQ(value("1 + 2 * 3"), "7");
  EXPECT_EQ(value("(1 + 2) * 3"), "9");
  EXPECT_EQ(value("10 - 3 - 2"), "5");
  EXPECT_EQ(value("7 / 2 * 2"), "6");
  EXPECT_EQ(value("-7 / 2"), "-3");
  EXPECT_EQ(value("-7 % 3"), "-1");
  EXPECT_EQ(value("1 << 2 + 1"), "8");
  EXPECT_EQ(value("-8 >> 1"), "-4");
  EXPECT_EQ(value("1 | 2 ^ 3 & 2"), "1");
  EXPECT_EQ(value("1 < 2 == 1"), "1");
  EXPECT_EQ(value("0 == 0 & 0"), "0");
  EXPECT_EQ(value("1 || 0 && 0"), "1");
  EXPECT_EQ(value("2 && 4"), "1");
  EXPECT_EQ(value("3 >= 3"), "1");
  EXPECT_EQ(value("3 > 3"), "0");
  EXPECT_EQ(value("2 <= 1"), "0");
  EXPECT_EQ(value("N != 3"), "0");
}

TEST(FspExpression, NotIsTrueForWhatIsNotPositive) {
  EXPECT_EQ(value("!0"), "1");
  EXPECT_EQ(value("!-1"), "1");
  EXPECT_EQ(value("!2"), "0");
  EXPECT_EQ(value("!!5"), "1");
  EXPECT_EQ(value("- -5"), "5");
  EXPECT_EQ(value("+5"), "5");
}

TEST(FspExpression, LogicStopsWhenItKnows) {
  EXPECT_EQ(value("0 && 1 / 0"), "0");
  EXPECT_EQ(value("1 || 1 / 0"), "1");
}

TEST(FspExpression, SetsAndLabels) {
  EXPECT_EQ(value("#S"), "5");
  EXPECT_EQ(value("#{x, y, x}"), "2");
  EXPECT_EQ(value("@(S, 1)"), "q.r");
  EXPECT_EQ(value("'x.y"), "x.y");
  EXPECT_EQ(value("'x == 'x"), "1");
  EXPECT_EQ(value("'x[1 + 1] != 'x.y"), "1");
  EXPECT_EQ(value("@({[4..6]}, 1) + 1"), "6");
}

TEST(FspExpression, LongSumsNeedNoStack) {
  std::string sum = "0";
  for (int i = 0; i < 100'000; ++i) sum += "+1";
  EXPECT_EQ(value(sum), "100000");
}

TEST(FspExpression, CommentsAreSkipped) {
  EXPECT_EQ(test::show("// one\nP = /* two\n*/ (a -> P). // three"), "0 a 0");
}

}  // namespace
}  // namespace agon::fsp
