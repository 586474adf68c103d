// SPDX-License-Identifier: Apache-2.0
#include "evidence/witness.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace agon::evidence {
namespace {

ir::Position at(std::string_view text, std::string_view what) {
  const std::size_t offset = text.find(what);
  EXPECT_NE(offset, std::string_view::npos) << what;
  const std::string_view before = text.substr(0, offset);
  ir::Position position;
  position.line = static_cast<std::uint32_t>(
      1 + std::count(before.begin(), before.end(), '\n'));
  const std::size_t start = before.rfind('\n');
  position.column = static_cast<std::uint32_t>(
      start == std::string_view::npos ? offset + 1 : offset - start);
  return position;
}

TEST(EndOfCall, IsItsParenthesis) {
  EXPECT_EQ(end_of_call("f()", 0, "f"), 2U);
  EXPECT_EQ(end_of_call("x = f ( g(1), (2) );", 4, "f"), 18U);
  EXPECT_EQ(end_of_call("f\n (\n)", 0, "f"), 5U);
}

TEST(EndOfCall, NeedsACall) {
  EXPECT_FALSE(end_of_call("g()", 0, "f"));
  EXPECT_FALSE(end_of_call("fg()", 0, "f"));
  EXPECT_FALSE(end_of_call("f", 0, "f"));
  EXPECT_FALSE(end_of_call("f(", 0, "f"));
  EXPECT_FALSE(end_of_call("f) ()", 0, "f"));
  EXPECT_FALSE(end_of_call("f; ()", 0, "f"));
  EXPECT_FALSE(end_of_call("", 7, "f"));
}

TEST(LoopOfCondition, FindsTheKeyword) {
  EXPECT_EQ(loop_of_condition("while (x)", 7), 0U);
  EXPECT_EQ(loop_of_condition("a; while ((!x))", 12), 3U);
  EXPECT_EQ(loop_of_condition("for (i = 0; i < n; i++)", 12), 0U);
  EXPECT_EQ(loop_of_condition("while (y) ; for (;x;)", 18), 12U);
}

TEST(LoopOfCondition, IsSureOfIt) {
  EXPECT_FALSE(loop_of_condition("while (y) { x }", 12));
  EXPECT_FALSE(loop_of_condition("while (y && x)", 12));
  EXPECT_FALSE(loop_of_condition("for (;;) x", 9));
  EXPECT_FALSE(loop_of_condition("awhile (x)", 8));
  EXPECT_FALSE(loop_of_condition("while_(x)", 7));
  EXPECT_FALSE(loop_of_condition("x", 0));
}

TEST(Scope, EndsWithTheBlock) {
  const std::string_view text =
      "int main(void) {\n  int a;\n  { int b; /* } */ }\n"
      "  for (int c = 0; c < 3;) { }\n  while (a < 1) { }\n}\n";
  const ir::Position loop = at(text, "a < 1");
  EXPECT_TRUE(is_in_scope(text, at(text, "a;"), loop));
  EXPECT_FALSE(is_in_scope(text, at(text, "b;"), loop));
  EXPECT_FALSE(is_in_scope(text, at(text, "c = 0"), loop));
  EXPECT_FALSE(is_in_scope(text, at(text, "c = 0"), at(text, "c < 3")));
  EXPECT_FALSE(is_in_scope(text, loop, at(text, "a;")));
}

}  // namespace
}  // namespace agon::evidence
