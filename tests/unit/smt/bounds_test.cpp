// SPDX-License-Identifier: Apache-2.0
// Bounds of terms, against all values of their variables.
#include "term/bounds.h"

#include <gtest/gtest.h>

#include <array>
#include <unordered_map>
#include <vector>

#include "helpers/random_lts.h"
#include "smt/z3_solver.h"
#include "term/evaluate.h"
#include "term/pool.h"
#include "term/substitute.h"

namespace agon::smt {
namespace {

using term::Bits;
using term::Kind;
using term::Term;

/// Random arithmetic on two variables of three bits.
class RandomArithmetic {
 public:
  explicit RandomArithmetic(test::Random& random) : random_(random) {
    for (const char* name : {"x", "y"}) {
      variables.push_back(pool.variable(name, term::Sort::bits(3)));
    }
  }

  Term number(unsigned width, unsigned depth) {
    static constexpr std::array kKinds{
        Kind::Add,     Kind::Subtract,   Kind::Multiply,   Kind::UDivide,
        Kind::SDivide, Kind::URemainder, Kind::SRemainder, Kind::BitAnd,
        Kind::BitOr,   Kind::BitXor,     Kind::ShiftRight, Kind::ShiftLeft};
    switch (depth == 0 ? below(3) : below(8)) {
      case 0:
        return pool.bits(below(10), width);
      case 1:
        return pool.resize(variables[below(2)], width, true);
      case 2:
        return pool.resize(variables[below(2)], width, false);
      case 3:
        return choice(width, depth - 1);
      case 4: {
        const unsigned other = width == 5 ? 8 : 5;
        return pool.resize(number(other, depth - 1), width, below(2) == 0);
      }
      default:
        return pool.binary(kKinds[below(kKinds.size())],
                           number(width, depth - 1), number(width, depth - 1));
    }
  }

  std::vector<term::Assignment> worlds() const {
    std::vector<term::Assignment> result;
    for (unsigned n = 0; n < 64; ++n) {
      const term::Sort sort = term::Sort::bits(3);
      result.push_back({{variables[0], {sort, term::Integer(n % 8), {}}},
                        {variables[1], {sort, term::Integer(n / 8), {}}}});
    }
    return result;
  }

  term::Pool pool;
  std::vector<Term> variables;

 private:
  /// Among others, minima and maxima.
  Term choice(unsigned width, unsigned depth) {
    const Term a = number(width, depth);
    const Term b = number(width, depth);
    const auto either = [&] {
      const std::size_t which = below(3);
      return which == 0 ? number(width, depth) : which == 1 ? a : b;
    };
    const Term then = either();
    const Term condition = below(2) == 0
                               ? pool.unsigned_less(a, b)
                               : pool.negation(pool.unsigned_less(b, a));
    return pool.ite(condition, then, either());
  }

  std::size_t below(std::size_t n) { return test::below(random_, n); }
  test::Random& random_;
};

Bits bound_of(Term root) {
  std::unordered_map<Term, Bits> known;
  term::visit_subterms(root, [&](Term t) {
    std::vector<Bits> operands;
    for (const Term operand : t.operands()) {
      operands.push_back(known.at(operand));
    }
    known[t] = largest_value(t, operands);
  });
  return known.at(root);
}

TEST(Bounds, NoValueIsLarger) {
  test::Random random(63);
  std::size_t below_all = 0;
  std::size_t exact = 0;
  for (std::size_t i = 0; i < test::scaled(2000); ++i) {
    RandomArithmetic some(random);
    const Term t = some.number(8, 3);
    const term::Integer bound(static_cast<std::uint64_t>(bound_of(t)));
    term::Integer largest = 0;
    for (const term::Assignment& world : some.worlds()) {
      largest = std::max(largest, term::evaluate(t, world).number);
    }
    ASSERT_LE(largest, bound) << i;
    below_all += !t.is_constant() && bound < 255 ? 1 : 0;
    exact += !t.is_constant() && bound == largest && bound < 255 ? 1 : 0;
  }
  EXPECT_GT(below_all, test::scaled(200));
  EXPECT_GT(exact, test::scaled(100));
}

/// The solver divides with fewer bits where these bounds allow it.
TEST(Bounds, DivisionIsWhatItWas) {
  test::Random random(64);
  std::size_t divisions = 0;
  for (std::size_t i = 0; i < test::scaled(300); ++i) {
    RandomArithmetic some(random);
    const auto kind = std::array{Kind::UDivide, Kind::SDivide, Kind::URemainder,
                                 Kind::SRemainder}[i % 4];
    const Term t = some.pool.binary(kind, some.number(8, 2), some.number(8, 1));
    divisions += t.kind() == kind ? 1 : 0;
    const auto worlds = some.worlds();
    for (std::size_t n = 0; n < 4; ++n) {
      const term::Assignment& world = worlds[test::below(random, 64)];
      const auto solver = make_z3_solver();
      for (const Term v : some.variables) {
        solver->add(some.pool.equal(
            v, some.pool.bits(static_cast<Bits>(world.at(v).number), 3)));
      }
      const Bits value = static_cast<Bits>(term::evaluate(t, world).number);
      const Term same = some.pool.equal(t, some.pool.bits(value, 8));
      ASSERT_EQ(solver->check({{some.pool.negation(same)}}), Answer::Unsat);
      ASSERT_EQ(solver->check({{same}}), Answer::Sat);
    }
  }
  EXPECT_GT(divisions, test::scaled(100));
}

}  // namespace
}  // namespace agon::smt
