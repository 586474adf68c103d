// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "frontend/lowering.h"

namespace agon::frontend {

using ir::LocationId;
using ir::VariableId;
using term::Kind;
using term::Term;

bool Lowering::is_signed(clang::QualType type) const {
  return type->isSignedIntegerOrEnumerationType();
}

Term Lowering::bits(std::uint64_t value, clang::QualType type) {
  return pool_.bits(value, unit_.sort(type, {}).width);
}

term::Bits to_bits(const llvm::APInt& number) {
  term::Bits result = 0;
  const unsigned words = std::min(number.getNumWords(), 2U);
  for (unsigned i = words; i-- > 0;) {
    result = result << 64 | number.getRawData()[i];
  }
  return result;
}

namespace {

// C's names for what an expression leaves to its one operand.
const clang::Expr* transparent(const clang::Expr& expr) {
  if (const auto* paren = llvm::dyn_cast<clang::ParenExpr>(&expr)) {
    return paren->getSubExpr();
  }
  if (const auto* constant = llvm::dyn_cast<clang::ConstantExpr>(&expr)) {
    return constant->getSubExpr();
  }
  if (const auto* chosen = llvm::dyn_cast<clang::ChooseExpr>(&expr)) {
    return chosen->getChosenSubExpr();
  }
  if (const auto* generic =
          llvm::dyn_cast<clang::GenericSelectionExpr>(&expr)) {
    return generic->getResultExpr();
  }
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&expr)) {
    if (unary->getOpcode() == clang::UO_Extension ||
        unary->getOpcode() == clang::UO_Plus) {
      return unary->getSubExpr();
    }
  }
  if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(&expr)) {
    if (!expr.getType()->isAggregateType() && list->getNumInits() == 1) {
      return list->getInit(0);
    }
  }
  return nullptr;
}

}  // namespace

Term Lowering::value(const clang::Expr& expr) {
  using clang::Stmt;
  if (const clang::Expr* inner = transparent(expr)) {
    return value(*inner);
  }
  switch (expr.getStmtClass()) {
    case Stmt::IntegerLiteralClass:
      return pool_.bits(
          to_bits(llvm::cast<clang::IntegerLiteral>(expr).getValue()),
          unit_.sort(expr.getType(), expr.getBeginLoc()).width);
    case Stmt::CharacterLiteralClass:
      return bits(llvm::cast<clang::CharacterLiteral>(expr).getValue(),
                  expr.getType());
    case Stmt::FloatingLiteralClass:
      return floating(expr);
    case Stmt::DeclRefExprClass: {
      const auto* constant = llvm::dyn_cast<clang::EnumConstantDecl>(
          llvm::cast<clang::DeclRefExpr>(expr).getDecl());
      if (constant == nullptr) break;
      return pool_.bits(to_bits(constant->getInitVal()),
                        unit_.sort(expr.getType(), expr.getBeginLoc()).width);
    }
    case Stmt::ImplicitCastExprClass:
    case Stmt::CStyleCastExprClass:
      return cast(llvm::cast<clang::CastExpr>(expr));
    case Stmt::UnaryOperatorClass:
      return unary(llvm::cast<clang::UnaryOperator>(expr));
    case Stmt::CompoundAssignOperatorClass:
      return compound_assignment(
          llvm::cast<clang::CompoundAssignOperator>(expr), true);
    case Stmt::BinaryOperatorClass:
      return binary(llvm::cast<clang::BinaryOperator>(expr));
    case Stmt::ConditionalOperatorClass:
    case Stmt::BinaryConditionalOperatorClass:
      return conditional(llvm::cast<clang::AbstractConditionalOperator>(expr));
    case Stmt::CallExprClass: {
      const Leaves results = call(llvm::cast<clang::CallExpr>(expr));
      if (!results.empty()) return results.front();
      if (expr.getType()->isVoidType()) return {};
      return any(unit_.sort(expr.getType(), expr.getBeginLoc()),
                 ir::HavocReason::Undefined, expr.getBeginLoc());
    }
    case Stmt::StmtExprClass:
      return statement_expression(llvm::cast<clang::StmtExpr>(expr));
    case Stmt::UnaryExprOrTypeTraitExprClass:
      return trait(llvm::cast<clang::UnaryExprOrTypeTraitExpr>(expr));
    case Stmt::MemberExprClass:  // Of a struct that has no place of its own.
      return load(lvalue(expr), expr.getBeginLoc());
    case Stmt::OffsetOfExprClass:
    case Stmt::TypeTraitExprClass:
    case Stmt::SourceLocExprClass:
      break;
    case Stmt::ImplicitValueInitExprClass:
    case Stmt::GNUNullExprClass:
      return bits(0, expr.getType());
    case Stmt::OpaqueValueExprClass:
      return opaque_.at(&expr);
    case Stmt::VAArgExprClass:
      return variable_argument(llvm::cast<clang::VAArgExpr>(expr));
    case Stmt::AtomicExprClass:
      return atomic(llvm::cast<clang::AtomicExpr>(expr));
    case Stmt::AddrLabelExprClass:
      unsupported(expr, "the address of a label");
    default:
      break;
  }
  clang::Expr::EvalResult known;
  if (!expr.getType()->isVoidType() &&
      expr.EvaluateAsRValue(known, unit_.clang()) && known.Val.isInt() &&
      !known.HasSideEffects) {
    return pool_.bits(to_bits(known.Val.getInt()),
                      unit_.sort(expr.getType(), expr.getBeginLoc()).width);
  }
  unsupported(expr,
              fmt::format("the expression '{}'", expr.getStmtClassName()));
}

Term Lowering::value_before(const clang::Expr& expr, const clang::Expr& next) {
  note_order(expr, next);
  const Term result = value(expr);
  return has_effects(next) ? keep(result, expr.getBeginLoc()) : result;
}

// Lowers an expression whose value is not used.
Term Lowering::variable_argument(const clang::VAArgExpr& expr) {
  const clang::SourceLocation where = expr.getBeginLoc();
  effect(*expr.getSubExpr());
  unit_.program().assume("va_arg",
                         "variable arguments are taken to have any value",
                         unit_.position(where));
  return any(unit_.sort(expr.getType(), where), ir::HavocReason::Unsupported,
             where, unit_.type(expr.getType(), where));
}

void Lowering::effect(const clang::Expr& original) {
  const clang::Expr& expr = *original.IgnoreParens();
  if (!has_effects(expr) && !unit_.symbols().overflow_is_error) return;
  if (const clang::Expr* inner = transparent(expr)) {
    return effect(*inner);
  }
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(&expr)) {
    if (evaluates_lengths(expr)) {
      evaluate_array_sizes(expr.getType(), expr.getBeginLoc());
    }
    return effect(*cast->getSubExpr());
  }
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(&expr)) {
    const LocationId yes = new_location();
    const LocationId no = new_location();
    const LocationId after = new_location();
    branch(*choice->getCond(), yes, no);
    continue_at(yes);
    effect(*choice->getTrueExpr());
    jump(after, expr.getEndLoc());
    continue_at(no);
    effect(*choice->getFalseExpr());
    jump(after, expr.getEndLoc());
    return continue_at(after);
  }
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&expr)) {
    if (binary->isLogicalOp()) {
      const LocationId after = new_location();
      branch(expr, after, after);
      return continue_at(after);
    }
    if (!binary->isAssignmentOp()) {
      if (may_overflow(expr.getType())) {
        value(expr);
        return;
      }
      if (!binary->isCommaOp()) {
        note_order(*binary->getLHS(), *binary->getRHS());
      }
      effect(*binary->getLHS());
      return effect(*binary->getRHS());
    }
    if (expr.getType()->isRecordType()) {
      return assign_record(lvalue(*binary->getLHS()), *binary->getRHS());
    }
    if (const auto* compound =
            llvm::dyn_cast<clang::CompoundAssignOperator>(binary)) {
      compound_assignment(*compound, false);
    } else {
      assignment(*binary, false);
    }
    return;
  }
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&expr)) {
    if (unary->isIncrementDecrementOp()) {
      increment(*unary, false);
      return;
    }
  }
  if (llvm::isa<clang::CallExpr>(expr)) {
    call(llvm::cast<clang::CallExpr>(expr));
    return;
  }
  if (expr.isGLValue()) {
    lvalue(expr);
  } else if (expr.getType()->isRecordType()) {
    record(expr);
  } else {
    value(expr);
  }
}

Term Lowering::cast(const clang::CastExpr& expr) {
  const clang::Expr& from = *expr.getSubExpr();
  const clang::SourceLocation where = expr.getBeginLoc();
  if (expr.getType()->isVariablyModifiedType()) {
    evaluate_array_sizes(expr.getType(), where);
  }
  switch (expr.getCastKind()) {
    case clang::CK_LValueToRValue:
      return load(lvalue(from), where);
    case clang::CK_BitCast:
      note_pointer_cast(from.getType(), expr.getType());
      return value(from);
    case clang::CK_NoOp:
    case clang::CK_AtomicToNonAtomic:
    case clang::CK_NonAtomicToAtomic:
      return value(from);
    case clang::CK_ArrayToPointerDecay:
    case clang::CK_FunctionToPointerDecay:
      return address(lvalue(from), where);
    case clang::CK_NullToPointer:
      effect(from);
      return bits(0, expr.getType());
    case clang::CK_PointerToIntegral:
      note_addresses(where);
      return convert(value(from), from.getType(), expr.getType(), where);
    case clang::CK_IntegralCast:
    case clang::CK_IntegralToPointer:
    case clang::CK_BooleanToSignedIntegral:
      return convert(value(from), from.getType(), expr.getType(), where);
    case clang::CK_IntegralToBoolean:
    case clang::CK_PointerToBoolean:
      return flag(condition(from), expr.getType());
    case clang::CK_FloatingToBoolean:
      return flag(condition(from), expr.getType());
    case clang::CK_FloatingCast:
    case clang::CK_IntegralToFloating:
    case clang::CK_FloatingToIntegral:
      return floating(expr);
    case clang::CK_ToVoid:
      effect(from);
      return {};
    default:
      unsupported(expr,
                  fmt::format("the conversion '{}'", expr.getCastKindName()));
  }
}

// Conversion between integers, pointers and _Bool.
Term Lowering::convert(Term value, clang::QualType from, clang::QualType to,
                       clang::SourceLocation where) {
  if (to->isBooleanType()) return flag(truth(value), to);
  return pool_.resize(value, unit_.sort(to, where).width, is_signed(from));
}

Term Lowering::conditional(const clang::AbstractConditionalOperator& expr) {
  const clang::SourceLocation where = expr.getBeginLoc();
  if (const auto* shared =
          llvm::dyn_cast<clang::BinaryConditionalOperator>(&expr)) {
    opaque_[shared->getOpaqueValue()] =
        keep(value(*shared->getCommon()), where);
  }
  const clang::Expr& yes_expr = *expr.getTrueExpr();
  const clang::Expr& no_expr = *expr.getFalseExpr();
  if (!expr.getType()->isVoidType() && !has_effects(yes_expr) &&
      !has_effects(no_expr)) {
    const Term decided = condition(*expr.getCond());
    if (decided.is_constant()) {
      return value(decided.is_true() ? yes_expr : no_expr);
    }
    evaluated_if_.push_back(decided);
    const Term yes = value(yes_expr);
    evaluated_if_.back() = pool_.negation(decided);
    const Term no = value(no_expr);
    evaluated_if_.pop_back();
    return pool_.ite(decided, yes, no);
  }
  const bool is_void = expr.getType()->isVoidType();
  const VariableId result = is_void
                                ? VariableId()
                                : temporary(unit_.sort(expr.getType(), where),
                                            unit_.type(expr.getType(), where));
  const LocationId yes = new_location();
  const LocationId no = new_location();
  const LocationId after = new_location();
  branch(*expr.getCond(), yes, no);
  for (const bool side : {true, false}) {
    const clang::Expr& chosen = side ? yes_expr : no_expr;
    continue_at(side ? yes : no);
    if (is_void) {
      effect(chosen);
    } else {
      assign(result, value(chosen), where);
    }
    jump(after, where);
  }
  continue_at(after);
  return is_void ? Term() : unit_.program()[result].term;
}

Term Lowering::statement_expression(const clang::StmtExpr& expr) {
  const clang::CompoundStmt& body = *expr.getSubStmt();
  const clang::Stmt* last = body.getStmtExprResult();
  for (const clang::Stmt* child : body.body()) {
    if (child != last || expr.getType()->isVoidType()) {
      statement(*child);
      continue;
    }
    const clang::Stmt* at = child;
    while (const auto* labelled = llvm::dyn_cast<clang::ValueStmt>(at)) {
      if (llvm::isa<clang::Expr>(labelled)) break;
      const auto* named = llvm::dyn_cast<clang::LabelStmt>(labelled);
      if (named == nullptr) unsupported(*at, "this statement expression");
      const LocationId location = label_location(*named->getDecl());
      jump(location, at->getBeginLoc());
      continue_at(location);
      at = named->getSubStmt();
    }
    const clang::Expr& result = llvm::cast<clang::Expr>(*at);
    if (!expr.getType()->isRecordType()) return value(result);
    last_record_ = record(result);
  }
  return {};
}

// Evaluates a constant exactly. An integer that cannot hold it is anything,
// except in static initialisers, where compilers agree on the nearest one. What
// else is arbitrary, the user is told.
Term Lowering::floating(const clang::Expr& expr) {
  const clang::SourceLocation where = expr.getBeginLoc();
  const term::Sort sort = unit_.sort(expr.getType(), where);
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&expr)) {
    note_order(*binary->getLHS(), *binary->getRHS());
  }
  clang::Expr::EvalResult known;
  if (expr.EvaluateAsRValue(known, unit_.clang()) &&
      (known.Val.isInt() || known.Val.isFloat())) {
    for (const clang::Stmt* child : expr.children()) {
      effect(llvm::cast<clang::Expr>(*child));
    }
    if (known.Val.isFloat()) {
      return pool_.bits(to_bits(known.Val.getFloat().bitcastToAPInt()),
                        sort.width);
    }
    if (known.HasUndefinedBehavior && !constants_only_) {
      return any(sort, ir::HavocReason::Undefined, where);
    }
    return pool_.bits(to_bits(known.Val.getInt()), sort.width);
  }
  for (const clang::Stmt* child : expr.children()) {
    value(llvm::cast<clang::Expr>(*child));
  }
  return any_float(sort, where);
}

Term Lowering::trait(const clang::UnaryExprOrTypeTraitExpr& expr) {
  const clang::QualType subject = expr.getTypeOfArgument();
  if (expr.getKind() == clang::UETT_SizeOf && subject->isVariableArrayType()) {
    if (!expr.isArgumentType()) effect(*expr.getArgumentExpr());
    return pool_.resize(size_of(subject, expr.getBeginLoc()),
                        unit_.sort(expr.getType(), {}).width, false);
  }
  return pool_.bits(to_bits(expr.EvaluateKnownConstInt(unit_.clang())),
                    unit_.sort(expr.getType(), expr.getBeginLoc()).width);
}

// Keeps the lengths of all variable arrays in a type, where it is declared.
void Lowering::evaluate_array_sizes(clang::QualType type,
                                    clang::SourceLocation where) {
  const unsigned width = unit_.program().pointer_width();
  while (type->isVariablyModifiedType()) {
    if (const auto* pointer = type->getAs<clang::PointerType>()) {
      type = pointer->getPointeeType();
      continue;
    }
    const clang::ArrayType* array = unit_.clang().getAsArrayType(type);
    if (array == nullptr) return;
    type = array->getElementType();
    const auto* variable = llvm::dyn_cast<clang::VariableArrayType>(array);
    const clang::Expr* length =
        variable == nullptr ? nullptr : variable->getSizeExpr();
    if (length == nullptr || array_sizes_.contains(length)) continue;
    const Term count =
        pool_.resize(value(*length), width, is_signed(length->getType()));
    const VariableId kept = temporary(term::Sort::bits(width));
    assign(kept, count, where);
    array_sizes_.emplace(length, kept);
  }
}

// The size of a type as a term of the width of pointers.
Term Lowering::size_of(clang::QualType type, clang::SourceLocation where) {
  const unsigned width = unit_.program().pointer_width();
  const auto* array = unit_.clang().getAsVariableArrayType(type);
  if (array == nullptr) {
    if (const auto* fixed = unit_.clang().getAsConstantArrayType(type)) {
      if (fixed->getElementType()->isVariableArrayType()) {
        return pool_.multiply(
            pool_.bits(fixed->getSize().getZExtValue(), width),
            size_of(fixed->getElementType(), where));
      }
    }
    return pool_.bits(unit_.size_of(type), width);
  }
  const clang::Expr* length = array->getSizeExpr();
  if (length == nullptr) unit_.fail(where, "this array has no length");
  evaluate_array_sizes(type, where);
  const Term count = unit_.program()[array_sizes_.at(length)].term;
  return pool_.multiply(count, size_of(array->getElementType(), where));
}

}  // namespace agon::frontend
