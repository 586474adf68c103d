// SPDX-License-Identifier: Apache-2.0
#include "term/bounds.h"

#include <algorithm>

namespace agon::term {

unsigned bits_for(Bits number) {
  unsigned result = 1;
  while ((number >>= 1) != 0) ++result;
  return result;
}

namespace {

Bits of_quotient(Bits dividend, Term divisor, Bits all) {
  const bool is_known = divisor.is_constant() && divisor.value() != 0;
  return is_known ? dividend / divisor.value() : all;
}

/// A remainder by 0 is the dividend.
Bits of_remainder(Bits dividend, Term divisor) {
  const bool is_known = divisor.is_constant() && divisor.value() != 0;
  return is_known ? std::min<Bits>(dividend, divisor.value() - 1) : dividend;
}

bool is_negative(Bits largest, unsigned width) {
  return largest > mask(width - 1);
}

}  // namespace

Bits largest_value(Term term, std::span<const Bits> of) {
  if (!term.sort().is_bits()) return 0;
  const unsigned width = term.width();
  const Bits all = mask(width);
  switch (term.kind()) {
    case Kind::Constant:
      return term.value();
    case Kind::Ite:
      return std::max(of[1], of[2]);
    case Kind::ZeroExtend:
      return of[0];
    case Kind::SignExtend:
      return is_negative(of[0], term.operand(0).width()) ? all : of[0];
    case Kind::Add:
      return of[0] <= all - of[1] ? of[0] + of[1] : all;
    case Kind::Multiply:
      return bits_for(of[0]) + bits_for(of[1]) <= width ? of[0] * of[1] : all;
    case Kind::BitAnd:
      return std::min(of[0], of[1]);
    case Kind::BitOr:
    case Kind::BitXor:
      return mask(bits_for(std::max(of[0], of[1])));
    case Kind::ShiftRight:
      return term.operand(1).is_constant() && term.operand(1).value() < width
                 ? of[0] >> static_cast<unsigned>(term.operand(1).value())
                 : of[0];
    case Kind::Extract:
      return std::min(all, of[0] >> term.low());
    case Kind::Concat: {
      const unsigned low = term.operand(1).width();
      return of[0] == 0 ? of[1] : (of[0] << low) | mask(low);
    }
    case Kind::UDivide:
      return of_quotient(of[0], term.operand(1), all);
    case Kind::URemainder:
      return of_remainder(of[0], term.operand(1));
    case Kind::SDivide:
      return is_negative(of[0], width) || is_negative(of[1], width)
                 ? all
                 : of_quotient(of[0], term.operand(1), all);
    case Kind::SRemainder:
      return is_negative(of[0], width) || is_negative(of[1], width)
                 ? all
                 : of_remainder(of[0], term.operand(1));
    default:
      return all;
  }
}

}  // namespace agon::term
