// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "frontend/lowering.h"

namespace agon::frontend {
namespace {

bool is_null(const clang::Expr& operand, clang::ASTContext& context) {
  return operand.IgnoreParenImpCasts()->isNullPointerConstant(
             context, clang::Expr::NPC_ValueDependentIsNotNull) !=
         clang::Expr::NPCK_NotNull;
}

/// The element of an array at a constant index, such as `a + 1`.
bool is_inside(const clang::Expr& base, const clang::Expr& index,
               const clang::ASTContext& context) {
  const auto* const array =
      context.getAsConstantArrayType(base.IgnoreParenImpCasts()->getType());
  clang::Expr::EvalResult known;
  if (array == nullptr || index.isValueDependent() ||
      !index.EvaluateAsInt(known, context)) {
    return false;
  }
  const llvm::APSInt at = known.Val.getInt();
  return at.isNonNegative() && array->getSize().ugt(at.getLimitedValue());
}

}  // namespace

using term::Kind;
using term::Term;

Term Lowering::unary(const clang::UnaryOperator& expr) {
  const clang::Expr& from = *expr.getSubExpr();
  const clang::SourceLocation where = expr.getBeginLoc();
  switch (expr.getOpcode()) {
    case clang::UO_AddrOf:
      note_moved(from);
      return address(lvalue(from), where);
    case clang::UO_LNot:
      return flag(pool_.negation(condition(from)), expr.getType());
    case clang::UO_Minus:
      if (expr.getType()->isRealFloatingType()) return floating(expr);
      note_wide_field(from);
      return negated(value(from), expr.getType(), where);
    case clang::UO_Not:
      note_wide_field(from);
      return pool_.unary(Kind::BitNot, value(from));
    case clang::UO_PreInc:
    case clang::UO_PreDec:
    case clang::UO_PostInc:
    case clang::UO_PostDec:
      return increment(expr, true);
    default:
      unsupported(
          expr,
          fmt::format(
              "the operator '{}'",
              clang::UnaryOperator::getOpcodeStr(expr.getOpcode()).str()));
  }
}

Term Lowering::binary(const clang::BinaryOperator& expr) {
  const clang::SourceLocation where = expr.getOperatorLoc();
  const clang::Expr& left = *expr.getLHS();
  const clang::Expr& right = *expr.getRHS();
  if (expr.getOpcode() == clang::BO_Assign) return assignment(expr, true);
  if (expr.getOpcode() == clang::BO_Comma) {
    effect(left);
    return value(right);
  }
  if (expr.isLogicalOp()) return flag(condition(expr), expr.getType());
  if (expr.isComparisonOp()) return flag(comparison(expr), expr.getType());
  if (expr.getType()->isRealFloatingType()) return floating(expr);
  if (expr.isAdditiveOp()) {
    const bool left_pointer = left.getType()->isPointerType();
    const bool right_pointer = right.getType()->isPointerType();
    if (left_pointer && right_pointer) return pointer_difference(expr);
    if (left_pointer || right_pointer) {
      const bool is_sum = expr.getOpcode() == clang::BO_Add;
      if (!is_sum || !is_inside(left_pointer ? left : right,
                                left_pointer ? right : left, unit_.clang())) {
        note_moved(expr.getType());
      }
      const Term a = value_before(left, right);
      const Term b = value(right);
      return pointer_sum(left_pointer ? a : b, left_pointer ? b : a,
                         left_pointer ? right.getType() : left.getType(),
                         expr.getType(), expr.getOpcode() == clang::BO_Sub);
    }
  }
  note_wide_field(left);
  note_wide_field(right);
  const Term a = value_before(left, right);
  return checked(expr.getOpcode(), a, value(right), left.getType(), where);
}

// Bit-fields that an int can hold are promoted to it; C does not say what
// happens to the others.
void Lowering::note_wide_field(const clang::Expr& operand) {
  const clang::FieldDecl* const field = operand.getSourceBitField();
  if (field == nullptr) return;
  const clang::ASTContext& context = field->getASTContext();
  if (field->getBitWidthValue(context) <= context.getIntWidth(context.IntTy)) {
    return;
  }
  unit_.program().assume(
      "wide bit-fields",
      "arithmetic on bit-fields that are wider than an int is in their "
      "declared type, as Clang does it; gcc computes in the bits of the field",
      unit_.position(operand.getBeginLoc()));
}

void Lowering::note_moved(clang::QualType pointer) {
  unit_.symbols().pointers.note_moved(pointee(pointer));
}

// The address of an element is that of what is behind the array if the index is
// its length.
void Lowering::note_moved(const clang::Expr& place) {
  const auto* const element =
      llvm::dyn_cast<clang::ArraySubscriptExpr>(place.IgnoreParens());
  if (element == nullptr ||
      is_inside(*element->getBase(), *element->getIdx(), unit_.clang())) {
    return;
  }
  note_moved(element->getBase()->getType());
}

ir::TypeId Lowering::pointee(clang::QualType pointer) {
  return unit_.info(unit_.type(pointer, {})).element;
}

void Lowering::note_pointer_cast(clang::QualType from, clang::QualType to) {
  if (!from->isPointerType() || !to->isPointerType()) return;
  unit_.symbols().pointers.note_cast(pointee(from), pointee(to));
}

// Objects without a size may lie at one place.
bool Lowering::may_point_to_nothing(const clang::Expr& pointer) const {
  const auto is_empty = [this](clang::QualType type) {
    return !type->isVoidType() && !type->isFunctionType() &&
           !type->isIncompleteType() && type->isConstantSizeType() &&
           unit_.clang().getTypeSizeInChars(type).isZero();
  };
  const clang::QualType written = pointer.IgnoreParenImpCasts()->getType();
  return is_empty(pointer.getType()->getPointeeType()) ||
         (written->isArrayType() && is_empty(written));
}

// C leaves open how pointers to different objects are ordered, what is behind
// an object, and whether equal texts are one.
void Lowering::note_compared(const clang::BinaryOperator& expr) {
  const clang::QualType type = expr.getLHS()->getType();
  const clang::SourceLocation where = expr.getOperatorLoc();
  if (expr.isRelationalOp()) return note_addresses(where);
  if (is_null(*expr.getLHS(), unit_.clang()) ||
      is_null(*expr.getRHS(), unit_.clang())) {
    return;
  }
  if (type->getPointeeType()->isAnyCharacterType() ||
      may_point_to_nothing(*expr.getLHS()) ||
      may_point_to_nothing(*expr.getRHS())) {
    return note_addresses(where);
  }
  unit_.symbols().pointers.note_equality(pointee(type), unit_.position(where));
}

void Lowering::note_addresses(clang::SourceLocation where) {
  unit_.symbols().pointers.note_order(unit_.position(where));
}

Term Lowering::negated(Term operand, clang::QualType type,
                       clang::SourceLocation where) {
  if (may_overflow(type)) {
    checked(clang::BO_Sub, bits(0, type), operand, type, where);
  }
  if (unit_.symbols().constants_must_not_wrap) {
    refuse_wrapping(clang::BO_Sub, bits(0, type), operand, type, where);
  }
  return pool_.negate(operand);
}

// C leaves `result` undefined under that condition: then it is anything.
Term Lowering::guarded(Term result, Term undefined,
                       clang::SourceLocation where) {
  if (undefined.is_false()) return result;
  return pool_.ite(
      undefined, any(result.sort(), ir::HavocReason::Undefined, where), result);
}

// `type` is that of the operands, which is also that of the result; for shifts
// that of the left operand.
Term Lowering::arithmetic(clang::BinaryOperatorKind op, Term a, Term b,
                          clang::QualType type, clang::SourceLocation where) {
  const bool is_signed_type = is_signed(type);
  if (unit_.symbols().constants_must_not_wrap) {
    refuse_wrapping(op, a, b, type, where);
  }
  const auto by_zero = [&] { return pool_.equal(b, pool_.bits(0, b.width())); };
  switch (op) {
    case clang::BO_Add:
      return pool_.add(a, b);
    case clang::BO_Sub:
      return pool_.subtract(a, b);
    case clang::BO_Mul:
      return pool_.multiply(a, b);
    case clang::BO_Div:
      return guarded(
          pool_.binary(is_signed_type ? Kind::SDivide : Kind::UDivide, a, b),
          by_zero(), where);
    case clang::BO_Rem:
      return guarded(
          pool_.binary(is_signed_type ? Kind::SRemainder : Kind::URemainder, a,
                       b),
          by_zero(), where);
    case clang::BO_And:
      return pool_.bit_and(a, b);
    case clang::BO_Or:
      return pool_.bit_or(a, b);
    case clang::BO_Xor:
      return pool_.binary(Kind::BitXor, a, b);
    case clang::BO_Shl:
    case clang::BO_Shr:
      return shift(op, a, b, is_signed_type, where);
    default:
      unit_.fail(where, "this operator is not supported");
  }
}

Term Lowering::shift(clang::BinaryOperatorKind op, Term a, Term b,
                     bool is_signed_type, clang::SourceLocation where) {
  // The amount has a type of its own. Too large, or negative, is undefined.
  const Term too_far =
      pool_.negation(pool_.unsigned_less(b, pool_.bits(a.width(), b.width())));
  const bool always_fits = b.width() < 8;
  const Term amount = pool_.resize(b, a.width(), false);
  const Kind kind = op == clang::BO_Shl ? Kind::ShiftLeft
                    : is_signed_type    ? Kind::ShiftRightSigned
                                        : Kind::ShiftRight;
  const Term result = pool_.binary(kind, a, amount);
  return always_fits ? result : guarded(result, too_far, where);
}

Term Lowering::comparison(const clang::BinaryOperator& expr) {
  const clang::Expr& left = *expr.getLHS();
  const clang::Expr& right = *expr.getRHS();
  const clang::SourceLocation where = expr.getOperatorLoc();
  if (left.getType()->isRealFloatingType()) {
    clang::Expr::EvalResult known;
    if (expr.EvaluateAsRValue(known, unit_.clang()) && known.Val.isInt()) {
      effect(left);
      effect(right);
      return pool_.boolean(known.Val.getInt().getBoolValue());
    }
    note_order(left, right);
    value(left);
    value(right);
    return truth(any_float(term::Sort::bits(1), where));
  }
  if (left.getType()->isAnyComplexType()) {
    unsupported(expr, "complex arithmetic");
  }
  const Term a = value_before(left, right);
  const Term b = value(right);
  if (left.getType()->isPointerType()) note_compared(expr);
  const bool is_signed_order = is_signed(left.getType());
  const Kind less = is_signed_order ? Kind::SLess : Kind::ULess;
  const Kind less_equal = is_signed_order ? Kind::SLessEqual : Kind::ULessEqual;
  switch (expr.getOpcode()) {
    case clang::BO_LT:
      return pool_.binary(less, a, b);
    case clang::BO_GT:
      return pool_.binary(less, b, a);
    case clang::BO_LE:
      return pool_.binary(less_equal, a, b);
    case clang::BO_GE:
      return pool_.binary(less_equal, b, a);
    case clang::BO_EQ:
      return pool_.equal(a, b);
    case clang::BO_NE:
      return pool_.negation(pool_.equal(a, b));
    default:
      unsupported(expr, "this comparison");
  }
}

Term Lowering::pointer_sum(Term pointer, Term index, clang::QualType index_type,
                           clang::QualType pointer_type, bool subtract) {
  const Term scaled = pool_.multiply(
      pool_.resize(index, pointer.width(), is_signed(index_type)),
      size_of(pointer_type->getPointeeType(), {}));
  return subtract ? pool_.subtract(pointer, scaled)
                  : pool_.add(pointer, scaled);
}

Term Lowering::pointer_difference(const clang::BinaryOperator& expr) {
  const Term a = value_before(*expr.getLHS(), *expr.getRHS());
  const Term b = value(*expr.getRHS());
  const Term size = size_of(expr.getLHS()->getType()->getPointeeType(),
                            expr.getOperatorLoc());
  if (size.is_constant() && size.value() == 0) return bits(0, expr.getType());
  return pool_.resize(pool_.binary(Kind::SDivide, pool_.subtract(a, b), size),
                      unit_.sort(expr.getType(), expr.getOperatorLoc()).width,
                      true);
}

Term Lowering::assignment(const clang::BinaryOperator& expr, bool is_used) {
  const clang::Expr& right = *expr.getRHS();
  const clang::SourceLocation where = expr.getBeginLoc();
  note_order(*expr.getLHS(), right, EvaluationOrder::Use::Place);
  LValue place = lvalue(*expr.getLHS());
  if (has_effects(right)) place = settled(place, where);
  return store_result(place, value(right), is_used, where);
}

Term Lowering::compound_assignment(const clang::CompoundAssignOperator& expr,
                                   bool is_used) {
  const clang::Expr& right = *expr.getRHS();
  const clang::SourceLocation where = expr.getBeginLoc();
  note_order(*expr.getLHS(), right, EvaluationOrder::Use::Update);
  LValue place = lvalue(*expr.getLHS());
  if (has_effects(right)) place = settled(place, where);
  const Term operand = value(right);
  const Term before = load(place, where);
  const clang::BinaryOperatorKind op =
      clang::BinaryOperator::getOpForCompoundAssignment(expr.getOpcode());
  if (place.type->isPointerType()) {
    note_moved(place.type);
    return store_result(place,
                        pointer_sum(before, operand, right.getType(),
                                    place.type, op == clang::BO_Sub),
                        is_used, where);
  }
  const clang::QualType computed = expr.getComputationLHSType();
  if (computed->isRealFloatingType() || right.getType()->isRealFloatingType()) {
    return store_result(place, any_float(before.sort(), where), is_used, where);
  }
  const Term result = checked(op, convert(before, place.type, computed, where),
                              operand, computed, where);
  return store_result(
      place,
      convert(result, expr.getComputationResultType(), place.type, where),
      is_used, where);
}

Term Lowering::increment(const clang::UnaryOperator& expr, bool is_used) {
  const clang::SourceLocation where = expr.getBeginLoc();
  const LValue place = lvalue(*expr.getSubExpr());
  const clang::QualType type = place.type;
  Term before = load(place, where);
  if (expr.isPostfix() && is_used) before = keep(before, where);
  Term after;
  if (type->isRealFloatingType()) {
    after = any_float(before.sort(), where);
  } else if (type->isPointerType()) {
    note_moved(type);
    after =
        pointer_sum(before, pool_.bits(1, before.width()),
                    unit_.clang().getSizeType(), type, expr.isDecrementOp());
  } else if (type->isBooleanType()) {
    after =
        expr.isIncrementOp()
            ? pool_.bits(1, before.width())
            : flag(pool_.equal(before, pool_.bits(0, before.width())), type);
  } else {
    const Term one = pool_.bits(1, before.width());
    const auto op = expr.isIncrementOp() ? clang::BO_Add : clang::BO_Sub;
    // What is narrower is computed as an int.
    const bool is_promoted = unit_.clang().isPromotableIntegerType(type);
    after = is_promoted ? arithmetic(op, before, one, type, where)
                        : checked(op, before, one, type, where);
  }
  const bool new_value_used = is_used && !expr.isPostfix();
  const Term stored = store_result(place, after, new_value_used, where);
  return expr.isPostfix() ? before : stored;
}

}  // namespace agon::frontend
