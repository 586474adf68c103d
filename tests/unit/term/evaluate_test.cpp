// SPDX-License-Identifier: Apache-2.0
#include "term/evaluate.h"

#include <gtest/gtest.h>

#include "naive_tree.h"
#include "random_term.h"
#include "term/substitute.h"

namespace agon::term {
namespace {

using test::Array;
using test::NaiveTree;
using test::Pair;
using test::Random;
using test::RandomTerms;

/// With few widths, the same terms meet more often.
test::TermShape shape_of(unsigned seed) {
  test::TermShape shape;
  if (seed % 2 == 0) shape.widths = {8, 16};
  return shape;
}

void expect_same_array(const Value& value, const Array& array) {
  const unsigned width = value.sort.index_width;
  const int least = width == 0 ? -40 : 0;
  const int end = width == 0 ? 40 : width == 8 ? 256 : 65536;
  for (int i = least; i < end; ++i) {
    const auto found = value.elements.find(i);
    const Integer& element =
        found == value.elements.end() ? value.number : found->second;
    ASSERT_EQ(element, array(i)) << i;
    if (found != value.elements.end()) {
      ASSERT_NE(element, value.number);
    }
  }
}

TEST(Evaluate, SimplifiedTermsHaveTheValuesOfWhatWasAskedFor) {
  for (unsigned seed = 0; seed < test::scaled(3000); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    Pool pool;
    RandomTerms terms(pool, random, shape_of(seed));
    std::vector<Pair> roots;
    for (int i = 0; i < 6; ++i) {
      roots.push_back(terms.make(terms.scalar_sort(), 2 + unsigned(i) / 2));
    }
    for (int i = 0; i < 8; ++i) {
      const Assignment assignment = terms.assignment();
      NaiveTree naive(assignment);
      for (const Pair& pair : roots) {
        const Value value = evaluate(pair.term, assignment);
        ASSERT_EQ(value.sort, pair.tree->sort);
        ASSERT_EQ(value.number, naive.number(*pair.tree));
      }
    }
  }
}

TEST(Evaluate, ArraysHaveTheirElements) {
  for (unsigned seed = 0; seed < test::scaled(300); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    Pool pool;
    RandomTerms terms(pool, random, shape_of(seed));
    const Sort sort =
        Sort::array(seed % 20 == 0 ? 16 : 8, seed % 3 == 0 ? 0 : 8);
    const Pair pair = terms.make(sort, 4);
    const Assignment assignment = terms.assignment();
    NaiveTree naive(assignment);
    expect_same_array(evaluate(pair.term, assignment), naive.array(*pair.tree));
  }
}

TEST(Pool, RebuildsEveryTermFromItsOperands) {
  for (unsigned seed = 0; seed < test::scaled(3000); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    Pool pool;
    RandomTerms terms(pool, random, shape_of(seed));
    for (unsigned i = 0; i < 8; ++i) {
      const Term root = terms.make(terms.scalar_sort(), 2 + i / 2).term;
      visit_subterms(root, [&](Term term) {
        const std::vector<Term> operands(term.operands().begin(),
                                         term.operands().end());
        ASSERT_EQ(pool.rebuild(term, operands), term)
            << static_cast<int>(term.kind());
      });
    }
  }
}

}  // namespace
}  // namespace agon::term
