// SPDX-License-Identifier: Apache-2.0
#include "support/error.h"
#include "term/pool.h"
#include "term/rules.h"
#include "term/tables.h"

namespace agon::term {
namespace {

/// One term for two neighbouring parts, if they are constants or were
/// neighbours in one term before.
Term join(Pool& pool, Term high, Term low) {
  if (high.is_constant() && low.is_constant()) return pool.concat(high, low);
  if (high.kind() == Kind::Extract && low.kind() == Kind::Extract &&
      high.operand(0) == low.operand(0) &&
      high.low() == low.low() + low.width()) {
    return pool.extract(low.operand(0), low.low(), low.width() + high.width());
  }
  return {};
}

Term simplify_concat(Pool& pool, Term high, Term low) {
  const unsigned width = high.width() + low.width();
  if (detail::is_zero(high)) return pool.zero_extend(low, width);
  if (high.kind() == Kind::ZeroExtend) {
    return pool.zero_extend(pool.concat(high.operand(0), low), width);
  }
  if (high.kind() == Kind::Concat) {
    return pool.concat(high.operand(0), pool.concat(high.operand(1), low));
  }
  if (low.kind() == Kind::Concat) {
    const Term joined = join(pool, high, low.operand(0));
    return joined ? pool.concat(joined, low.operand(1)) : Term();
  }
  return join(pool, high, low);
}

Term extract_from_concat(Pool& pool, Term a, unsigned low, unsigned width) {
  const Term lower = a.operand(1);
  const unsigned split = lower.width();
  if (low >= split) return pool.extract(a.operand(0), low - split, width);
  if (low + width <= split) return pool.extract(lower, low, width);
  return pool.concat(pool.extract(a.operand(0), 0, low + width - split),
                     pool.extract(lower, low, split - low));
}

Term extract_from_extension(Pool& pool, Term a, unsigned low, unsigned width) {
  const bool sign = a.kind() == Kind::SignExtend;
  const Term x = a.operand(0);
  const unsigned end = x.width();
  if (low + width <= end) return pool.extract(x, low, width);
  if (low < end) {
    return pool.resize(pool.extract(x, low, end - low), width, sign);
  }
  return sign ? pool.sign_extend(pool.extract(x, end - 1, 1), width)
              : pool.bits(0, width);
}

/// Bits of a term that was shifted by a constant, if all were there before.
Term extract_from_shift(Pool& pool, Term a, unsigned low, unsigned width) {
  if (!a.operand(1).is_constant()) return {};
  const Bits amount = a.operand(1).value();  // Less than the width.
  const auto distance = static_cast<unsigned>(amount);
  if (a.kind() == Kind::ShiftLeft) {
    if (low < distance) return {};
    return pool.extract(a.operand(0), low - distance, width);
  }
  if (low + width + distance > a.width()) return {};
  return pool.extract(a.operand(0), low + distance, width);
}

/// Whether the lowest bits cost nothing to extract.
bool is_cut_easily(Term t) {
  return t.is_constant() || t.kind() == Kind::ZeroExtend ||
         t.kind() == Kind::SignExtend;
}

/// C computes `(char)(c + 1)` in 32 bits; eight of them are enough.
Term extract_from_arithmetic(Pool& pool, Term a, unsigned low, unsigned width) {
  if (low != 0 || !is_cut_easily(a.operand(0)) ||
      !is_cut_easily(a.operand(1))) {
    return {};
  }
  return pool.binary(a.kind(), pool.extract(a.operand(0), 0, width),
                     pool.extract(a.operand(1), 0, width));
}

Term simplify_extract(Pool& pool, Term a, unsigned low, unsigned width) {
  switch (a.kind()) {
    case Kind::Ite:
      if (!detail::is_constant_ite(a)) return {};
      return pool.ite(a.operand(0), pool.extract(a.operand(1), low, width),
                      pool.extract(a.operand(2), low, width));
    case Kind::Extract:
      return pool.extract(a.operand(0), low + a.low(), width);
    case Kind::Concat:
      return extract_from_concat(pool, a, low, width);
    case Kind::ZeroExtend:
    case Kind::SignExtend:
      return extract_from_extension(pool, a, low, width);
    case Kind::ShiftLeft:
    case Kind::ShiftRight:
    case Kind::ShiftRightSigned:
      return extract_from_shift(pool, a, low, width);
    case Kind::Add:
    case Kind::Subtract:
    case Kind::Multiply:
    case Kind::BitAnd:
    case Kind::BitOr:
    case Kind::BitXor:
      return extract_from_arithmetic(pool, a, low, width);
    default:
      return {};
  }
}

}  // namespace

Term Pool::concat(Term high, Term low) {
  AGON_ASSERT(high.sort().is_bits() && low.sort().is_bits());
  const unsigned width = high.width() + low.width();
  AGON_ASSERT(width <= Sort::kMaxWidth);
  if (high.is_constant() && low.is_constant()) {
    return bits(high.value() << low.width() | low.value(), width);
  }
  if (const Term simple = simplify_concat(*this, high, low)) return simple;
  return tables_->make(Kind::Concat, Sort::bits(width), {high, low});
}

Term Pool::extract(Term a, unsigned low, unsigned width) {
  AGON_ASSERT(a.sort().is_bits() && width >= 1);
  AGON_ASSERT(low < a.width() && width <= a.width() - low);
  if (width == a.width()) return a;
  if (a.is_constant()) return bits(a.value() >> low, width);
  if (const Term simple = simplify_extract(*this, a, low, width)) {
    return simple;
  }
  return tables_->make(Kind::Extract, Sort::bits(width), {a}, low);
}

Term Pool::zero_extend(Term a, unsigned width) {
  AGON_ASSERT(a.sort().is_bits() && width >= a.width());
  AGON_ASSERT(width <= Sort::kMaxWidth);
  if (width == a.width()) return a;
  if (a.is_constant()) return bits(a.value(), width);
  if (a.kind() == Kind::ZeroExtend) return zero_extend(a.operand(0), width);
  if (detail::is_constant_ite(a)) {
    return ite(a.operand(0), zero_extend(a.operand(1), width),
               zero_extend(a.operand(2), width));
  }
  return tables_->make(Kind::ZeroExtend, Sort::bits(width), {a});
}

Term Pool::sign_extend(Term a, unsigned width) {
  AGON_ASSERT(a.sort().is_bits() && width >= a.width());
  AGON_ASSERT(width <= Sort::kMaxWidth);
  if (width == a.width()) return a;
  if (a.is_constant()) {
    return bits(static_cast<Bits>(as_signed(a.value(), a.width())), width);
  }
  if (a.kind() == Kind::SignExtend) return sign_extend(a.operand(0), width);
  if (a.kind() == Kind::ZeroExtend) return zero_extend(a.operand(0), width);
  if (detail::is_constant_ite(a)) {
    return ite(a.operand(0), sign_extend(a.operand(1), width),
               sign_extend(a.operand(2), width));
  }
  return tables_->make(Kind::SignExtend, Sort::bits(width), {a});
}

Term Pool::resize(Term a, unsigned width, bool is_signed) {
  if (width < a.width()) return extract(a, 0, width);
  return is_signed ? sign_extend(a, width) : zero_extend(a, width);
}

}  // namespace agon::term
