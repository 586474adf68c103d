// SPDX-License-Identifier: Apache-2.0
#include "falsify/conjuncts.h"

#include <gtest/gtest.h>

namespace agon::falsify {
namespace {

using term::Term;

class Conjuncts : public testing::Test {
 protected:
  Term number(unsigned value) { return pool.bits(value, 8); }
  Term shortened(std::initializer_list<Term> parts) {
    return without_repetitions(pool, pool.conjunction(parts));
  }

  term::Pool pool;
  Term x = pool.variable("x", term::Sort::bits(8));
  Term y = pool.variable("y", term::Sort::bits(8));
  Term is_five = pool.equal(x, number(5));
  Term is_positive = pool.signed_less(number(0), x);
};

TEST_F(Conjuncts, AreTheFormulaItselfIfThereIsOne) {
  ASSERT_EQ(conjuncts(is_five).size(), 1U);
  EXPECT_EQ(conjuncts(is_five)[0], is_five);
  const Term both = pool.conjunction({is_five, pool.signed_less(x, y)});
  EXPECT_EQ(conjuncts(both).size(), 2U);
}

TEST_F(Conjuncts, KnowConstants) {
  const Term other = pool.equal(number(7), y);
  const auto known = known_constants(pool.conjunction({is_five, other}));
  EXPECT_EQ(known.size(), 2U);
  EXPECT_EQ(known.at(x), number(5));
  EXPECT_EQ(known.at(y), number(7));
  EXPECT_TRUE(known_constants(is_positive).empty());
  EXPECT_TRUE(known_constants(pool.equal(x, y)).empty());
}

TEST_F(Conjuncts, SayNothingTwice) {
  EXPECT_EQ(shortened({is_positive, is_five}), is_five);
  EXPECT_EQ(shortened({is_five}), is_five);
  EXPECT_EQ(shortened({is_positive}), is_positive);
}

TEST_F(Conjuncts, KeepWhatDoesNotFollow) {
  const Term less = pool.signed_less(x, y);
  EXPECT_EQ(shortened({is_five, less}), pool.conjunction({is_five, less}));
  // No state; then all of it is worth saying.
  const Term other = pool.equal(y, number(4));
  const Term none = pool.conjunction({is_five, other, pool.signed_less(x, y)});
  EXPECT_EQ(without_repetitions(pool, none), none);
}

}  // namespace
}  // namespace agon::falsify
