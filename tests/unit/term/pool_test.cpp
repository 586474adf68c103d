// SPDX-License-Identifier: Apache-2.0
#include "term/pool.h"

#include <gtest/gtest.h>

#include "term/substitute.h"

namespace agon::term {
namespace {

TEST(Pool, MakesEqualTermsOnce) {
  Pool pool;
  const Term x = pool.variable("x", Sort::bits(32));
  const Term y = pool.variable("y", Sort::bits(32));
  EXPECT_EQ(pool.variable("x", Sort::bits(32)), x);
  EXPECT_EQ(pool.find("y"), y);
  EXPECT_FALSE(pool.find("z"));
  EXPECT_EQ(pool.multiply(x, y), pool.multiply(x, y));
  EXPECT_EQ(pool.bits(7, 32), pool.bits((Bits{1} << 32) + 7, 32));
  EXPECT_NE(pool.bits(7, 32), pool.bits(7, 64));
  EXPECT_EQ(pool.integer(7), pool.integer(Integer("7")));
  EXPECT_NE(pool.fresh("x", Sort::bits(8)), pool.fresh("x", Sort::bits(8)));
}

TEST(Pool, SubstitutesAllAtOnceInDeepSharedTerms) {
  Pool pool;
  const Term x = pool.variable("x", Sort::bits(32));
  const Term y = pool.variable("y", Sort::bits(32));
  Term t = x;
  Term u = y;
  for (int i = 0; i < 100'000; ++i) {
    t = pool.binary(Kind::UDivide, t, pool.bit_and(t, y));
    u = pool.binary(Kind::UDivide, u, pool.bit_and(u, x));
  }
  EXPECT_EQ(substitute(pool, t, {{x, y}, {y, x}}), u);
  const Substitution swap{{x, y}, {y, x}, {t, x}};
  Substituter swapped(pool, swap);
  EXPECT_EQ(swapped(t), x);
  EXPECT_EQ(swapped.below(t), u);
  EXPECT_EQ(swapped(x), y);
  EXPECT_EQ(swapped.below(x), x);
  EXPECT_EQ(variables_of(t), (std::vector<Term>{x, y}));
}

}  // namespace
}  // namespace agon::term
