// SPDX-License-Identifier: Apache-2.0
/// Intervals of 64-bit integers, and arithmetic on them.
///
/// Arithmetic wraps around at 64 bits. The result of an operation on intervals
/// contains the results for all their members, and is the hull of them
/// except for products, quotients and remainders that wrap or change sign.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

namespace agon::algol {

enum class Operator : std::uint8_t {
  Negate,
  Not,
  Add,
  Subtract,
  Multiply,
  Divide,     // Rounds towards zero. A divisor of zero aborts.
  Remainder,  // Has the sign of the dividend.
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Equal,
  NotEqual,
  And,
  Or,
};

/// A set of numbers from `low` to `high`, never empty.
struct Interval {
  std::int64_t low = 0;
  std::int64_t high = 0;

  static constexpr Interval single(std::int64_t value) {
    return {value, value};
  }
  constexpr bool is_single() const { return low == high; }
  constexpr bool contains(std::int64_t value) const {
    return low <= value && value <= high;
  }
  constexpr bool contains(Interval other) const {
    return low <= other.low && other.high <= high;
  }
  constexpr bool meets(Interval other) const {
    return low <= other.high && other.low <= high;
  }
  friend constexpr bool operator==(Interval, Interval) = default;
};

inline constexpr Interval kEverything{INT64_MIN, INT64_MAX};

constexpr Interval meet(Interval a, Interval b) {
  return {std::max(a.low, b.low), std::min(a.high, b.high)};
}
constexpr Interval hull(Interval a, Interval b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

/// Whether the operator compares or is logical; its results are 0 and 1.
constexpr bool gives_bool(Operator op) {
  return op >= Operator::Less || op == Operator::Not;
}

/// What the operator gives for two numbers; nothing if it divides by zero. The
/// second one is ignored by operators with one operand.
std::optional<std::int64_t> apply(Operator op, std::int64_t a, std::int64_t b);

/// What it gives for members of two intervals. Zero as a divisor is left out;
/// the divisor has to contain something else.
Interval apply(Operator op, Interval a, Interval b);

/// What it gives for a member of an interval and the same once more.
Interval apply_twice(Operator op, Interval a);

/// What a variable of that range holds after the assignment of a value: the
/// member of the range that equals it modulo the size of the range.
std::int64_t reduce(std::int64_t value, Interval range);
Interval reduce(Interval value, Interval range);

}  // namespace agon::algol
