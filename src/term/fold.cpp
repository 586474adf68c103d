// SPDX-License-Identifier: Apache-2.0
#include "term/fold.h"

#include "support/error.h"

namespace agon::term::detail {
namespace {

Bits magnitude(Bits a, unsigned width) {
  return as_signed(a, width) < 0 ? truncate(-a, width) : a;
}

// Signs and magnitudes are taken apart because the least number divided by -1
// has no value in C++.
Bits divide_signed(Bits a, Bits b, unsigned width) {
  const bool negative = as_signed(a, width) < 0;
  if (b == 0) return negative ? 1 : mask(width);
  const Bits quotient = magnitude(a, width) / magnitude(b, width);
  return negative != (as_signed(b, width) < 0) ? -quotient : quotient;
}

Bits remainder_signed(Bits a, Bits b, unsigned width) {
  if (b == 0) return a;
  const Bits rest = magnitude(a, width) % magnitude(b, width);
  return as_signed(a, width) < 0 ? -rest : rest;
}

Bits shift_right_signed(Bits a, Bits b, unsigned width) {
  const unsigned amount = b >= width ? width - 1 : static_cast<unsigned>(b);
  return static_cast<Bits>(as_signed(a, width) >> amount);
}

Bits fold_untruncated(Kind kind, Bits a, Bits b, unsigned width) {
  switch (kind) {
    case Kind::Add:
      return a + b;
    case Kind::Subtract:
      return a - b;
    case Kind::Multiply:
      return a * b;
    case Kind::UDivide:
      return b == 0 ? mask(width) : a / b;
    case Kind::URemainder:
      return b == 0 ? a : a % b;
    case Kind::SDivide:
      return divide_signed(a, b, width);
    case Kind::SRemainder:
      return remainder_signed(a, b, width);
    case Kind::BitAnd:
      return a & b;
    case Kind::BitOr:
      return a | b;
    case Kind::BitXor:
      return a ^ b;
    case Kind::ShiftLeft:
      return b >= width ? 0 : a << static_cast<unsigned>(b);
    case Kind::ShiftRight:
      return b >= width ? 0 : a >> static_cast<unsigned>(b);
    case Kind::ShiftRightSigned:
      return shift_right_signed(a, b, width);
    case Kind::ULess:
      return a < b;
    case Kind::ULessEqual:
      return a <= b;
    case Kind::SLess:
      return as_signed(a, width) < as_signed(b, width);
    case Kind::SLessEqual:
      return as_signed(a, width) <= as_signed(b, width);
    default:
      AGON_ASSERT(!"a binary operator on bit-vectors");
      return 0;
  }
}

}  // namespace

Bits fold(Kind kind, Bits a, unsigned width) {
  AGON_ASSERT(kind == Kind::Negate || kind == Kind::BitNot);
  return truncate(kind == Kind::Negate ? -a : ~a, width);
}

Bits fold(Kind kind, Bits a, Bits b, unsigned width) {
  return truncate(fold_untruncated(kind, a, b, width), width);
}

Integer fold(Kind kind, const Integer& a) {
  AGON_ASSERT(kind == Kind::Negate);
  return -a;
}

Integer fold(Kind kind, const Integer& a, const Integer& b) {
  switch (kind) {
    case Kind::Add:
      return a + b;
    case Kind::Subtract:
      return a - b;
    case Kind::Multiply:
      return a * b;
    case Kind::SDivide:
      return b == 0 ? Integer(0) : Integer(a / b);
    case Kind::SRemainder:
      return b == 0 ? a : Integer(a % b);
    case Kind::SLess:
      return a < b ? 1 : 0;
    case Kind::SLessEqual:
      return a <= b ? 1 : 0;
    default:
      AGON_ASSERT(!"a binary operator on integers");
      return 0;
  }
}

bool is_order(Kind kind) {
  return kind >= Kind::ULess && kind <= Kind::SLessEqual;
}

bool is_commutative(Kind kind) {
  return kind == Kind::Add || kind == Kind::Multiply || kind == Kind::BitAnd ||
         kind == Kind::BitOr || kind == Kind::BitXor;
}

}  // namespace agon::term::detail
