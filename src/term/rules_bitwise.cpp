// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "term/rules.h"

namespace agon::term::detail {
namespace {

bool is_complement(Term a, Term b) {
  return (a.kind() == Kind::BitNot && a.operand(0) == b) ||
         (b.kind() == Kind::BitNot && b.operand(0) == a);
}

Term simplify_with_constant(Pool& pool, Kind kind, Term a, Term constant) {
  if (is_zero(constant)) return kind == Kind::BitAnd ? constant : a;
  if (is_all_ones(constant)) {
    if (kind == Kind::BitXor) return pool.unary(Kind::BitNot, a);
    return kind == Kind::BitAnd ? a : constant;
  }
  if (has_constant(a, kind)) {
    return pool.binary(kind, a.operand(0),
                       pool.binary(kind, a.operand(1), constant));
  }
  if (kind == Kind::BitAnd && a.kind() == Kind::ZeroExtend) {
    const Term x = a.operand(0);
    return pool.zero_extend(
        pool.bit_and(x, pool.extract(constant, 0, x.width())), a.width());
  }
  if (kind == Kind::BitXor && a.kind() == Kind::BitNot) {
    return pool.binary(kind, a.operand(0), pool.unary(Kind::BitNot, constant));
  }
  return {};
}

/// c ? k : 0 and d ? k : 0, which is how C says `(x < y) & (u < v)`.
Term combine_truth_values(Pool& pool, Kind kind, Term a, Term b) {
  if (!is_constant_ite(a) || !is_constant_ite(b) ||
      a.operand(1) != b.operand(1) || !is_zero(a.operand(2)) ||
      !is_zero(b.operand(2))) {
    return {};
  }
  const Term c = a.operand(0);
  const Term d = b.operand(0);
  const Term both = kind == Kind::BitAnd  ? pool.conjunction({c, d})
                    : kind == Kind::BitOr ? pool.disjunction({c, d})
                                          : pool.negation(pool.equal(c, d));
  return pool.ite(both, a.operand(1), a.operand(2));
}

}  // namespace

Term simplify_bitwise(Pool& pool, Kind kind, Term a, Term b) {
  if (b.is_constant()) return simplify_with_constant(pool, kind, a, b);
  if (a == b) return kind == Kind::BitXor ? zero_like(pool, a) : a;
  if (is_complement(a, b)) {
    return kind == Kind::BitAnd ? zero_like(pool, a) : all_ones_like(pool, a);
  }
  return combine_truth_values(pool, kind, a, b);
}

Term simplify_shift(Pool& pool, Kind kind, Term a, Term b) {
  const bool is_signed = kind == Kind::ShiftRightSigned;
  const unsigned width = a.width();
  if (is_zero(a) || (is_signed && is_all_ones(a))) return a;
  if (!b.is_constant()) return {};
  if (is_zero(b)) return a;
  if (b.value() >= width) {
    return is_signed ? pool.binary(kind, a, pool.bits(width - 1, width))
                     : zero_like(pool, a);
  }
  if (!has_constant(a, kind)) return {};
  const Bits sum = a.operand(1).value() + b.value();
  if (sum >= width && !is_signed) return zero_like(pool, a);
  return pool.binary(kind, a.operand(0),
                     pool.bits(std::min(sum, Bits{width - 1}), width));
}

}  // namespace agon::term::detail
