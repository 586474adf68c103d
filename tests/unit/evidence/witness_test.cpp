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

TEST(LoopOfCondition, FindsLoopsWithoutOne) {
  EXPECT_EQ(loop_of_condition("while (1) {\n x", 13), 0U);
  EXPECT_EQ(loop_of_condition("a; for (i = 0; ; i++) x", 22), 3U);
  EXPECT_EQ(loop_of_condition("while (true) x", 13), 0U);
  EXPECT_EQ(loop_of_condition("while (1) { if (!x) y", 17), 0U);
  EXPECT_FALSE(loop_of_condition("while (1) { z; if (x) y", 19));
  EXPECT_FALSE(loop_of_condition("while (10) x", 11));
  EXPECT_FALSE(loop_of_condition("if (1) { x", 9));
  EXPECT_FALSE(loop_of_condition("awhile (1) x", 11));
  EXPECT_FALSE(loop_of_condition("while (1) { y; x", 15));
  EXPECT_FALSE(loop_of_condition("1) x", 3));
}

TEST(LoopOfCondition, IsSureOfIt) {
  EXPECT_FALSE(loop_of_condition("while (y) { x }", 12));
  EXPECT_FALSE(loop_of_condition("while (y && x)", 12));
  EXPECT_FALSE(loop_of_condition("awhile (x)", 8));
  EXPECT_FALSE(loop_of_condition("while_(x)", 7));
  EXPECT_FALSE(loop_of_condition("x", 0));
}

TEST(BranchOfCondition, FindsTheKeywordAndTheNegations) {
  const auto at = [](std::string_view text, std::size_t offset) {
    const auto found = branch_of_condition(text, offset);
    EXPECT_TRUE(found) << text;
    return found ? std::pair(found->keyword, found->is_negated)
                 : std::pair<std::size_t, bool>(99, false);
  };
  EXPECT_EQ(at("if (x) y;", 4), std::pair(std::size_t{0}, false));
  EXPECT_EQ(at("a; if ( !(x < 3)) y;", 10), std::pair(std::size_t{3}, true));
  EXPECT_EQ(at("if (!!x) y;", 6), std::pair(std::size_t{0}, false));
  EXPECT_EQ(at("if (!x == 3) y;", 4), std::pair(std::size_t{0}, false));
  EXPECT_EQ(at("while (f(x)) y;", 7), std::pair(std::size_t{0}, false));
  EXPECT_EQ(at("for (i = 0; !i; i++) y;", 13), std::pair(std::size_t{0}, true));
}

TEST(BranchOfCondition, IsSureOfIt) {
  EXPECT_FALSE(branch_of_condition("if (x && y) z;", 4));
  EXPECT_FALSE(branch_of_condition("if (x && y) z;", 9));
  EXPECT_FALSE(branch_of_condition("if (x ? y : z) a;", 4));
  EXPECT_FALSE(branch_of_condition("do a; while (x);", 13));
  EXPECT_FALSE(branch_of_condition("if (a) x = y;", 7));
  EXPECT_FALSE(branch_of_condition("elif (x) y;", 6));
  EXPECT_FALSE(branch_of_condition("#define x !y\nif (x) z;", 17));
  EXPECT_FALSE(branch_of_condition("#include <a>\nif (x(1)) z;", 17));
  EXPECT_FALSE(branch_of_condition("#include <a>\nif (X) z;", 17));
  EXPECT_FALSE(branch_of_condition("if (x", 4));
  EXPECT_FALSE(branch_of_condition("", 4));
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
