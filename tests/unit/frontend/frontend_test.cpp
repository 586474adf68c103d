// SPDX-License-Identifier: Apache-2.0
// What only the program shows. That programs mean what they should is compared
// with the compiler by tests/differential.
#include "frontend/frontend.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "ir/text.h"
#include "support/error.h"

namespace agon::frontend {
namespace {

class Frontend : public testing::Test {
 protected:
  Frontend()
      : folder_(std::filesystem::temp_directory_path() /
                ("agon-frontend-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~Frontend() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) {
    const std::filesystem::path path = folder_ / name;
    std::ofstream(path) << text;
    return path.string();
  }

  ir::Program lower(const std::string& text, const Options& options = {}) {
    const std::vector<std::string> files{write("test.c", text)};
    return frontend::lower(files, options, context_);
  }

  static bool has_object(const ir::Program& program, const std::string& name) {
    return std::ranges::any_of(program.objects, [&](const ir::Object& o) {
      return o.display == name;
    });
  }
  static bool has_variable(const ir::Program& program,
                           const std::string& name) {
    return std::ranges::any_of(program.variables, [&](const ir::Variable& v) {
      return v.display == name;
    });
  }

  support::Context context_;

 private:
  std::filesystem::path folder_;
};

TEST_F(Frontend, PutsOnlyWhatHasAnAddressIntoMemory) {
  const ir::Program program = lower(
      "struct point { int x, y; };\n"
      "int taken, plain;\n"
      "void use(int *);\n"
      "int main(void) {\n"
      "  struct point p = {1, 2}, q = {3, 4};\n"
      "  use(&q.x); use(&taken);\n"
      "  return p.x + plain;\n"
      "}\n");
  EXPECT_TRUE(has_variable(program, "p.x"));
  EXPECT_TRUE(has_variable(program, "p.y"));
  EXPECT_TRUE(has_variable(program, "plain"));
  EXPECT_FALSE(has_object(program, "p"));
  EXPECT_TRUE(has_object(program, "q"));
  EXPECT_TRUE(has_object(program, "taken"));
  EXPECT_FALSE(has_variable(program, "taken"));
}

TEST_F(Frontend, KnowsAddressesThatOtherFilesTake) {
  const std::vector<std::string> files{
      write("a.c", "int shared;\nint main(void) { return shared; }\n"),
      write("b.c",
            "extern int shared;\nint *where(void) { return &shared; }\n")};
  const ir::Program program = frontend::lower(files, {}, context_);
  EXPECT_TRUE(has_object(program, "shared"));
  EXPECT_FALSE(has_variable(program, "shared"));
}

TEST_F(Frontend, TellsWhereAStatementStands) {
  const ir::Program program =
      lower("int main(void) {\n  int x = 1;\n\n  x = 2;\n  return x;\n}\n");
  std::vector<std::uint32_t> lines;
  for (const ir::Edge& edge :
       program[*program.find_function("main")].body.edges()) {
    lines.push_back(edge.position.line);
  }
  EXPECT_EQ(lines, (std::vector<std::uint32_t>{2, 4, 5}));
}

TEST_F(Frontend, ListsFloatingPointAsAnAssumption) {
  const ir::Program exact =
      lower("double d = 1.5;\nint main(void) { return 2.0 > 1.0; }\n");
  EXPECT_TRUE(exact.assumptions.empty());
  const ir::Program arbitrary =
      lower("double d = 1.5;\nint main(void) { return d + 1 > 2; }\n");
  ASSERT_EQ(arbitrary.assumptions.size(), 1U);
  EXPECT_EQ(arbitrary.assumptions[0].subject, "floating point");
  EXPECT_EQ(arbitrary.assumptions[0].position.line, 2U);
}

TEST_F(Frontend, TakesTheDataModel) {
  Options options;
  options.model = ir::DataModel::ILP32;
  const ir::Program small = lower("long x; int main(void){return 0;}", options);
  EXPECT_EQ(small.pointer_width(), 32U);
  EXPECT_EQ(lower("long x; int main(void){return 0;}").pointer_width(), 64U);
}

TEST_F(Frontend, WritesProgramsThatCanBeReadBack) {
  const ir::Program program = lower(
      "typedef struct node { struct node *next; unsigned k : 3; } node;\n"
      "static node last = {0, 5};\n"
      "static int (*table[2])(const char *, ...);\n"
      "int printf(const char *, ...);\n"
      "union u { int i; char c[4]; } u = {.c = \"ab\"};\n"
      "int walk(node *n) {\n"
      "  int sum = 0;\n"
      "  for (; n != 0; n = n->next) switch (n->k) {\n"
      "    case 1 ... 3: sum++; break;\n"
      "    default: printf(\"%d\\n\", sum);\n"
      "  }\n"
      "  return sum;\n"
      "}\n"
      "int main(void) { table[0] = printf; node a = last; "
      "return walk(&a) + u.i; }\n");
  const std::string text = ir::to_text(program);
  const ir::Program again =
      ir::parse_text(support::Source::from_string("test.ir", text));
  EXPECT_TRUE(ir::same_program(program, again));
  EXPECT_EQ(ir::to_text(again), text);
}

TEST_F(Frontend, LetsARoutineWithoutAResultHaveAnyWhereOneIsUsed) {
  const ir::Program program =
      lower("int main(void) { int x = __VERIFIER_assume(1); return x; }\n");
  const auto edges = program[*program.find_function("main")].body.edges();
  EXPECT_TRUE(std::ranges::any_of(edges, [](const ir::Edge& edge) {
    return std::holds_alternative<ir::Havoc>(edge.statement);
  }));
}

TEST_F(Frontend, PointsAtWhatItRefuses) {
  try {
    lower("int main(void) {\n  void *p = &&end;\n  end: return p != 0;\n}\n");
    FAIL() << "the address of a label was accepted";
  } catch (const support::InputError& error) {
    EXPECT_EQ(error.location().line, 2U);
    EXPECT_EQ(error.location().column, 13U);
  }
}

TEST_F(Frontend, RefusesTwoDefinitions) {
  const std::vector<std::string> files{
      write("a.c", "int f(void) { return 1; }\n"),
      write("b.c", "int f(void) { return 2; }\n")};
  try {
    frontend::lower(files, {}, context_);
    FAIL() << "two definitions were accepted";
  } catch (const support::InputError& error) {
    EXPECT_EQ(error.location().file, files[1]);
    EXPECT_NE(error.message().find(files[0] + ":1"), std::string::npos);
  }
}

}  // namespace
}  // namespace agon::frontend
