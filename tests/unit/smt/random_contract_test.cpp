// SPDX-License-Identifier: Apache-2.0
// Random sessions with every back end, against trying all assignments.
#include <gtest/gtest.h>

#include <algorithm>

#include "unit/smt/backends.h"
#include "unit/smt/small_world.h"

namespace agon::test {
namespace {

class RandomContract : public BackendTest {
 protected:
  /// A random sequence of commands. Every answer, model and core is compared
  /// with the world. `unknown` counts what the solver did not know.
  void session(SmallWorld& world, const std::vector<Term>& formulas,
               Random& random, const std::vector<Term>& always = {});

  void check_answer(SmallWorld& world, Solver& solver,
                    const std::vector<Term>& asserted,
                    const std::vector<Term>& assumed);

  std::size_t checks = 0;
  std::size_t sat = 0;
  std::size_t unknown = 0;
};

std::vector<Term> together(std::vector<Term> a, const std::vector<Term>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

void RandomContract::check_answer(SmallWorld& world, Solver& solver,
                                  const std::vector<Term>& asserted,
                                  const std::vector<Term>& assumed) {
  const Answer answer = solver.check(assumed);
  const std::vector<Term> all = together(asserted, assumed);
  const bool expected = world.satisfiable(all, all);
  ++checks;
  sat += expected ? 1 : 0;
  if (answer == Answer::Unknown) {
    ++unknown;
    EXPECT_NE(solver.reason(), "");
  } else if (answer == Answer::Sat) {
    EXPECT_TRUE(expected);
    const Assignment model = solver.model();
    for (const Term formula : all) {
      EXPECT_EQ(evaluate(formula, model).number, 1);
    }
    EXPECT_TRUE(SmallWorld::differ(SmallWorld::addresses_of(all), model));
  } else {
    EXPECT_FALSE(expected);
    const std::vector<Term> core = solver.core();
    EXPECT_FALSE(world.satisfiable(together(asserted, core), all));
    auto next = assumed.begin();
    for (const Term part : core) {
      next = std::find(next, assumed.end(), part);
      ASSERT_NE(next, assumed.end()) << "not an assumption, or not in order";
      ++next;
    }
  }
}

void RandomContract::session(SmallWorld& world,
                             const std::vector<Term>& formulas, Random& random,
                             const std::vector<Term>& always) {
  const std::unique_ptr<Solver> solver = make();
  std::vector<std::vector<Term>> stack{always};
  for (const Term formula : always) solver->add(formula);
  const auto any = [&] { return formulas[below(random, formulas.size())]; };
  for (int step = 0; step < 24 && !HasFailure(); ++step) {
    switch (below(random, 6)) {
      case 0:
        solver->push();
        stack.push_back(stack.back());
        break;
      case 1:
        if (stack.size() == 1) break;
        solver->pop();
        stack.pop_back();
        break;
      case 2:
        stack.back().push_back(any());
        solver->add(stack.back().back());
        break;
      default: {
        std::vector<Term> assumed;
        for (std::size_t n = below(random, 4); n > 0; --n) {
          assumed.push_back(below(random, 3) == 0 ? pool.negation(any())
                                                  : any());
        }
        check_answer(world, *solver, stack.back(), assumed);
      }
    }
  }
}

TEST_P(RandomContract, Bits) {
  Random random(1);
  SmallWorld world(pool);
  world.add(pool.variable("x", Sort::bits(3)));
  world.add(pool.variable("y", Sort::bits(3)));
  world.add(pool.variable("z", Sort::bits(2)));
  world.add(pool.variable("b", Sort::boolean()));
  SmallTerms terms(pool, random, world.leaves());
  for (std::size_t round = 0; round < scaled(12); ++round) {
    std::vector<Term> formulas;
    for (int i = 0; i < 8; ++i) formulas.push_back(terms.boolean(4));
    session(world, formulas, random);
    if (HasFailure()) FAIL() << "in round " << round;
  }
  EXPECT_EQ(unknown, 0U);
  EXPECT_GT(sat, checks / 10);
  EXPECT_LT(sat, checks - checks / 10);
}

TEST_P(RandomContract, Arrays) {
  Random random(2);
  SmallWorld world(pool);
  world.add(pool.variable("m", Sort::array(2, 2)));
  world.add(pool.variable("i", Sort::bits(2)));
  SmallTerms terms(pool, random, world.leaves());
  terms.any_constant_array = GetParam().in_process;
  for (std::size_t round = 0; round < scaled(8); ++round) {
    std::vector<Term> formulas;
    for (int i = 0; i < 6; ++i) formulas.push_back(terms.boolean(4));
    session(world, formulas, random);
    if (HasFailure()) FAIL() << "in round " << round;
  }
  EXPECT_EQ(unknown, 0U);
  EXPECT_GT(sat, checks / 10);
  EXPECT_LT(sat, checks - checks / 10);
}

TEST_P(RandomContract, CopiesOfAnyLength) {
  Random random(3);
  SmallWorld world(pool);
  world.add(pool.variable("m", Sort::array(2, 1)));
  world.add(pool.variable("i", Sort::bits(2)));
  world.add(pool.variable("n", Sort::bits(2)));
  SmallTerms terms(pool, random, world.leaves());
  terms.variable_copies = true;
  for (std::size_t round = 0; round < scaled(8); ++round) {
    std::vector<Term> formulas;
    for (int i = 0; i < 6; ++i) formulas.push_back(terms.boolean(4));
    session(world, formulas, random);
    if (HasFailure()) FAIL() << "in round " << round;
  }
  EXPECT_EQ(unknown, 0U);
}

TEST_P(RandomContract, LongCopies) {
  const Term a = pool.variable("a", Sort::array(16, 8));
  const Term n = pool.variable("n", Sort::bits(16));
  const Term zeros = pool.constant_array(pool.bits(0, 8), 16);
  const Term zero = pool.bits(0, 16);
  const Term first = pool.read(pool.copy(a, zero, n, zeros, zero), zero);
  const Term is_old = pool.equal(first, pool.bits(7, 8));
  const Term is_new = pool.equal(first, pool.bits(0, 8));
  const std::unique_ptr<Solver> solver = make();
  EXPECT_EQ(solver->check({{is_old, is_new}}), Answer::Unsat);
  solver->add(pool.equal(pool.read(a, zero), pool.bits(1, 8)));
  const Answer answer = solver->check({{is_old}});
  EXPECT_NE(answer, Answer::Sat);
  if (answer == Answer::Unknown) {
    EXPECT_NE(solver->reason(), "");
  }
}

TEST_P(RandomContract, Addresses) {
  Random random(4);
  SmallWorld world(pool);
  for (const char* name : {"p", "q", "r", "s"}) {
    world.add(pool.address(name, 2));  // One more than there is room for.
  }
  world.add(pool.variable("x", Sort::bits(2)));
  world.add(pool.variable("b", Sort::boolean()));
  SmallTerms terms(pool, random, world.leaves());
  for (std::size_t round = 0; round < scaled(12); ++round) {
    std::vector<Term> formulas;
    for (int i = 0; i < 8; ++i) formulas.push_back(terms.boolean(3));
    session(world, formulas, random);
    if (HasFailure()) FAIL() << "in round " << round;
  }
  EXPECT_EQ(unknown, 0U);
  EXPECT_GT(sat, checks / 10);
  EXPECT_LT(sat, checks - checks / 10);
}

TEST_P(RandomContract, Integers) {
  Random random(5);
  SmallWorld world(pool);
  std::vector<Term> bounds;
  for (const char* name : {"u", "v"}) {
    const Term variable = world.add(pool.variable(name, Sort::integer()));
    bounds.push_back(pool.binary(Kind::SLessEqual, pool.integer(-3), variable));
    bounds.push_back(pool.binary(Kind::SLessEqual, variable, pool.integer(3)));
  }
  world.add(pool.variable("b", Sort::boolean()));
  SmallTerms terms(pool, random, world.leaves());
  for (std::size_t round = 0; round < scaled(12); ++round) {
    std::vector<Term> formulas;
    for (int i = 0; i < 8; ++i) formulas.push_back(terms.boolean(4));
    session(world, formulas, random, bounds);
    if (HasFailure()) FAIL() << "in round " << round;
  }
  EXPECT_EQ(unknown, 0U);
  EXPECT_GT(sat, checks / 10);
  EXPECT_LT(sat, checks - checks / 10);
}

TEST_P(RandomContract, AddressesThatAreIntegers) {
  Random random(6);
  SmallWorld world(pool);
  std::vector<Term> bounds;
  for (const char* name : {"p", "q", "r"}) {
    const Term address = world.add(pool.address(name, 0));
    bounds.push_back(pool.binary(Kind::SLessEqual, pool.integer(-3), address));
    bounds.push_back(pool.binary(Kind::SLessEqual, address, pool.integer(3)));
  }
  world.add(pool.variable("b", Sort::boolean()));
  SmallTerms terms(pool, random, world.leaves());
  for (std::size_t round = 0; round < scaled(8); ++round) {
    std::vector<Term> formulas;
    for (int i = 0; i < 8; ++i) formulas.push_back(terms.boolean(3));
    session(world, formulas, random, bounds);
    if (HasFailure()) FAIL() << "in round " << round;
  }
  EXPECT_EQ(unknown, 0U);
  EXPECT_GT(sat, checks / 10);
  EXPECT_LT(sat, checks - checks / 10);
}

TEST_P(RandomContract, ArraysOfIntegers) {
  const Term a = pool.variable("a", Sort::array(0, 0));
  const Term i = pool.variable("i", Sort::integer());
  const Term j = pool.variable("j", Sort::integer());
  const Term huge = pool.integer(Integer(1) << 100);
  const Term changed = pool.write(a, pool.add(i, pool.integer(-7)), huge);
  const Term seen = pool.equal(pool.read(changed, j), huge);
  const Term apart = pool.signed_less(j, pool.add(i, pool.integer(-7)));
  const Term before = pool.signed_less(pool.read(a, j), pool.integer(-5));
  const std::unique_ptr<Solver> solver = make();
  EXPECT_EQ(solver->check({{seen, before}}), Answer::Sat);
  EXPECT_EQ(
      evaluate(pool.equal(j, pool.add(i, pool.integer(-7))), solver->model())
          .number,
      1);
  EXPECT_EQ(solver->check({{before, apart, seen}}), Answer::Unsat);
  solver->add(apart);
  EXPECT_EQ(solver->check({{before}}), Answer::Sat);
  EXPECT_LT(evaluate(pool.read(changed, j), solver->model()).number, -5);
  const Term filled = pool.constant_array(pool.integer(-1), 0);
  const Term copied = pool.copy(a, i, pool.integer(3), filled, j);
  EXPECT_EQ(
      solver->check({{pool.equal(
          pool.read(copied, pool.add(i, pool.integer(2))), pool.integer(-1))}}),
      Answer::Sat);
  EXPECT_EQ(solver->check({{pool.equal(pool.read(copied, j), pool.integer(-1)),
                            pool.signed_less(i, j),
                            pool.signed_less(j, pool.add(i, pool.integer(3))),
                            pool.negation(pool.equal(pool.read(copied, j),
                                                     pool.read(filled, i)))}}),
            Answer::Unsat);
}

INSTANTIATE_TEST_SUITE_P(All, RandomContract, testing::ValuesIn(all_backends()),
                         backend_name);

}  // namespace
}  // namespace agon::test
