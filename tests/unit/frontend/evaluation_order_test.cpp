// SPDX-License-Identifier: Apache-2.0
// Where the order of evaluation is listed as an assumption, and where not.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "frontend/frontend.h"

namespace agon::frontend {
namespace {

class EvaluationOrderTest : public testing::Test {
 protected:
  EvaluationOrderTest()
      : folder_(std::filesystem::temp_directory_path() /
                ("agon-order-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~EvaluationOrderTest() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) {
    const std::filesystem::path path = folder_ / name;
    std::ofstream(path) << text;
    return path.string();
  }

  bool is_listed(const std::vector<std::string>& files) {
    const ir::Program program = lower(files, {}, context_);
    return std::ranges::any_of(program.assumptions, [](const auto& each) {
      return each.subject == "order of evaluation";
    });
  }

  bool matters(const std::string& statement) {
    return is_listed(
        {write("test.c", kDeclarations + "int main(void) {\n" +
                             "  int i = 0, j = 0, a[4] = {0};\n" +
                             "  struct s v = {0}, *p = &v;\n  " + statement +
                             "\n  return i + j;\n}\n")});
  }

 private:
  const std::string kDeclarations =
      "int unknown(int);\n"
      "int pure(int) __attribute__((pure));\n"
      "unsigned long strlen(const char *);\n"
      "void *memcpy(void *, const void *, unsigned long);\n"
      "int printf(const char *, ...);\n"
      "struct s { int x, y; struct s *next; };\n"
      "int shared; static int hidden; static int other;\n"
      "int (*pointer)(int);\n"
      "static int square(int n) { return n * n; }\n"
      "static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }\n"
      "static int count(void) { return ++hidden; }\n"
      "static int peek(void) { return hidden; }\n"
      "static int peek_far(void) { return peek() + 1; }\n"
      "static int set_x(struct s *p) { return p->x = 1; }\n"
      "static int get_y(struct s *p) { return p->y; }\n"
      "static int get_x(struct s *p) { return p->x; }\n"
      "static int through(int *q) { return *q = 3; }\n"
      "static unsigned bits(float f) {\n"
      "  unsigned u; memcpy(&u, &f, 4); return u;\n"
      "}\n"
      "static int say(int n) { printf(\"%d\", n); return n; }\n";
  support::Context context_;
  std::filesystem::path folder_;
};

TEST_F(EvaluationOrderTest, MattersWhereOneWritesWhatTheOtherReads) {
  for (const char* statement : {
           "i = count() + peek();",
           "i = pure(hidden) + count();",
           "i = peek_far() * count();",
           "i = hidden + count();",
           "i = count() - hidden;",
           "hidden += count();",
           "i = i++ + i;",
           "a[i] = i++;",
           "i = a[j++] + j;",
           "printf(\"%d %d\", i++, i);",
           "i = set_x(p) + get_x(p);",
           "i = set_x(p) + p->x;",
           "i = set_x(p) + v.x;",
           "i = (p->next->x = 1) + v.x;",
           "i = a[0] + through(a);",
           "j = j + through(&j);",
           "struct s w = {count(), peek()};",
           "p->next->y = (p = 0, 1);",
           "i = count() < hidden;",
           "i = ({ hidden = 4; 1; }) + peek();",
           "hidden + count();",
       }) {
    EXPECT_TRUE(matters(statement)) << statement;
  }
}

TEST_F(EvaluationOrderTest, MattersWhereBothCanBeSeenOutside) {
  for (const char* statement : {
           "i = unknown(1) + unknown(2);",
           "printf(\"%d %d\", say(1), say(2));",
           "i = say(1) - unknown(2);",
           "i = pointer(1) + pointer(2);",
           "i = pointer(1) + count();",
           "i = shared + unknown(1);",
           "i = p->x + unknown(1);",
       }) {
    EXPECT_TRUE(matters(statement)) << statement;
  }
}

TEST_F(EvaluationOrderTest, DoesNotMatterInOrdinaryPrograms) {
  for (const char* statement : {
           "i = square(1) + square(2);",
           "i = fib(7);",
           "i = peek() + peek_far();",
           "i = count() + other;",
           "i = j + unknown(i);",
           "i = hidden + say(2);",
           "a[i++] = j++;",
           "a[j] = unknown(i);",
           "i = a[j] = count();",
           "p->x = unknown(p->y);",
           "i = set_x(p) + get_y(p);",
           "i = (count(), peek());",
           "i = count() && peek();",
           "i = count() ? peek() : hidden;",
           "i = pure(1) + pure(2);",
           "i = pure(other) + count();",
           "i = strlen(\"a\") + strlen(\"b\");",
           "printf(\"%d %u\", say(1), sizeof(i++));",
           "i = bits(1) + bits(2);",
           "i += unknown(1);",
           "i = _Generic(j++, int: 1, default: 2) + j;",
           "v = (struct s){1, j++, p};",
           "int k = count(), l = peek(); i = k + l;",
           "for (i = 0; i < count(); i++) j += a[i];",
       }) {
    EXPECT_FALSE(matters(statement)) << statement;
  }
}

TEST_F(EvaluationOrderTest, MattersForWhatOtherFilesDo) {
  const std::string use = write("use.c",
                                "int step(void); int look(void);\n"
                                "int main(void) { return step() + look(); }\n");
  EXPECT_TRUE(is_listed({use, write("same.c",
                                    "int n; int step(void) { return ++n; }\n"
                                    "int look(void) { return n; }\n")}));
  EXPECT_FALSE(is_listed({use, write("apart.c",
                                     "int n, m;\n"
                                     "int step(void) { return ++n; }\n"
                                     "int look(void) { return m; }\n")}));
}

}  // namespace
}  // namespace agon::frontend
