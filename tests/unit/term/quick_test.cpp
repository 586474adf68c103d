// SPDX-License-Identifier: Apache-2.0
#include "term/quick.h"

#include <gtest/gtest.h>

#include "naive_tree.h"
#include "random_term.h"
#include "term/substitute.h"

namespace agon::term {
namespace {

using test::NaiveTree;
using test::Pair;
using test::Random;
using test::RandomTerms;

bool is_scalar(Sort sort) { return sort.is_bits() || sort.is_bool(); }

bool has_only_scalars(Term term) {
  bool result = true;
  visit_subterms(term, [&](Term t) {
    result = result && is_scalar(t.sort()) && t.kind() != Kind::Address;
  });
  return result;
}

TEST(QuickValue, IsThatOfTheDefinition) {
  std::size_t known = 0;
  std::size_t small = 0;
  for (unsigned seed = 0; seed < test::scaled(3000); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    Pool pool;
    RandomTerms terms(pool, random, {});
    for (unsigned i = 0; i < 6; ++i) {
      const Pair pair = terms.make(terms.scalar_sort(), 2 + i / 2);
      const Assignment assignment = terms.assignment();
      NaiveTree naive(assignment);
      const auto value =
          quick_value(pair.term, [&](Term variable) -> std::optional<Bits> {
            const auto found = assignment.find(variable);
            if (found == assignment.end()) return 0;
            return static_cast<Bits>(found->second.number);
          });
      const bool should_be_known = has_only_scalars(pair.term);
      small += should_be_known ? 1 : 0;
      if (!value) continue;
      known += should_be_known ? 1 : 0;
      ASSERT_EQ(Integer(*value), naive.number(*pair.tree));
    }
  }
  EXPECT_GT(small, test::scaled(3000));
  EXPECT_GT(known, small - small / 20);
}

TEST(QuickValue, NeedsOnlyTheVariablesThatDecide) {
  Pool pool;
  const Term known = pool.variable("known", Sort::boolean());
  const Term unknown = pool.variable("unknown", Sort::boolean());
  const auto value_of = [&](Term variable) {
    return variable == known ? std::optional<Bits>(1) : std::nullopt;
  };
  EXPECT_EQ(quick_value(pool.disjunction({unknown, known}), value_of), Bits{1});
  EXPECT_EQ(quick_value(pool.conjunction({unknown, known}), value_of),
            std::nullopt);
  EXPECT_EQ(
      quick_value(pool.conjunction({unknown, pool.negation(known)}), value_of),
      Bits{0});
}

}  // namespace
}  // namespace agon::term
