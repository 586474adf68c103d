// SPDX-License-Identifier: Apache-2.0
#include "support/error.h"
#include "term/pool.h"
#include "term/tables.h"

namespace agon::term {

Term Pool::concat(Term high, Term low) {
  AGON_ASSERT(high.sort().is_bits() && low.sort().is_bits());
  const unsigned width = high.width() + low.width();
  AGON_ASSERT(width <= Sort::kMaxWidth);
  if (high.is_constant() && low.is_constant()) {
    return bits(high.value() << low.width() | low.value(), width);
  }
  return tables_->make(Kind::Concat, Sort::bits(width), {high, low});
}

Term Pool::extract(Term a, unsigned low, unsigned width) {
  AGON_ASSERT(a.sort().is_bits() && width >= 1);
  AGON_ASSERT(low < a.width() && width <= a.width() - low);
  if (width == a.width()) return a;
  if (a.is_constant()) return bits(a.value() >> low, width);
  return tables_->make(Kind::Extract, Sort::bits(width), {a}, low);
}

Term Pool::zero_extend(Term a, unsigned width) {
  AGON_ASSERT(a.sort().is_bits() && width >= a.width());
  if (width == a.width()) return a;
  if (a.is_constant()) return bits(a.value(), width);
  return tables_->make(Kind::ZeroExtend, Sort::bits(width), {a});
}

Term Pool::sign_extend(Term a, unsigned width) {
  AGON_ASSERT(a.sort().is_bits() && width >= a.width());
  if (width == a.width()) return a;
  if (a.is_constant()) {
    return bits(static_cast<Bits>(as_signed(a.value(), a.width())), width);
  }
  return tables_->make(Kind::SignExtend, Sort::bits(width), {a});
}

Term Pool::resize(Term a, unsigned width, bool is_signed) {
  if (width < a.width()) return extract(a, 0, width);
  return is_signed ? sign_extend(a, width) : zero_extend(a, width);
}

}  // namespace agon::term
