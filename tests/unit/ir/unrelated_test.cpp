// SPDX-License-Identifier: Apache-2.0
#include "ir/unrelated.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "frontend/frontend.h"
#include "support/context.h"

namespace agon::ir {
namespace {

/// Whether what `a` and `b` point to is unrelated, in a program with more text.
bool are_unrelated(const std::string& text, const std::string& a,
                   const std::string& b) {
  const std::string path =
      testing::TempDir() + "unrelated_" + std::to_string(::getpid()) + ".c";
  std::ofstream(path)
      << "struct one { int number; char text[4]; };\n"
         "struct other { int number; struct one *link; };\n"
         "struct outer { long before; struct one inside[2]; };\n"
         "union either { struct one one; long number; };\n"
         "extern void take(void *);\n"
      << text << "\nvoid run(" << a << " *a, " << b << " *b) {}\n";
  support::Context context;
  const Program program =
      frontend::lower(std::vector<std::string>{path}, {}, context);
  std::filesystem::remove(path);
  const Function& run = program[*program.find_function("run")];
  const auto pointee = [&](std::size_t i) {
    return program.types[program[run.parameters[i]].type].element;
  };
  const UnrelatedTypes unrelated(program);
  const bool result = unrelated(pointee(0), pointee(1));
  EXPECT_EQ(result, unrelated(pointee(1), pointee(0)));
  return result;
}

TEST(UnrelatedTypes, HaveNoObjectsInCommon) {
  EXPECT_TRUE(are_unrelated("", "struct one", "struct other"));
  EXPECT_TRUE(are_unrelated("", "struct one", "long"));
  EXPECT_TRUE(are_unrelated("", "struct one *", "struct other *"));
  // Others may be converted as they like.
  EXPECT_TRUE(are_unrelated("void f(struct outer *o) { take((long *)o); }",
                            "struct other", "short"));
}

TEST(UnrelatedTypes, AreNotTheSame) {
  EXPECT_FALSE(are_unrelated("", "struct one", "struct one"));
  EXPECT_FALSE(are_unrelated("", "int", "unsigned"));
  EXPECT_FALSE(are_unrelated("enum kind { A };", "int", "enum kind"));
  // Anything may be seen as characters.
  EXPECT_FALSE(are_unrelated("", "struct one", "char"));
  EXPECT_FALSE(are_unrelated("", "struct one", "void"));
  EXPECT_FALSE(are_unrelated("struct hidden;", "struct one", "struct hidden"));
}

TEST(UnrelatedTypes, AreNoParts) {
  EXPECT_FALSE(are_unrelated("", "struct one", "int"));
  EXPECT_FALSE(are_unrelated("", "struct one", "struct outer"));
  EXPECT_FALSE(are_unrelated("", "struct other", "struct one *"));
}

TEST(UnrelatedTypes, AreNeverConverted) {
  for (const char* text :
       {"struct one *f(struct other *o) { return (struct one *)o; }",
        "void f(struct one *o) { take(o); }",
        "unsigned long f(struct one *o) { return (unsigned long)o; }",
        "int f(struct one *o, struct other *p) { return (void *)o == p; }",
        "struct one *f(char *bytes) { return (struct one *)bytes; }",
        "struct one *f(unsigned long n) { return (struct one *)n; }",
        "void f(struct one **o) { take(o); }",
        // What it is part of, or what holds a pointer to it.
        "void f(struct outer *o) { take(o); }",
        "struct holder { struct one *one; };\n"
        "void f(struct holder *h) { take(h); }",
        "union either f(union either e) { return e; }",
        "typedef void (*F)(struct one *);\n"
        "F f(void (*g)(struct other *)) { return (F)g; }"}) {
    EXPECT_FALSE(are_unrelated(text, "struct one", "struct other")) << text;
  }
}

}  // namespace
}  // namespace agon::ir
