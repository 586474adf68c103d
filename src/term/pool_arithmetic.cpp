// SPDX-License-Identifier: Apache-2.0
#include "support/error.h"
#include "term/fold.h"
#include "term/pool.h"
#include "term/tables.h"

namespace agon::term {

Term Pool::unary(Kind kind, Term a) {
  AGON_ASSERT(a.sort().is_bits() ||
              (a.sort().is_int() && kind == Kind::Negate));
  if (a.is_constant()) {
    return a.sort().is_int()
               ? integer(detail::fold(kind, a.integer()))
               : bits(detail::fold(kind, a.value(), a.width()), a.width());
  }
  return tables_->make(kind, a.sort(), {a});
}

Term Pool::binary(Kind kind, Term a, Term b) {
  AGON_ASSERT(a.sort() == b.sort());
  AGON_ASSERT(a.sort().is_bits() || a.sort().is_int());
  const bool order = detail::is_order(kind);
  if (a.is_constant() && b.is_constant()) {
    if (a.sort().is_int()) {
      const Integer value = detail::fold(kind, a.integer(), b.integer());
      return order ? boolean(value != 0) : integer(value);
    }
    const Bits value = detail::fold(kind, a.value(), b.value(), a.width());
    return order ? boolean(value != 0) : bits(value, a.width());
  }
  return tables_->make(kind, order ? Sort::boolean() : a.sort(), {a, b});
}

}  // namespace agon::term
