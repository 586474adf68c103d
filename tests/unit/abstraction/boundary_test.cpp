// SPDX-License-Identifier: Apache-2.0
// Boundary points against all assignments.
#include "abstraction/boundary.h"

#include <gtest/gtest.h>

#include "unit/abstraction/all_values.h"
#include "unit/abstraction/random_formula.h"

namespace agon::abstraction {
namespace {

using term::Sort;
using term::Term;

TEST(Boundary, IsExactOnComparisonsWithConstants) {
  test::Random random(1);
  std::size_t answered = 0;
  std::size_t contradictions = 0;
  const std::size_t count = test::scaled(400);
  for (std::size_t i = 0; i < count; ++i) {
    SCOPED_TRACE(i);
    term::Pool pool;
    test::RandomFormulas make(pool, random);
    const auto world = test::all_assignments(make.add_variables());
    const auto constraints = make.formulas(3, 3);
    const auto questions = make.formulas(4, 3);
    const auto rows = BoundaryCheck().solve(constraints, questions);
    if (!rows) continue;
    ++answered;
    contradictions += rows->empty() ? 1 : 0;
    ASSERT_EQ(*rows, test::all_answers(world, constraints, questions));
  }
  // Few have more points than it is willing to try.
  EXPECT_GT(answered, count * 9 / 10);
  EXPECT_GT(contradictions, count / 20);
  EXPECT_LT(contradictions, count / 2);
}

TEST(Boundary, AnswersNothingItDoesNotUnderstand) {
  test::Random random(2);
  std::size_t answered = 0;
  for (std::size_t i = 0; i < test::scaled(400); ++i) {
    SCOPED_TRACE(i);
    term::Pool pool;
    test::RandomFormulas make(pool, random);
    make.arithmetic = i % 2 == 0;
    make.pairs = true;
    const auto world = test::all_assignments(make.add_variables());
    const auto constraints = make.formulas(2, 2);
    const auto questions = make.formulas(3, 2);
    const auto rows = BoundaryCheck().solve(constraints, questions);
    if (!rows) continue;
    ++answered;
    ASSERT_EQ(*rows, test::all_answers(world, constraints, questions));
  }
  EXPECT_GT(answered, 0U);
}

TEST(Boundary, IsExactOnIntegers) {
  test::Random random(4);
  std::size_t impossible = 0;
  for (std::size_t i = 0; i < test::scaled(300); ++i) {
    SCOPED_TRACE(i);
    term::Pool pool;
    const std::vector<Term> variables = {pool.variable("x", Sort::integer()),
                                         pool.variable("y", Sort::integer())};
    const auto atom = [&] {
      const Term x = variables[test::below(random, 2)];
      const Term c = pool.integer(static_cast<int>(test::below(random, 7)) - 3);
      const std::size_t kind = test::below(random, 3);
      if (kind == 0) return pool.equal(x, c);
      return kind == 1 ? pool.signed_less(x, c) : pool.signed_less(c, x);
    };
    std::vector<Term> constraints;
    std::vector<Term> questions;
    for (std::size_t k = test::below(random, 4); k > 0; --k) {
      constraints.push_back(pool.disjunction({atom(), pool.negation(atom())}));
    }
    for (std::size_t k = test::below(random, 4); k > 0; --k) {
      constraints.push_back(atom());
      questions.push_back(pool.conjunction({atom(), pool.negation(atom())}));
    }
    std::vector<term::Assignment> world;  // Constants lie well inside.
    for (int x = -6; x <= 6; ++x) {
      for (int y = -6; y <= 6; ++y) {
        world.push_back({{variables[0], term::Value{Sort::integer(), x, {}}},
                         {variables[1], term::Value{Sort::integer(), y, {}}}});
      }
    }
    const auto rows = BoundaryCheck().solve(constraints, questions);
    ASSERT_TRUE(rows.has_value());
    ASSERT_EQ(*rows, test::all_answers(world, constraints, questions));
    impossible += rows->empty() ? 1 : 0;
  }
  EXPECT_GT(impossible, 10U);
}

TEST(Boundary, LeavesHugeIntegersToTheSolver) {
  term::Pool pool;
  const Term x = pool.variable("x", Sort::integer());
  const Term huge = pool.integer(term::Integer(1) << 200);
  EXPECT_FALSE(
      BoundaryCheck().solve(std::vector{pool.signed_less(huge, x)}, {}));
}

TEST(Boundary, FindsTheEndsOfTheRange) {
  term::Pool pool;
  const Term x = pool.variable("x", Sort::bits(64));
  const Term least = pool.bits(term::Bits{1} << 63, 64);
  const Term greatest = pool.bits((term::Bits{1} << 63) - 1, 64);
  const auto both = [&](Term constraint, Term question) {
    return BoundaryCheck()
        .solve(std::vector{constraint}, std::vector{question})
        ->size();
  };
  const Term zero = pool.bits(0, 64);
  const Term negative = pool.signed_less(x, zero);
  EXPECT_EQ(both(negative, pool.equal(x, least)), 2U);
  EXPECT_EQ(both(negative, pool.unsigned_less(x, least)), 1U);
  EXPECT_EQ(both(pool.signed_less(x, least), pool.equal(x, zero)), 0U);
  EXPECT_EQ(both(pool.signed_less(greatest, x), pool.equal(x, zero)), 0U);
  EXPECT_EQ(both(pool.negation(negative), pool.unsigned_less(greatest, x)), 1U);
}

TEST(Boundary, GivesUpWhereTooManyPointsHaveToBeTried) {
  term::Pool pool;
  std::vector<Term> questions;
  for (const char* const name : {"x", "y", "z"}) {
    const Term v = pool.variable(name, Sort::bits(32));
    questions.push_back(pool.equal(v, pool.bits(5, 32)));
  }
  // Two points for each: 5 and another.
  EXPECT_EQ(BoundaryCheck(8).solve({}, questions)->size(), 8U);
  EXPECT_FALSE(BoundaryCheck(7).solve({}, questions).has_value());
}

TEST(Boundary, KnowsWhenAllValuesAreNamed) {
  term::Pool pool;
  const Term x = pool.variable("x", Sort::bits(2));
  std::vector<Term> constraints;
  for (unsigned i = 0; i < 4; ++i) {
    constraints.push_back(pool.negation(pool.equal(x, pool.bits(i, 2))));
    const auto rows = BoundaryCheck().solve(constraints, {});
    ASSERT_TRUE(rows.has_value());
    EXPECT_EQ(rows->size(), i < 3 ? 1U : 0U);
  }
}

}  // namespace
}  // namespace agon::abstraction
