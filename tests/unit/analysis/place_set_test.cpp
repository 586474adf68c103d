// SPDX-License-Identifier: Apache-2.0
#include "analysis/place_set.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace agon::analysis {
namespace {

using Numbers = std::set<std::uint32_t>;

Numbers numbers(const PlaceSet& set) {
  Numbers result;
  std::uint32_t last = 0;
  set.for_each([&](std::uint32_t number) {
    EXPECT_TRUE(result.empty() || number > last);
    last = number;
    result.insert(number);
  });
  return result;
}

PlaceSet make(const Numbers& numbers) {
  PlaceSet result;
  for (const std::uint32_t number : numbers) result.insert(number);
  return result;
}

TEST(PlaceSet, DoesWhatASetOfTheLibraryDoes) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    const std::uint32_t range = round % 2 == 0 ? 100 : 5000;
    const auto draw = [&] {
      Numbers result;
      for (auto n = random() % 40; n > 0; --n) {
        result.insert(static_cast<std::uint32_t>(random() % range));
      }
      return result;
    };
    const Numbers a = draw();
    const Numbers b = draw();
    Numbers both = a;
    both.insert(b.begin(), b.end());
    Numbers only_b;
    Numbers only_a;
    for (const auto n : b) {
      if (!a.contains(n)) only_b.insert(n);
    }
    for (const auto n : a) {
      if (!b.contains(n)) only_a.insert(n);
    }
    PlaceSet merged = make(a);
    EXPECT_EQ(merged.size(), a.size());
    EXPECT_EQ(numbers(merged.merge(make(b))), only_b);
    EXPECT_EQ(numbers(merged), both);
    EXPECT_EQ(merged, make(both));
    EXPECT_EQ(merged.hash(), make(both).hash());
    PlaceSet rest = make(a);
    rest.remove(make(b));
    EXPECT_EQ(numbers(rest), only_a);
    EXPECT_EQ(rest, make(only_a));
    EXPECT_EQ(rest.empty(), only_a.empty());
    const auto some = static_cast<std::uint32_t>(random() % range);
    EXPECT_EQ(merged.contains(some), both.contains(some));
    EXPECT_EQ(merged.insert(some), both.insert(some).second);
    EXPECT_EQ(numbers(merged), both);
  }
}

}  // namespace
}  // namespace agon::analysis
