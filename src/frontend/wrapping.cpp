// SPDX-License-Identifier: Apache-2.0
// Terms are simplified as machine arithmetic: the constants of nested sums and
// products are brought together, and `x - 1` is kept as a sum with all bits
// set. Who reads such a term over integers without bounds must be able to rely
// on a constant being the number of its signed reading. Where the machine's
// constant would be another number than the integers' the source is refused.
#include "frontend/lowering.h"

namespace agon::frontend {

using term::Kind;
using term::Term;

namespace {

using Wide = term::Integer;

/// A term as simplification may see it: factor * rest + offset.
struct Constants {
  Wide factor = 1;
  Wide offset = 0;
  bool is_constant = false;
};

Wide number(Term constant, bool is_signed) {
  const Wide value(constant.value());
  const Wide end = Wide(1) << constant.width();
  return is_signed && 2 * value >= end ? Wide(value - end) : value;
}

bool has_constant(Term t, Kind kind) {
  return t.kind() == kind && t.operand(1).is_constant();
}

Constants constants_of(Term t, bool is_signed) {
  Constants result;
  if (t.is_constant()) {
    result.is_constant = true;
    result.factor = 0;
    result.offset = number(t, is_signed);
    return result;
  }
  if (has_constant(t, Kind::Add)) {
    result.offset = number(t.operand(1), true);
    t = t.operand(0);
  } else if (t.kind() == Kind::Subtract && t.operand(0).is_constant()) {
    result.offset = number(t.operand(0), is_signed);
    result.factor = -1;
    t = t.operand(1);
  } else if (t.kind() == Kind::Negate) {
    result.factor = -1;
    t = t.operand(0);
  }
  if (has_constant(t, Kind::Multiply)) {
    result.factor *= number(t.operand(1), true);
  }
  return result;
}

/// Whether a sum with such constants is read as what it is.
bool is_kept(const Constants& sum, unsigned width, bool is_signed) {
  const Wide all = Wide(1) << width;
  const Wide half = Wide(1) << (width - 1);
  if (sum.is_constant) {
    return is_signed ? -half <= sum.offset && sum.offset < half
                     : 0 <= sum.offset && sum.offset < all;
  }
  // Without a sign a large constant looks like a small one taken away.
  const Wide end = is_signed ? half : Wide(1) << (width - 2);
  if (sum.factor <= -end || sum.factor >= end) return false;
  // That from which something is taken away has the sign of the type.
  if (!is_signed && sum.factor < 0) return 0 <= sum.offset && sum.offset < all;
  return -end < sum.offset && sum.offset < end;
}

Constants sum_of(const Constants& a, const Constants& b, int sign) {
  Constants sum;
  sum.is_constant = a.is_constant && b.is_constant;
  sum.offset = a.offset + sign * b.offset;
  // Only what is taken away from a constant keeps that on its left.
  const bool has_positive_part = a.factor > 0 || sign * b.factor > 0;
  sum.factor = has_positive_part ? 1 : -1;
  return sum;
}

Constants product_of(const Constants& a, const Constants& b) {
  if (!a.is_constant && !b.is_constant) return {a.factor * b.factor, 0, false};
  const Constants& other = a.is_constant ? b : a;
  const Wide& by = a.is_constant ? a.offset : b.offset;
  return {other.factor * by, other.offset * by, other.is_constant};
}

}  // namespace

void Lowering::refuse_wrapping(clang::BinaryOperatorKind op, Term a, Term b,
                               clang::QualType type,
                               clang::SourceLocation where) {
  const bool is_signed_type = is_signed(type);
  const Constants one = constants_of(a, is_signed_type);
  const Constants two = constants_of(b, is_signed_type);
  Constants result;
  if (op == clang::BO_Add || op == clang::BO_Sub) {
    result = sum_of(one, two, op == clang::BO_Add ? 1 : -1);
  } else if (op == clang::BO_Mul) {
    result = product_of(one, two);
  } else {
    return;
  }
  if (is_kept(result, a.width(), is_signed_type)) return;
  unit_.fail(where,
             "a constant is too large here for integers without bounds "
             "(--integers=math): it cannot be told from one that wraps");
}

}  // namespace agon::frontend
