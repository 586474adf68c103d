// SPDX-License-Identifier: Apache-2.0
#include "refine/minimise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "helpers/random_lts.h"
#include "refine/minimum.h"

namespace agon::refine {
namespace {

using Sets = std::vector<Choice>;

// CE1 is eliminated by {p1, p3, p5} or {p2, p5}, CE2 by {p2, p3} or {p4}.
TEST(Minimise, SolvesExample5OfTwo) {
  const std::vector<Sets> requirements = {{{1, 3, 5}, {2, 5}}, {{2, 3}, {4}}};
  const Choice chosen = minimum(requirements).choice;
  // The paper names {p2, p4, p5}; {p2, p3, p5} is as small.
  EXPECT_TRUE(chosen == (Choice{2, 4, 5}) || chosen == (Choice{2, 3, 5}));
}

// Two readings: the example's text says that R2 and R3 together eliminate the
// second counterexample, its formula that each of them does.
TEST(Minimise, SolvesExample2OfProp) {
  EXPECT_EQ(minimum(std::vector<Sets>{{{1}, {2, 3}}, {{2, 3}}}).choice,
            (Choice{2, 3}));
  EXPECT_EQ(minimum(std::vector<Sets>{{{1}, {2, 3}}, {{2}, {3}}}).choice.size(),
            2U);
}

TEST(Minimise, NeedsNothingForNothing) {
  EXPECT_TRUE(minimum({}).choice.empty());
}

TEST(Minimise, KeepsWhatIsPreferredIfThatIsNoLarger) {
  const std::vector<Sets> either = {{{1}, {2}}};
  EXPECT_EQ(minimum(either, {2}).choice, (Choice{2}));
  EXPECT_EQ(minimum(either, {1}).choice, (Choice{1}));
  const std::vector<Sets> both = {{{1}, {2}}, {{1}, {3}}};
  EXPECT_EQ(minimum(both, {2, 3}).choice, (Choice{1}));
}

std::uint32_t mask_of(const Choice& choice) {
  std::uint32_t mask = 0;
  for (const std::uint32_t c : choice) mask |= 1U << c;
  return mask;
}

bool meets(std::uint32_t chosen, const std::vector<Sets>& requirements) {
  return std::ranges::all_of(requirements, [&](const Sets& sets) {
    return std::ranges::any_of(
        sets, [&](const Choice& set) { return (mask_of(set) & ~chosen) == 0; });
  });
}

Choice random_choice(test::Random& random, std::size_t candidates) {
  Choice choice;
  const std::size_t size = 1 + test::below(random, 4);
  while (choice.size() < size) {
    const auto c = static_cast<std::uint32_t>(test::below(random, candidates));
    if (std::ranges::count(choice, c) == 0) choice.push_back(c);
  }
  std::ranges::sort(choice);
  return choice;
}

/// The smaller the sets are, the more requirements.
std::vector<Sets> random_requirements(test::Random& random,
                                      std::size_t candidates,
                                      std::size_t largest) {
  std::vector<Sets> result(1 + test::below(random, 24 / largest));
  for (Sets& sets : result) {
    for (std::size_t k = 1 + test::below(random, 4); k > 0; --k) {
      Choice set = random_choice(random, candidates);
      set.resize(std::min(set.size(), largest));
      sets.push_back(std::move(set));
    }
  }
  return result;
}

TEST(Minimise, IsAsSmallAsTryingAllChoicesFinds) {
  test::Random random(11);
  for (std::size_t i = 0; i < test::scaled(600); ++i) {
    const std::size_t candidates = 5 + test::below(random, 8);
    const std::vector<Sets> requirements =
        random_requirements(random, candidates, 1 + i % 4);
    const Choice preferred = random_choice(random, candidates);
    const Minimum result = minimum(requirements, preferred);
    const Choice& found = result.choice;
    EXPECT_TRUE(result.is_least);
    EXPECT_TRUE(meets(mask_of(found), requirements)) << "case " << i;
    const Minimum bounded =
        minimum(requirements, preferred, test::below(random, 50));
    EXPECT_TRUE(meets(mask_of(bounded.choice), requirements)) << "case " << i;
    EXPECT_TRUE(!bounded.is_least || bounded.choice.size() == found.size());
    std::size_t best = candidates;
    for (std::uint32_t m = 0; m < 1U << candidates; ++m) {
      const auto size = static_cast<std::size_t>(std::popcount(m));
      if (size < best && meets(m, requirements)) best = size;
    }
    EXPECT_EQ(found.size(), best) << "case " << i;
  }
}

/// Passes what contains one of some hidden sets.
struct Hidden {
  Sets sets;
  bool operator()(const Choice& choice) const {
    return std::ranges::any_of(sets, [&](const Choice& set) {
      return std::ranges::includes(choice, set);
    });
  }
};

TEST(Minimise, FindsExactlyTheMinimalSets) {
  test::Random random(12);
  for (std::size_t i = 0; i < test::scaled(60); ++i) {
    const std::size_t count = 4 + test::below(random, 9);
    Hidden hidden;
    for (std::size_t k = 1 + test::below(random, 4); k > 0; --k) {
      hidden.sets.push_back(random_choice(random, count));
    }
    Choice candidates(count);
    for (std::uint32_t c = 0; c < count; ++c) candidates[c] = c;
    std::ranges::shuffle(candidates, random);
    Sets found = eliminating_sets({&candidates, 1}, {10'000, 10'000}, hidden);
    EXPECT_TRUE(std::ranges::is_sorted(found, {}, &Choice::size));
    Sets expected;
    for (const Choice& set : hidden.sets) {
      const bool is_minimal =
          std::ranges::none_of(hidden.sets, [&](const Choice& other) {
            return other != set && std::ranges::includes(set, other);
          });
      if (is_minimal) expected.push_back(set);
    }
    if (count > kFewCandidates) {
      const std::size_t least =
          std::ranges::min(expected, {}, &Choice::size).size();
      std::erase_if(expected,
                    [&](const Choice& set) { return set.size() > least; });
    }
    std::ranges::sort(expected);
    expected.erase(std::unique(expected.begin(), expected.end()),
                   expected.end());
    std::ranges::sort(found);
    EXPECT_EQ(found, expected) << "case " << i;
  }
}

TEST(Minimise, NeverLooksAcrossParts) {
  const std::vector<Choice> parts = {{0, 1}, {2, 3}};
  std::size_t asked = 0;
  const auto sets = eliminating_sets(parts, {100, 100}, [&](const Choice& set) {
    ++asked;
    EXPECT_EQ(set.front() / 2, set.back() / 2);
    return std::ranges::includes(set, Choice{2, 3});
  });
  EXPECT_EQ(sets, (Sets{{2, 3}}));
  EXPECT_LE(asked, 6U);
}

TEST(Minimise, KeepsItsBounds) {
  const Choice candidates = {0, 1, 2, 3, 4, 5, 6, 7, 8};
  std::size_t asked = 0;
  const auto sets =
      eliminating_sets({&candidates, 1}, {20, 100}, [&](const Choice&) {
        ++asked;
        return false;
      });
  EXPECT_TRUE(sets.empty());
  EXPECT_EQ(asked, 20U);
  EXPECT_EQ(eliminating_sets({&candidates, 1}, {100, 2},
                             [](const Choice&) { return true; })
                .size(),
            2U);
}

TEST(Minimise, GreedyLeavesNothingThatCanBeLeftOut) {
  test::Random random(13);
  for (std::size_t i = 0; i < test::scaled(60); ++i) {
    const std::size_t count = 4 + test::below(random, 8);
    Hidden hidden{{random_choice(random, count), random_choice(random, count)}};
    Choice order(count);
    for (std::uint32_t c = 0; c < count; ++c) order[c] = c;
    std::ranges::shuffle(order, random);
    const Choice kept = greedy(order, hidden);
    EXPECT_TRUE(hidden(kept));
    for (const std::uint32_t c : kept) {
      Choice without = kept;
      std::erase(without, c);
      EXPECT_FALSE(hidden(without)) << "case " << i;
    }
  }
}

}  // namespace
}  // namespace agon::refine
