// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include "term/rules.h"

namespace agon::term::detail {
namespace {

bool is_strict(Kind kind) { return kind == Kind::ULess || kind == Kind::SLess; }

bool is_signed(Kind kind) {
  return kind == Kind::SLess || kind == Kind::SLessEqual;
}

Kind unsigned_form(Kind kind) {
  return is_strict(kind) ? Kind::ULess : Kind::ULessEqual;
}

/// Comparisons with the least and the greatest value, or their neighbours.
Term compare_extreme(Pool& pool, Kind kind, Term a, Term b) {
  const unsigned width = a.width();
  const Bits least = is_signed(kind) ? Bits{1} << (width - 1) : Bits{0};
  const Bits greatest = truncate(least - 1, width);
  const bool strict = is_strict(kind);
  const Term constant = a.is_constant() ? a : b;
  const Bits k = constant.value();
  const Term x = a.is_constant() ? b : a;
  // The end at which `x op k` is false or true throughout, and the other one.
  const Bits near = a.is_constant() ? greatest : least;
  const Bits far = a.is_constant() ? least : greatest;
  const Bits next =
      a.is_constant() ? truncate(near - 1, width) : truncate(near + 1, width);
  if (k == near) {
    return strict ? pool.boolean(false) : pool.equal(x, constant);
  }
  if (k == far) {
    return strict ? pool.negation(pool.equal(x, constant)) : pool.boolean(true);
  }
  if (k == next && strict) return pool.equal(x, pool.bits(near, width));
  const Bits before_far =
      a.is_constant() ? truncate(far + 1, width) : truncate(far - 1, width);
  if (k == before_far && !strict) {
    return pool.negation(pool.equal(x, pool.bits(far, width)));
  }
  return {};
}

/// Whether every value of the extended term is above (true) or below (false)
/// the constant; none if the constant lies among its values. `kind` is an
/// order in which the extension is monotone.
std::optional<bool> is_above(Kind kind, Term extended, Term constant) {
  const unsigned width = constant.width();
  const unsigned inner = extended.operand(0).width();
  const Bits k = constant.value();
  if (extended.kind() == Kind::ZeroExtend) {
    if (is_signed(kind) && as_signed(k, width) < 0) return true;
    if (k > mask(inner)) return false;
    return {};
  }
  const SignedBits greatest = static_cast<SignedBits>(mask(inner - 1));
  if (as_signed(k, width) > greatest) return false;
  if (as_signed(k, width) < -greatest - 1) return true;
  return {};
}

/// An extended term against a constant: narrower, or decided.
Term narrow_constant(Pool& pool, Kind kind, Term a, Term b) {
  const Term extended = a.is_constant() ? b : a;
  const Term constant = a.is_constant() ? a : b;
  const bool zero = extended.kind() == Kind::ZeroExtend;
  if (!zero && (extended.kind() != Kind::SignExtend || !is_signed(kind))) {
    return {};
  }
  const std::optional<bool> above = is_above(kind, extended, constant);
  if (above) return pool.boolean(*above == a.is_constant());
  const Term x = extended.operand(0);
  const Term k = pool.extract(constant, 0, x.width());
  const Kind narrow = zero ? unsigned_form(kind) : kind;
  return a.is_constant() ? pool.binary(narrow, k, x)
                         : pool.binary(narrow, x, k);
}

/// Two terms extended in the same way.
Term narrow_both(Pool& pool, Kind kind, Term a, Term b) {
  if (a.kind() != b.kind() ||
      (a.kind() != Kind::ZeroExtend && a.kind() != Kind::SignExtend)) {
    return {};
  }
  const bool sign = a.kind() == Kind::SignExtend;
  const unsigned width = std::max(a.operand(0).width(), b.operand(0).width());
  return pool.binary(sign ? kind : unsigned_form(kind),
                     pool.resize(a.operand(0), width, sign),
                     pool.resize(b.operand(0), width, sign));
}

/// Integers do not wrap, so their offsets can be brought together.
Term simplify_integers(Pool& pool, Kind kind, Term a, Term b) {
  if (has_constant(a, Kind::Add) &&
      (b.is_constant() || has_constant(b, Kind::Add))) {
    return pool.binary(kind, a.operand(0), pool.subtract(b, a.operand(1)));
  }
  if (a.is_constant() && has_constant(b, Kind::Add)) {
    return pool.binary(kind, pool.subtract(a, b.operand(1)), b.operand(0));
  }
  return {};
}

}  // namespace

Term simplify_order(Pool& pool, Kind kind, Term a, Term b) {
  if (a == b) return pool.boolean(!is_strict(kind));
  if (a.sort().is_int()) return simplify_integers(pool, kind, a, b);
  if (!a.is_constant() && !b.is_constant()) {
    return narrow_both(pool, kind, a, b);
  }
  if (const Term simple = compare_extreme(pool, kind, a, b)) return simple;
  return narrow_constant(pool, kind, a, b);
}

}  // namespace agon::term::detail
