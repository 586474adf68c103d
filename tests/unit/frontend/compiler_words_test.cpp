// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler_words.h"

#include <gtest/gtest.h>

#include "support/error.h"

namespace agon::frontend {
namespace {

using Words = std::vector<std::string>;

TEST(CompilerWords, AreFoundInEverySpelling) {
  const CompilerWords taken = take_compiler_words(Words{
      "model", "-Ia", "a.c", "-I", "b", "-DX=1", "-D", "Y", "-UZ", "-std=gnu89",
      "-include", "x.h", "--dot", "-isystem", "s", "--std", "c99"});

  EXPECT_EQ(taken.rest, (Words{"model", "a.c", "--dot"}));
  EXPECT_EQ(taken.arguments, (Words{"-I", "a", "-I", "b", "-D", "X=1", "-D",
                                    "Y", "-U", "Z", "-std=gnu89", "-include",
                                    "x.h", "-isystem", "s", "-std=c99"}));
}

TEST(CompilerWords, FollowTwoDashes) {
  const CompilerWords taken = take_compiler_words(
      Words{"model", "a.c", "--", "-Ia", "--dot", "--", "-fwrapv"});

  EXPECT_EQ(taken.rest, (Words{"model", "a.c"}));
  EXPECT_EQ(taken.arguments, (Words{"-Ia", "--dot", "--", "-fwrapv"}));
}

TEST(CompilerWords, KeepTheirOrder) {
  const CompilerWords taken = take_compiler_words(
      Words{"-DX", "--extra-arg=-UX", "-DX=2", "--extra-arg", "-UX"});

  EXPECT_EQ(taken.arguments, (Words{"-D", "X", "-UX", "-D", "X=2", "-UX"}));
}

TEST(CompilerWords, LeaveOtherOptionsAlone) {
  const Words others{"-p",     "build", "-o",           "x",
                     "--json", "-",     "--statistics", "--extra-args"};

  const CompilerWords taken = take_compiler_words(others);

  EXPECT_EQ(taken.rest, others);
  EXPECT_TRUE(taken.arguments.empty());
}

TEST(CompilerWords, ChooseTheDataModel) {
  EXPECT_EQ(take_compiler_words(Words{"-m32"}).rest,
            Words{"--data-model=ILP32"});
  EXPECT_EQ(take_compiler_words(Words{"-m64"}).rest,
            Words{"--data-model=LP64"});
}

TEST(CompilerWords, NeedTheirValues) {
  for (const Words& words :
       {Words{"-I"}, Words{"-D", ""}, Words{"-std="}, Words{"--std"},
        Words{"-include"}, Words{"--extra-arg"}}) {
    EXPECT_THROW(take_compiler_words(words), support::InputError)
        << words.front();
  }
}

}  // namespace
}  // namespace agon::frontend
