// SPDX-License-Identifier: Apache-2.0
#include "algol/interval.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "algol/precision.h"

namespace agon::algol {
namespace {

constexpr std::int64_t kMin = INT64_MIN;
constexpr std::int64_t kMax = INT64_MAX;

std::vector<Interval> small_intervals() {
  std::vector<Interval> result;
  for (std::int64_t low = -5; low <= 5; ++low) {
    for (std::int64_t high = low; high <= 5; ++high) {
      result.push_back({low, high});
    }
  }
  return result;
}

/// The smallest interval with all results, from the definition.
std::optional<Interval> exact(Operator op, Interval a, Interval b) {
  std::optional<Interval> result;
  for (std::int64_t x = a.low; x <= a.high; ++x) {
    for (std::int64_t y = b.low; y <= b.high; ++y) {
      const auto value = apply(op, x, y);
      if (!value) continue;
      const Interval single = Interval::single(*value);
      result = result ? hull(*result, single) : single;
    }
  }
  return result;
}

TEST(Interval, TwiceTheSameMember) {
  for (int op = static_cast<int>(Operator::Add);
       op <= static_cast<int>(Operator::Or); ++op) {
    const auto kind = static_cast<Operator>(op);
    for (const Interval& a : small_intervals()) {
      const bool is_logical = kind == Operator::And || kind == Operator::Or;
      const bool is_bool = a.low >= 0 && a.high <= 1;
      if ((is_logical && !is_bool) || a == Interval::single(0)) continue;
      for (std::int64_t x = a.low; x <= a.high; ++x) {
        const auto value = apply(kind, x, x);
        EXPECT_TRUE(!value || apply_twice(kind, a).contains(*value)) << op;
      }
    }
  }
}

TEST(Interval, OperatorsAreTheHullOfTheirResults) {
  using enum Operator;
  for (const Operator op : {Add, Subtract, Multiply, Divide, Less, LessEqual,
                            Greater, GreaterEqual, Equal, NotEqual}) {
    for (const Interval a : small_intervals()) {
      for (const Interval b : small_intervals()) {
        const auto expected = exact(op, a, b);
        if (!expected) continue;  // Only divisions by zero.
        EXPECT_EQ(apply(op, a, b), *expected)
            << static_cast<int>(op) << " [" << a.low << "," << a.high << "] ["
            << b.low << "," << b.high << "]";
      }
    }
  }
}

TEST(Interval, RemaindersContainTheirResults) {
  for (const Interval a : small_intervals()) {
    for (const Interval b : small_intervals()) {
      const auto expected = exact(Operator::Remainder, a, b);
      if (!expected) continue;
      EXPECT_TRUE(apply(Operator::Remainder, a, b).contains(*expected));
    }
  }
  EXPECT_EQ(apply(Operator::Remainder, Interval{0, 100}, Interval{7, 7}),
            (Interval{0, 6}));
}

TEST(Interval, UnaryAndLogical) {
  EXPECT_EQ(apply(Operator::Negate, Interval{-2, 5}, {}), (Interval{-5, 2}));
  EXPECT_EQ(apply(Operator::Not, Interval{0, 0}, {}), (Interval{1, 1}));
  for (const Interval a : {Interval{0, 0}, Interval{0, 1}, Interval{1, 1}}) {
    for (const Interval b : {Interval{0, 0}, Interval{0, 1}, Interval{1, 1}}) {
      for (const Operator op : {Operator::And, Operator::Or}) {
        EXPECT_EQ(apply(op, a, b), *exact(op, a, b));
      }
    }
  }
}

TEST(Interval, WrapsAroundAt64Bits) {
  EXPECT_EQ(apply(Operator::Add, kMax, 1), kMin);
  EXPECT_EQ(apply(Operator::Negate, kMin, 0), kMin);
  EXPECT_EQ(apply(Operator::Divide, kMin, -1), kMin);
  EXPECT_EQ(apply(Operator::Remainder, kMin, -1), 0);
  EXPECT_EQ(apply(Operator::Divide, 1, 0), std::nullopt);
  const Interval top{kMax - 1, kMax};
  const Interval one{1, 1};
  EXPECT_EQ(apply(Operator::Add, top, one), kEverything);
  EXPECT_EQ(apply(Operator::Multiply, top, top), kEverything);
  EXPECT_EQ(apply(Operator::Divide, Interval{kMin, 0}, Interval{-1, 1}),
            kEverything);
  EXPECT_EQ(apply(Operator::Add, Interval::single(kMax), one),
            Interval::single(kMin));
}

TEST(Interval, ReducesModuloTheRange) {
  const Interval range{-2, 4};
  for (std::int64_t low = -20; low <= 20; ++low) {
    const std::int64_t reduced = reduce(low, range);
    EXPECT_TRUE(range.contains(reduced));
    EXPECT_EQ((reduced - low) % 7, 0);
    for (std::int64_t high = low; high <= 20; ++high) {
      const Interval result = reduce(Interval{low, high}, range);
      EXPECT_TRUE(range.contains(result));
      for (std::int64_t x = low; x <= high; ++x) {
        EXPECT_TRUE(result.contains(reduce(x, range)));
      }
    }
  }
}

TEST(Partition, IsCutWhereItIsToldTo) {
  Partition partition({0, 10}, Partition::Start::Whole);
  EXPECT_EQ(partition.num_parts(), 1U);
  EXPECT_TRUE(partition.cut(4));
  EXPECT_FALSE(partition.cut(4));
  EXPECT_FALSE(partition.cut(0));
  EXPECT_FALSE(partition.cut(11));
  EXPECT_TRUE(partition.cut(10));
  EXPECT_EQ(partition.num_parts(), 3U);
  EXPECT_EQ(partition.part(0), (Interval{0, 3}));
  EXPECT_EQ(partition.part(1), (Interval{4, 9}));
  EXPECT_EQ(partition.part(2), (Interval{10, 10}));
  EXPECT_EQ(partition.part_of(3), 0U);
  EXPECT_EQ(partition.part_of(4), 1U);
  EXPECT_EQ(partition.part_of(10), 2U);
}

TEST(Partition, ExactHasAPartForEachValue) {
  Partition partition({-1, (std::int64_t{1} << 32) - 2},
                      Partition::Start::Exact);
  EXPECT_EQ(partition.num_parts(), std::uint64_t{1} << 32);
  EXPECT_EQ(partition.part(3), Interval::single(2));
  EXPECT_EQ(partition.part_of(2), 3U);
  EXPECT_FALSE(partition.cut(5));
}

}  // namespace
}  // namespace agon::algol
