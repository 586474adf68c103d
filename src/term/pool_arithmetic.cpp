// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "support/error.h"
#include "term/fold.h"
#include "term/pool.h"
#include "term/rules.h"
#include "term/tables.h"

namespace agon::term {
namespace {

/// op(ite(c, k1, k2), k3), for an operator on constants only, is a choice
/// between constants again. C computes with truth values in this way.
Term lift_choice(Pool& pool, Kind kind, Term a, Term b) {
  const bool choice_a = detail::is_constant_ite(a);
  const bool choice_b = detail::is_constant_ite(b);
  if (choice_a &&
      (b.is_constant() || (choice_b && a.operand(0) == b.operand(0)))) {
    return pool.ite(
        a.operand(0),
        pool.binary(kind, a.operand(1), choice_b ? b.operand(1) : b),
        pool.binary(kind, a.operand(2), choice_b ? b.operand(2) : b));
  }
  if (choice_b && a.is_constant()) {
    return pool.ite(b.operand(0), pool.binary(kind, a, b.operand(1)),
                    pool.binary(kind, a, b.operand(2)));
  }
  return {};
}

Term simplify(Pool& pool, Kind kind, Term a, Term b) {
  switch (kind) {
    case Kind::Add:
      return detail::simplify_add(pool, a, b);
    case Kind::Subtract:
      return detail::simplify_subtract(pool, a, b);
    case Kind::Multiply:
      return detail::simplify_multiply(pool, a, b);
    case Kind::UDivide:
    case Kind::URemainder:
    case Kind::SDivide:
    case Kind::SRemainder:
      return detail::simplify_division(pool, kind, a, b);
    case Kind::BitAnd:
    case Kind::BitOr:
    case Kind::BitXor:
      return detail::simplify_bitwise(pool, kind, a, b);
    case Kind::ShiftLeft:
    case Kind::ShiftRight:
    case Kind::ShiftRightSigned:
      return detail::simplify_shift(pool, kind, a, b);
    default:
      AGON_ASSERT(detail::is_order(kind));
      return detail::simplify_order(pool, kind, a, b);
  }
}

bool has_sort(Kind kind, Sort sort) {
  if (sort.is_bits()) return true;
  if (!sort.is_int()) return false;
  switch (kind) {
    case Kind::Negate:
    case Kind::Add:
    case Kind::Subtract:
    case Kind::Multiply:
    case Kind::SDivide:
    case Kind::SRemainder:
    case Kind::SLess:
    case Kind::SLessEqual:
      return true;
    default:
      return false;
  }
}

}  // namespace

Term Pool::unary(Kind kind, Term a) {
  AGON_ASSERT(has_sort(kind, a.sort()));
  if (a.is_constant()) {
    return a.sort().is_int()
               ? integer(detail::fold(kind, a.integer()))
               : bits(detail::fold(kind, a.value(), a.width()), a.width());
  }
  if (a.kind() == kind) return a.operand(0);
  if (detail::is_constant_ite(a)) {
    return ite(a.operand(0), unary(kind, a.operand(1)),
               unary(kind, a.operand(2)));
  }
  if (kind == Kind::Negate) {
    const Term simple = detail::simplify_negate(*this, a);
    if (simple) return simple;
  }
  return tables_->make(kind, a.sort(), {a});
}

Term Pool::binary(Kind kind, Term a, Term b) {
  AGON_ASSERT(a.sort() == b.sort() && has_sort(kind, a.sort()));
  const bool order = detail::is_order(kind);
  if (a.is_constant() && b.is_constant()) {
    if (a.sort().is_int()) {
      const Integer value = detail::fold(kind, a.integer(), b.integer());
      return order ? boolean(value != 0) : integer(value);
    }
    const Bits value = detail::fold(kind, a.value(), b.value(), a.width());
    return order ? boolean(value != 0) : bits(value, a.width());
  }
  if (const Term lifted = lift_choice(*this, kind, a, b)) return lifted;
  if (detail::is_commutative(kind) &&
      (a.is_constant() || (!b.is_constant() && b < a))) {
    std::swap(a, b);
  }
  if (const Term simple = simplify(*this, kind, a, b)) return simple;
  return tables_->make(kind, order ? Sort::boolean() : a.sort(), {a, b});
}

}  // namespace agon::term
