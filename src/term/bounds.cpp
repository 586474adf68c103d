// SPDX-License-Identifier: Apache-2.0
#include "term/bounds.h"

#include <algorithm>
#include <array>

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

/// What is chosen where a condition says how large it is: the condition of a
/// minimum compares the two.
Bits of_chosen(Term choice, std::size_t branch, std::span<const Bits> of) {
  Term condition = choice.operand(0);
  bool truth = branch == 1;
  while (condition.kind() == Kind::Not) {
    condition = condition.operand(0);
    truth = !truth;
  }
  const Kind kind = condition.kind();
  if (kind != Kind::ULess && kind != Kind::ULessEqual) return of[branch];
  const Term smaller = condition.operand(truth ? 0 : 1);
  const Term larger = condition.operand(truth ? 1 : 0);
  if (smaller != choice.operand(branch)) return of[branch];
  const std::size_t other = branch == 1 ? 2 : 1;
  if (larger == choice.operand(other)) return std::min(of[branch], of[other]);
  return larger.is_constant() ? std::min(of[branch], larger.value())
                              : of[branch];
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
      return std::max(of_chosen(term, 1, of), of_chosen(term, 2, of));
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

Bits largest_value(Term term, unsigned depth) {
  if (!term.sort().is_bits()) return 0;
  const auto operands = term.operands();
  std::array<Bits, 3> of{};
  if (depth == 0 || operands.size() > of.size()) return mask(term.width());
  for (std::size_t i = 0; i < operands.size(); ++i) {
    of[i] = largest_value(operands[i], depth - 1);
  }
  return largest_value(term, {of.data(), operands.size()});
}

}  // namespace agon::term
