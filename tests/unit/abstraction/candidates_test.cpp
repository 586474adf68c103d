// SPDX-License-Identifier: Apache-2.0
// Guesses from samples, against evaluating them.
#include "abstraction/candidates.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "helpers/random_lts.h"
#include "term/evaluate.h"

namespace agon::abstraction {
namespace {

using term::Bits;
using term::Term;

term::Assignment state(const Places& places, const Sample& sample) {
  term::Assignment result;
  for (std::size_t i = 0; i < places.size(); ++i) {
    result[places[i]] = {places[i].sort(), term::Integer(sample[i]), {}};
  }
  return result;
}

bool all_hold(const std::vector<Term>& formulas, const Places& places,
              const Sample& sample) {
  return std::ranges::all_of(formulas, [&](Term t) {
    return term::evaluate(t, state(places, sample)).number != 0;
  });
}

class CandidatesTest : public testing::Test {
 protected:
  CandidatesTest() {
    for (const char* const name : {"x", "y", "z"}) {
      places.push_back(pool.variable(name, term::Sort::bits(32)));
    }
  }

  std::vector<Term> suggest(const std::vector<Sample>& samples,
                            bool is_signed = true) {
    return candidates(pool, places, std::vector(places.size(), is_signed),
                      samples, constants);
  }

  term::Pool pool;
  Places places;
  std::vector<Bits> constants{0, 7, 100};
};

TEST_F(CandidatesTest, FindsALinearEquation) {
  std::vector<Sample> samples;
  for (unsigned i = 0; i < 9; ++i) samples.push_back({i, 3 * i + 5, i * i});
  const std::vector<Term> found = suggest(samples);
  EXPECT_TRUE(all_hold(found, places, {3, 14, 20}));
  EXPECT_FALSE(all_hold(found, places, {3, 15, 20}));
}

TEST_F(CandidatesTest, FindsAnEquationOfThreePlacesThatGoBelowZero) {
  std::vector<Sample> samples;
  for (unsigned i = 0; i < 6; ++i) {
    const Bits y = term::truncate(Bits{0} - 2 * i * i, 32);
    samples.push_back({i, y, term::truncate(i + y + 1, 32)});
  }
  const std::vector<Term> found = suggest(samples);
  EXPECT_TRUE(all_hold(
      found, places,
      {4, term::truncate(Bits{0} - 18, 32), term::truncate(Bits{0} - 13, 32)}));
  EXPECT_FALSE(all_hold(
      found, places,
      {4, term::truncate(Bits{0} - 18, 32), term::truncate(Bits{0} - 12, 32)}));
}

TEST_F(CandidatesTest, FindsBoundsOrdersAndParity) {
  const std::vector<Term> found =
      suggest({{0, 3, 90}, {2, 3, 91}, {4, 9, 17}, {6, 7, 3}});
  EXPECT_TRUE(all_hold(found, places, {2, 5, 50}));
  EXPECT_FALSE(all_hold(found, places, {3, 5, 50}));   // Odd.
  EXPECT_FALSE(all_hold(found, places, {6, 5, 50}));   // Not below y.
  EXPECT_FALSE(all_hold(found, places, {2, 5, 102}));  // Above 101.
  const Bits minus_two = term::truncate(Bits{0} - 2, 32);
  EXPECT_FALSE(all_hold(found, places, {minus_two, 5, 50}));
}

TEST_F(CandidatesTest, SaysNothingThatASampleRefutes) {
  test::Random random(5);
  for (std::size_t i = 0; i < test::scaled(300); ++i) {
    SCOPED_TRACE(i);
    std::vector<Sample> samples(1 + test::below(random, 8));
    const bool is_signed = test::below(random, 2) == 0;
    for (Sample& sample : samples) {
      for (std::size_t p = 0; p < places.size(); ++p) {
        // Small, so that no sum wraps; what large numbers suggest are guesses.
        sample.push_back(test::below(random, 8));
      }
    }
    const std::vector<Term> found = suggest(samples, is_signed);
    EXPECT_FALSE(found.empty());
    for (const Sample& sample : samples) {
      EXPECT_TRUE(all_hold(found, places, sample));
    }
  }
}

}  // namespace
}  // namespace agon::abstraction
