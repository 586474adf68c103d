// SPDX-License-Identifier: Apache-2.0
#include "refine/bounds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "helpers/random_lts.h"
#include "smt/z3_solver.h"
#include "term/evaluate.h"

namespace agon::refine {
namespace {

using term::Kind;
using term::Term;

constexpr unsigned kWidth = 4;

Term random_value(test::Random& random, term::Pool& pool,
                  const std::vector<Term>& leaves, int depth) {
  constexpr std::array<Kind, 6> kKinds = {Kind::Add,      Kind::Subtract,
                                          Kind::Multiply, Kind::BitAnd,
                                          Kind::BitOr,    Kind::BitXor};
  if (depth == 0 || test::below(random, 4) == 0) {
    return test::below(random, 2) == 0
               ? leaves[test::below(random, leaves.size())]
               : pool.bits(test::below(random, 16), kWidth);
  }
  return pool.binary(kKinds[test::below(random, kKinds.size())],
                     random_value(random, pool, leaves, depth - 1),
                     random_value(random, pool, leaves, depth - 1));
}

/// All values that a term has where `given` holds, by trying them out.
std::vector<std::uint64_t> values_of(const std::vector<Term>& leaves,
                                     Term given, Term value) {
  std::vector<std::uint64_t> result;
  for (std::uint64_t k = 0; k < 256; ++k) {
    term::Assignment assignment;
    assignment.emplace(
        leaves[0],
        term::Value{term::Sort::bits(kWidth), term::Integer(k % 16), {}});
    assignment.emplace(
        leaves[1],
        term::Value{term::Sort::bits(kWidth), term::Integer(k / 16), {}});
    if (term::evaluate(given, assignment).number == 0) continue;
    result.push_back(
        static_cast<std::uint64_t>(term::evaluate(value, assignment).number));
  }
  return result;
}

std::int64_t as_signed(std::uint64_t n) {
  return n < 8 ? static_cast<std::int64_t>(n)
               : static_cast<std::int64_t>(n) - 16;
}

// A value satisfies all bounds exactly if it lies between the extremes, both as
// a signed and as an unsigned number.
TEST(Bounds, AreTheExtremesOfAllValues) {
  test::Random random(3);
  std::size_t with_bounds = 0;
  for (std::size_t i = 0; i < test::scaled(150); ++i) {
    term::Pool pool;
    const Term shown = pool.variable("s", term::Sort::bits(kWidth));
    const std::vector<Term> leaves = {
        pool.variable("x", term::Sort::bits(kWidth)),
        pool.variable("y", term::Sort::bits(kWidth))};
    const Term value = random_value(random, pool, leaves, 3);
    const Term given =
        pool.unsigned_less(random_value(random, pool, leaves, 2),
                           random_value(random, pool, leaves, 2));
    const auto values = values_of(leaves, given, value);
    if (values.empty()) continue;
    const auto solver = smt::make_z3_solver();
    solver->add(given);
    const Term all = pool.conjunction(bounds(pool, *solver, shown, value));
    with_bounds += all.is_true() ? 0 : 1;
    const auto [low, high] = std::ranges::minmax(values);
    const auto [least, most] = std::ranges::minmax(values, {}, as_signed);
    for (std::uint64_t k = 0; k < 16; ++k) {
      term::Assignment assignment;
      assignment.emplace(
          shown, term::Value{term::Sort::bits(kWidth), term::Integer(k), {}});
      const bool is_between = low <= k && k <= high &&
                              as_signed(least) <= as_signed(k) &&
                              as_signed(k) <= as_signed(most);
      EXPECT_EQ(term::evaluate(all, assignment).number == 1, is_between)
          << "case " << i << " value " << k;
    }
  }
  EXPECT_GT(with_bounds, 20U);
}

}  // namespace
}  // namespace agon::refine
