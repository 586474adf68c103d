// SPDX-License-Identifier: Apache-2.0
// Signed overflow as an error: a branch to a call that does not return.
#include "frontend/lowering.h"

namespace agon::frontend {

using term::Kind;
using term::Term;

namespace {

constexpr const char* kRoutine = "__agon_overflow";
/// How the names of functions start that fragments define.
constexpr const char* kOfSpecification = "__agon_";

/// When operations of one width leave the range of signed numbers. Constant
/// operands give bounds for the other one.
class Overflow {
 public:
  Overflow(term::Pool& pool, unsigned width)
      : pool_(pool),
        width_(width),
        zero_(pool.bits(0, width)),
        least_(pool.bits(term::Bits{1} << (width - 1), width)),
        greatest_(pool.bits((term::Bits{1} << (width - 1)) - 1, width)) {}

  Term add(Term a, Term b) {
    if (a.is_constant() && !b.is_constant()) return add(b, a);
    if (b.is_constant()) {
      return is_negative(b).is_true() ? less(a, pool_.subtract(least_, b))
                                      : less(pool_.subtract(greatest_, b), a);
    }
    const Term a_sign = is_negative(a);
    return pool_.conjunction(
        {pool_.equal(a_sign, is_negative(b)),
         pool_.negation(pool_.equal(a_sign, is_negative(pool_.add(a, b))))});
  }

  Term subtract(Term a, Term b) {
    if (a.is_constant() && a.value() == 0) return pool_.equal(b, least_);
    if (b.is_constant()) {
      return is_negative(b).is_true() ? less(pool_.add(greatest_, b), a)
                                      : less(a, pool_.add(least_, b));
    }
    const Term a_sign = is_negative(a);
    const Term sign = is_negative(pool_.subtract(a, b));
    return pool_.conjunction(
        {pool_.negation(pool_.equal(a_sign, is_negative(b))),
         pool_.negation(pool_.equal(a_sign, sign))});
  }

  Term multiply(Term a, Term b) {
    if (a.is_constant() && !b.is_constant()) return multiply(b, a);
    if (b.is_constant()) return multiply_by(a, signed_value(b));
    const Term minus_one = pool_.subtract(zero_, pool_.bits(1, width_));
    if (2 * width_ <= term::Sort::kMaxWidth) {
      const Term wide = pool_.multiply(pool_.sign_extend(a, 2 * width_),
                                       pool_.sign_extend(b, 2 * width_));
      const Term narrow =
          pool_.sign_extend(pool_.extract(wide, 0, width_), 2 * width_);
      return pool_.negation(pool_.equal(wide, narrow));
    }
    const Term back = pool_.binary(Kind::SDivide, pool_.multiply(a, b), a);
    return pool_.conjunction(
        {pool_.negation(pool_.equal(a, zero_)),
         pool_.disjunction({pool_.negation(pool_.equal(back, b)),
                            pool_.conjunction({pool_.equal(a, minus_one),
                                               pool_.equal(b, least_)})})});
  }

  Term divide(Term a, Term b) {
    const Term minus_one = pool_.subtract(zero_, pool_.bits(1, width_));
    return pool_.conjunction(
        {pool_.equal(a, least_), pool_.equal(b, minus_one)});
  }

  /// Whether a * 2^b does not fit; b has a width of its own. So a negative
  /// number may be shifted, which C leaves undefined and compilers do not.
  Term shift_left(Term a, Term b) {
    const Term far =
        pool_.negation(pool_.unsigned_less(b, pool_.bits(width_, b.width())));
    const Term amount = pool_.resize(b, width_, false);
    return pool_.ite(
        far, pool_.negation(pool_.equal(a, zero_)),
        amount.is_constant() ? leaves_range(a, amount) : loses_bits(a, amount));
  }

 private:
  Term leaves_range(Term a, Term amount) {
    return pool_.disjunction(
        {less(a, pool_.binary(Kind::ShiftRightSigned, least_, amount)),
         less(pool_.binary(Kind::ShiftRightSigned, greatest_, amount), a)});
  }
  Term loses_bits(Term a, Term amount) {
    const Term shifted = pool_.binary(Kind::ShiftLeft, a, amount);
    return pool_.negation(
        pool_.equal(a, pool_.binary(Kind::ShiftRightSigned, shifted, amount)));
  }

  Term multiply_by(Term a, term::SignedBits factor) {
    if (factor == 0) return pool_.boolean(false);
    if (factor == -1) return pool_.equal(a, least_);
    const Term low = number(signed_value(least_) / factor);
    const Term high = number(signed_value(greatest_) / factor);
    return factor > 0 ? pool_.disjunction({less(a, low), less(high, a)})
                      : pool_.disjunction({less(a, high), less(low, a)});
  }

  term::SignedBits signed_value(Term constant) const {
    return term::as_signed(constant.value(), width_);
  }
  Term number(term::SignedBits value) {
    return pool_.bits(term::truncate(static_cast<term::Bits>(value), width_),
                      width_);
  }
  Term less(Term a, Term b) { return pool_.binary(Kind::SLess, a, b); }
  Term is_negative(Term a) { return less(a, zero_); }

  term::Pool& pool_;
  unsigned width_;
  Term zero_;
  Term least_;
  Term greatest_;
};

}  // namespace

// What a specification computes is no arithmetic of the program.
bool Lowering::may_overflow(clang::QualType type) const {
  if (function_.valid() &&
      unit_.program()[function_].name.starts_with(kOfSpecification)) {
    return false;
  }
  return unit_.symbols().overflow_is_error && !constants_only_ &&
         type->isIntegralOrEnumerationType() && is_signed(type);
}

Term Lowering::checked(clang::BinaryOperatorKind op, Term a, Term b,
                       clang::QualType type, clang::SourceLocation where) {
  if (may_overflow(type)) {
    Overflow overflow(pool_, a.width());
    switch (op) {
      case clang::BO_Add:
        fail_on_overflow(overflow.add(a, b), where);
        break;
      case clang::BO_Sub:
        fail_on_overflow(overflow.subtract(a, b), where);
        break;
      case clang::BO_Mul:
        fail_on_overflow(overflow.multiply(a, b), where);
        break;
      case clang::BO_Div:
      case clang::BO_Rem:
        fail_on_overflow(overflow.divide(a, b), where);
        break;
      case clang::BO_Shl:
        fail_on_overflow(overflow.shift_left(a, b), where);
        break;
      default:
        break;
    }
  }
  return arithmetic(op, a, b, type, where);
}

void Lowering::fail_on_overflow(Term condition, clang::SourceLocation where) {
  std::vector<Term> all = evaluated_if_;
  all.push_back(condition);
  const Term fails = pool_.conjunction(all);
  if (fails.is_false()) return;
  const ir::LocationId bad = new_location();
  const ir::LocationId good = new_location();
  split(fails, bad, good, where);
  continue_at(bad);
  ir::Call call;
  call.callee = unit_.failure(kRoutine, where);
  call.type = unit_.program()[call.callee].type;
  emit(std::move(call), where);
  continue_at(good);
}

}  // namespace agon::frontend
