// SPDX-License-Identifier: Apache-2.0
#include "algol/interval.h"

#include <array>

namespace agon::algol {
namespace {

__extension__ typedef __int128 Wide;
using Unsigned = std::uint64_t;

constexpr std::int64_t wrap(Unsigned value) {
  return static_cast<std::int64_t>(value);
}

Interval from_wide(Wide low, Wide high) {
  if (low < kEverything.low || high > kEverything.high) return kEverything;
  return {static_cast<std::int64_t>(low), static_cast<std::int64_t>(high)};
}

Interval multiply(Interval a, Interval b) {
  const std::array products = {Wide{a.low} * b.low, Wide{a.low} * b.high,
                               Wide{a.high} * b.low, Wide{a.high} * b.high};
  const auto [low, high] =
      std::minmax_element(products.begin(), products.end());
  return from_wide(*low, *high);
}

/// For a divisor that is on one side of zero.
Interval divide_one_side(Interval a, Interval b) {
  const std::array quotients = {Wide{a.low} / b.low, Wide{a.low} / b.high,
                                Wide{a.high} / b.low, Wide{a.high} / b.high};
  const auto [low, high] =
      std::minmax_element(quotients.begin(), quotients.end());
  return from_wide(*low, *high);
}

Interval divide(Interval a, Interval b) {
  if (b.low > 0 || b.high < 0) return divide_one_side(a, b);
  if (b.low == 0) return divide_one_side(a, {1, b.high});
  if (b.high == 0) return divide_one_side(a, {b.low, -1});
  return hull(divide_one_side(a, {b.low, -1}), divide_one_side(a, {1, b.high}));
}

Interval remainder(Interval a, Interval b) {
  const Wide magnitude = std::max(b.low < 0 ? -Wide{b.low} : Wide{b.low},
                                  b.high < 0 ? -Wide{b.high} : Wide{b.high});
  // Smaller than every divisor, and of one sign: it stays what it is.
  if (b.low > 0 && a.low >= 0 && a.high < b.low) return a;
  const Wide low = a.low >= 0 ? 0 : std::max(Wide{a.low}, 1 - magnitude);
  const Wide high = a.high <= 0 ? 0 : std::min(Wide{a.high}, magnitude - 1);
  return from_wide(low, high);
}

constexpr Interval truth(bool can_be_false, bool can_be_true) {
  return {can_be_false ? 0 : 1, can_be_true ? 1 : 0};
}

}  // namespace

std::optional<std::int64_t> apply(Operator op, std::int64_t a, std::int64_t b) {
  const auto ua = static_cast<Unsigned>(a);
  const auto ub = static_cast<Unsigned>(b);
  switch (op) {
    case Operator::Negate:
      return wrap(Unsigned{0} - ua);
    case Operator::Not:
      return a == 0 ? 1 : 0;
    case Operator::Add:
      return wrap(ua + ub);
    case Operator::Subtract:
      return wrap(ua - ub);
    case Operator::Multiply:
      return wrap(ua * ub);
    case Operator::Divide:
      if (b == 0) return std::nullopt;
      return b == -1 ? wrap(Unsigned{0} - ua) : a / b;
    case Operator::Remainder:
      if (b == 0) return std::nullopt;
      return b == -1 ? 0 : a % b;
    case Operator::Less:
      return a < b;
    case Operator::LessEqual:
      return a <= b;
    case Operator::Greater:
      return a > b;
    case Operator::GreaterEqual:
      return a >= b;
    case Operator::Equal:
      return a == b;
    case Operator::NotEqual:
      return a != b;
    case Operator::And:
      return a != 0 && b != 0;
    case Operator::Or:
      return a != 0 || b != 0;
  }
  return std::nullopt;
}

Interval apply(Operator op, Interval a, Interval b) {
  if (a.is_single() && b.is_single()) {
    if (const auto value = apply(op, a.low, b.low)) {
      return Interval::single(*value);
    }
  }
  switch (op) {
    case Operator::Negate:
      return from_wide(-Wide{a.high}, -Wide{a.low});
    case Operator::Not:
      return {1 - a.high, 1 - a.low};
    case Operator::Add:
      return from_wide(Wide{a.low} + b.low, Wide{a.high} + b.high);
    case Operator::Subtract:
      return from_wide(Wide{a.low} - b.high, Wide{a.high} - b.low);
    case Operator::Multiply:
      return multiply(a, b);
    case Operator::Divide:
      return divide(a, b);
    case Operator::Remainder:
      return remainder(a, b);
    case Operator::Less:
      return truth(a.high >= b.low, a.low < b.high);
    case Operator::LessEqual:
      return truth(a.high > b.low, a.low <= b.high);
    case Operator::Greater:
      return truth(a.low <= b.high, a.high > b.low);
    case Operator::GreaterEqual:
      return truth(a.low < b.high, a.high >= b.low);
    case Operator::Equal:
      return truth(!a.is_single() || a != b, a.meets(b));
    case Operator::NotEqual:
      return truth(a.meets(b), !a.is_single() || a != b);
    case Operator::And:
      return {std::min(a.low, b.low), std::min(a.high, b.high)};
    case Operator::Or:
      return {std::max(a.low, b.low), std::max(a.high, b.high)};
  }
  return kEverything;
}

Interval apply_twice(Operator op, Interval a) {
  switch (op) {
    case Operator::Subtract:
    case Operator::Less:
    case Operator::Greater:
    case Operator::NotEqual:
      return Interval::single(0);
    case Operator::LessEqual:
    case Operator::GreaterEqual:
    case Operator::Equal:
      return Interval::single(1);
    default:
      return apply(op, a, a);
  }
}

std::int64_t reduce(std::int64_t value, Interval range) {
  if (range.contains(value)) return value;
  const Wide size = Wide{range.high} - range.low + 1;
  Wide offset = (Wide{value} - range.low) % size;
  if (offset < 0) offset += size;
  return static_cast<std::int64_t>(range.low + offset);
}

Interval reduce(Interval value, Interval range) {
  if (range.contains(value)) return value;
  const Wide size = Wide{range.high} - range.low + 1;
  if (Wide{value.high} - value.low + 1 >= size) return range;
  const Interval ends{reduce(value.low, range), reduce(value.high, range)};
  return ends.low <= ends.high ? ends : range;
}

}  // namespace agon::algol
