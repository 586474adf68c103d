// SPDX-License-Identifier: Apache-2.0
#include "term/rules.h"

namespace agon::term::detail {

bool is_constant_ite(Term t) {
  return t.kind() == Kind::Ite && t.operand(1).is_constant() &&
         t.operand(2).is_constant();
}

bool has_constant(Term t, Kind kind) {
  return t.kind() == kind && t.operands().back().is_constant();
}

bool is_from_constant(Term t) {
  return t.kind() == Kind::Subtract && t.operand(0).is_constant();
}

bool is_zero(Term t) {
  if (!t.is_constant()) return false;
  return t.sort().is_int() ? t.integer() == 0 : t.value() == 0;
}

bool is_one(Term t) {
  if (!t.is_constant()) return false;
  return t.sort().is_int() ? t.integer() == 1 : t.value() == 1;
}

bool is_all_ones(Term t) {
  if (!t.is_constant()) return false;
  return t.sort().is_int() ? t.integer() == -1 : t.value() == mask(t.width());
}

Term zero_like(Pool& pool, Term t) {
  return t.sort().is_int() ? pool.integer(0) : pool.bits(0, t.width());
}

Term all_ones_like(Pool& pool, Term t) {
  return t.sort().is_int() ? pool.integer(-1) : pool.bits(~Bits{0}, t.width());
}

}  // namespace agon::term::detail
