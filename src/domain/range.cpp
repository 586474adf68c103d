// SPDX-License-Identifier: Apache-2.0
#include "domain/range.h"

#include <algorithm>
#include <array>
#include <bit>

namespace agon::domain {
namespace {

using term::Kind;
using term::SignedBits;

constexpr SignedBits power(unsigned exponent) {
  return SignedBits{1} << exponent;
}

Range full(unsigned width) { return {-power(width - 1), power(width - 1) - 1}; }

/// A result before it is reduced to `width` bits. If all of it wraps equally
/// often it stays an interval.
Range wrap(SignedBits low, SignedBits high, unsigned width) {
  const SignedBits half = power(width - 1);
  const SignedBits first = (low + half) >> width;  // Rounds down.
  const SignedBits last = (high + half) >> width;
  if (first != last) return full(width);
  const SignedBits shift = first * power(width);
  return {low - shift, high - shift};
}

/// The least number 2^n - 1 that is not below a number that is not negative.
SignedBits ones_above(SignedBits value) {
  return power(static_cast<unsigned>(
             std::bit_width(static_cast<std::uint64_t>(value)))) -
         1;
}

Range multiply(const Range& a, const Range& b, unsigned width) {
  const std::array corners = {a.low * b.low, a.low * b.high, a.high * b.low,
                              a.high * b.high};
  return wrap(std::ranges::min(corners), std::ranges::max(corners), width);
}

Range divide(const Range& a, const Range& b, unsigned width) {
  if (b.contains(0)) return full(width);
  const std::array corners = {a.low / b.low, a.low / b.high, a.high / b.low,
                              a.high / b.high};
  return wrap(std::ranges::min(corners), std::ranges::max(corners), width);
}

Range remainder(const Range& a, const Range& b, unsigned width) {
  if (b.contains(0)) return full(width);
  const SignedBits most =
      std::max(b.low < 0 ? -b.low : b.low, b.high < 0 ? -b.high : b.high) - 1;
  return {a.low < 0 ? std::max(a.low, -most) : 0,
          a.high > 0 ? std::min(a.high, most) : 0};
}

Range bit_and(const Range& a, const Range& b, unsigned width) {
  if (a.low >= 0 && b.low >= 0) return {0, std::min(a.high, b.high)};
  if (a.low >= 0) return {0, a.high};
  if (b.low >= 0) return {0, b.high};
  return {full(width).low, std::max(a.high, b.high)};
}

Range bit_or(const Range& a, const Range& b, unsigned width) {
  if (a.low >= 0 && b.low >= 0) {
    return {std::max(a.low, b.low), ones_above(std::max(a.high, b.high))};
  }
  if (a.high < 0 || b.high < 0) return {full(width).low, -1};
  return full(width);
}

Range bit_xor(const Range& a, const Range& b, unsigned width) {
  if (a.low >= 0 && b.low >= 0) {
    return {0, ones_above(std::max(a.high, b.high))};
  }
  return full(width);
}

Range shift(Kind kind, const Range& a, const Range& b, unsigned width) {
  const bool is_known = b.is_single() && b.low >= 0 && b.low < width;
  const unsigned by = is_known ? static_cast<unsigned>(b.low) : 0;
  if (kind == Kind::ShiftLeft) {
    return is_known ? multiply(a, {power(by), power(by)}, width) : full(width);
  }
  if (is_known && (kind == Kind::ShiftRightSigned || a.low >= 0)) {
    return {a.low >> by, a.high >> by};
  }
  // To the right, numbers get nearer to 0 or -1.
  if (a.low >= 0) return {0, a.high};
  if (kind == Kind::ShiftRightSigned) return hull(a, {-1, 0});
  return is_known && by > 0 ? Range{0, power(width - by) - 1} : full(width);
}

Range extend_by_zeros(const Range& a, unsigned from) {
  return as_unsigned(a, from);
}

}  // namespace

bool is_followed(term::Sort sort) {
  return sort.is_bool() || (sort.is_bits() && sort.width <= 64);
}

Range all_of(term::Sort sort) {
  if (sort.is_bool()) return {0, 1};
  return full(std::min<unsigned>(sort.width, 64));
}

std::optional<Range> intersect(const Range& a, const Range& b) {
  const Range both{std::max(a.low, b.low), std::min(a.high, b.high)};
  if (both.low > both.high) return std::nullopt;
  return both;
}

Range hull(const Range& a, const Range& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

Range as_unsigned(const Range& range, unsigned width) {
  if (range.low >= 0) return range;
  if (range.high < 0) {
    return {range.low + power(width), range.high + power(width)};
  }
  return {0, power(width) - 1};
}

Range apply(term::Term term, const Range& a, const Range& b) {
  const unsigned width = term.width();
  switch (term.kind()) {
    case Kind::Negate:
      return wrap(-a.high, -a.low, width);
    case Kind::Add:
      return wrap(a.low + b.low, a.high + b.high, width);
    case Kind::Subtract:
      return wrap(a.low - b.high, a.high - b.low, width);
    case Kind::Multiply:
      return multiply(a, b, width);
    case Kind::UDivide:
      return a.low >= 0 && b.low >= 0 ? divide(a, b, width) : full(width);
    case Kind::URemainder:
      return a.low >= 0 && b.low >= 0 ? remainder(a, b, width) : full(width);
    case Kind::SDivide:
      return divide(a, b, width);
    case Kind::SRemainder:
      return remainder(a, b, width);
    case Kind::BitNot:
      return {-1 - a.high, -1 - a.low};
    case Kind::BitAnd:
      return bit_and(a, b, width);
    case Kind::BitOr:
      return bit_or(a, b, width);
    case Kind::BitXor:
      return bit_xor(a, b, width);
    case Kind::ShiftLeft:
    case Kind::ShiftRight:
    case Kind::ShiftRightSigned:
      return shift(term.kind(), a, b, width);
    case Kind::Extract:
      return term.low() == 0 ? wrap(a.low, a.high, width) : full(width);
    case Kind::ZeroExtend:
      return extend_by_zeros(a, term.operand(0).width());
    case Kind::SignExtend:
      return a;
    default:
      return full(width);
  }
}

std::optional<bool> compare(Kind kind, unsigned width, const Range& a,
                            const Range& b) {
  if (kind == Kind::ULess || kind == Kind::ULessEqual) {
    return compare(kind == Kind::ULess ? Kind::SLess : Kind::SLessEqual, width,
                   as_unsigned(a, width), as_unsigned(b, width));
  }
  switch (kind) {
    case Kind::Equal:
      if (!intersect(a, b)) return false;
      if (a.is_single() && a == b) return true;
      return std::nullopt;
    case Kind::SLess:
      if (a.high < b.low) return true;
      if (a.low >= b.high) return false;
      return std::nullopt;
    case Kind::SLessEqual:
      if (a.high <= b.low) return true;
      if (a.low > b.high) return false;
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

}  // namespace agon::domain
