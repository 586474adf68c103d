// SPDX-License-Identifier: Apache-2.0
#include "term/rules.h"

namespace agon::term::detail {

// Sums keep their constant at the top: (x + y) + c, or c - x. Both hold for
// bit-vectors, which wrap, as well as for integers.

Term simplify_negate(Pool& pool, Term a) {
  if (a.kind() == Kind::Subtract) {
    return pool.subtract(a.operand(1), a.operand(0));
  }
  if (has_constant(a, Kind::Add)) {
    return pool.subtract(pool.negate(a.operand(1)), a.operand(0));
  }
  return {};
}

namespace {

Term add_constant(Pool& pool, Term a, Term constant) {
  if (is_zero(constant)) return a;
  if (has_constant(a, Kind::Add)) {
    return pool.add(a.operand(0), pool.add(a.operand(1), constant));
  }
  if (is_from_constant(a)) {
    return pool.subtract(pool.add(a.operand(0), constant), a.operand(1));
  }
  if (a.kind() == Kind::Negate) return pool.subtract(constant, a.operand(0));
  return {};
}

/// a + b, where something can be done about the form of `a`.
Term add_to(Pool& pool, Term a, Term b) {
  if (has_constant(a, Kind::Add)) {
    return pool.add(pool.add(a.operand(0), b), a.operand(1));
  }
  if (is_from_constant(a)) {
    return pool.add(pool.subtract(b, a.operand(1)), a.operand(0));
  }
  if (a.kind() == Kind::Negate) return pool.subtract(b, a.operand(0));
  if (a.kind() == Kind::Subtract && a.operand(1) == b) return a.operand(0);
  return {};
}

Term subtract_from_constant(Pool& pool, Term constant, Term b) {
  if (is_zero(constant)) return pool.negate(b);
  if (has_constant(b, Kind::Add)) {
    return pool.subtract(pool.subtract(constant, b.operand(1)), b.operand(0));
  }
  if (is_from_constant(b)) {
    return pool.add(b.operand(1), pool.subtract(constant, b.operand(0)));
  }
  if (b.kind() == Kind::Negate) return pool.add(b.operand(0), constant);
  return {};
}

/// a - b, where constants or signs can be moved out of the operands.
Term move_out(Pool& pool, Term a, Term b) {
  if (has_constant(a, Kind::Add)) {
    return pool.add(pool.subtract(a.operand(0), b), a.operand(1));
  }
  if (is_from_constant(a)) {
    return pool.subtract(a.operand(0), pool.add(a.operand(1), b));
  }
  if (has_constant(b, Kind::Add)) {
    return pool.add(pool.subtract(a, b.operand(0)), pool.negate(b.operand(1)));
  }
  if (is_from_constant(b)) {
    return pool.add(pool.add(a, b.operand(1)), pool.negate(b.operand(0)));
  }
  if (b.kind() == Kind::Negate) return pool.add(a, b.operand(0));
  if (a.kind() == Kind::Negate) return pool.negate(pool.add(a.operand(0), b));
  return {};
}

}  // namespace

Term simplify_add(Pool& pool, Term a, Term b) {
  if (b.is_constant()) return add_constant(pool, a, b);
  if (const Term sum = add_to(pool, a, b)) return sum;
  return add_to(pool, b, a);
}

Term simplify_subtract(Pool& pool, Term a, Term b) {
  if (a == b) return zero_like(pool, a);
  if (b.is_constant()) return pool.add(a, pool.negate(b));
  if (a.is_constant()) return subtract_from_constant(pool, a, b);
  if (const Term moved = move_out(pool, a, b)) return moved;
  if (a.kind() == Kind::Add) {
    if (a.operand(0) == b) return a.operand(1);
    if (a.operand(1) == b) return a.operand(0);
  }
  if (b.kind() == Kind::Add) {
    if (b.operand(0) == a) return pool.negate(b.operand(1));
    if (b.operand(1) == a) return pool.negate(b.operand(0));
  }
  if (a.kind() == Kind::Subtract && a.operand(0) == b) {
    return pool.negate(a.operand(1));
  }
  if (b.kind() == Kind::Subtract && b.operand(0) == a) return b.operand(1);
  return {};
}

Term simplify_multiply(Pool& pool, Term a, Term b) {
  if (!b.is_constant()) {
    if (has_constant(a, Kind::Multiply)) {
      return pool.multiply(pool.multiply(a.operand(0), b), a.operand(1));
    }
    if (has_constant(b, Kind::Multiply)) {
      return pool.multiply(pool.multiply(a, b.operand(0)), b.operand(1));
    }
    return {};
  }
  if (is_zero(b)) return b;
  if (is_one(b)) return a;
  if (is_all_ones(b)) return pool.negate(a);
  if (has_constant(a, Kind::Multiply)) {
    return pool.multiply(a.operand(0), pool.multiply(a.operand(1), b));
  }
  if (has_constant(a, Kind::Add)) {
    return pool.add(pool.multiply(a.operand(0), b),
                    pool.multiply(a.operand(1), b));
  }
  if (is_from_constant(a)) {
    return pool.subtract(pool.multiply(a.operand(0), b),
                         pool.multiply(a.operand(1), b));
  }
  if (a.kind() == Kind::Negate) {
    return pool.multiply(a.operand(0), pool.negate(b));
  }
  return {};
}

Term simplify_division(Pool& pool, Kind kind, Term a, Term b) {
  const bool is_signed = kind == Kind::SDivide || kind == Kind::SRemainder;
  const bool remainder = kind == Kind::URemainder || kind == Kind::SRemainder;
  if (remainder && is_zero(a)) return a;
  if (is_one(b)) return remainder ? zero_like(pool, a) : a;
  if (is_signed && is_all_ones(b)) {
    return remainder ? zero_like(pool, a) : pool.negate(a);
  }
  if (!is_zero(b)) return {};
  if (remainder) return a;
  if (kind == Kind::UDivide) return all_ones_like(pool, a);
  if (a.sort().is_int()) return b;
  return {};
}

}  // namespace agon::term::detail
