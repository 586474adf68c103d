// SPDX-License-Identifier: Apache-2.0
#include "algol/array_store.h"

#include <gtest/gtest.h>

#include <map>

#include "helpers/random_lts.h"

namespace agon::algol {
namespace {

TEST(ArrayStore, IsAMap) {
  test::Random random(7);
  for (const std::uint64_t size : {1, 8, 9, 100, 5000}) {
    const unsigned levels = ArrayStore::levels_for(size);
    ArrayStore store;
    std::uint32_t array = 0;
    std::map<std::uint64_t, std::uint64_t> expected;
    for (int i = 0; i < 300; ++i) {
      const std::uint64_t key = test::below(random, size);
      const std::uint64_t value = test::below(random, 3);
      array = store.write(array, key, value, levels);
      expected[key] = value;
      const std::uint64_t other = test::below(random, size);
      EXPECT_EQ(store.read(array, other, levels),
                expected.contains(other) ? expected[other] : 0);
      EXPECT_EQ(store.read(array, key, levels), value);
    }
  }
}

TEST(ArrayStore, EqualArraysAreOneNumber) {
  ArrayStore store;
  const unsigned levels = ArrayStore::levels_for(std::uint64_t{1} << 32);
  const std::uint64_t far = 0xffffffffU;
  const std::uint32_t up =
      store.write(store.write(0, 5, 1, levels), far, 2, levels);
  const std::uint32_t down =
      store.write(store.write(0, far, 2, levels), 5, 1, levels);
  EXPECT_EQ(up, down);
  EXPECT_NE(up, store.write(up, 5, 2, levels));
  EXPECT_EQ(0U, store.write(store.write(up, 5, 0, levels), far, 0, levels));
}

TEST(ArrayStore, LevelsForSize) {
  EXPECT_EQ(ArrayStore::levels_for(1), 1U);
  EXPECT_EQ(ArrayStore::levels_for(8), 1U);
  EXPECT_EQ(ArrayStore::levels_for(9), 2U);
  EXPECT_EQ(ArrayStore::levels_for(std::uint64_t{1} << 32), 11U);
}

}  // namespace
}  // namespace agon::algol
