// SPDX-License-Identifier: Apache-2.0
#include "frontend/lowering.h"

namespace agon::frontend {

using ir::LocationId;
using term::Term;

namespace {

// What decides whether `expr` is zero: parentheses, conversions that keep zero
// and non-zero apart, and hints for the optimiser do not.
const clang::Expr& decisive(const clang::Expr& expr,
                            const clang::ASTContext& context) {
  const clang::Expr* at = expr.IgnoreParens();
  for (;;) {
    const clang::Expr* inner = nullptr;
    if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(at)) {
      const clang::CastKind kind = cast->getCastKind();
      const clang::Expr* from = cast->getSubExpr();
      const bool widens = kind == clang::CK_IntegralCast &&
                          context.getTypeSize(cast->getType()) >=
                              context.getTypeSize(from->getType());
      if (widens || kind == clang::CK_IntegralToBoolean ||
          kind == clang::CK_PointerToBoolean || kind == clang::CK_NoOp) {
        inner = from;
      }
    } else if (const auto* call = llvm::dyn_cast<clang::CallExpr>(at)) {
      const clang::FunctionDecl* callee = call->getDirectCallee();
      if (callee != nullptr && callee->getIdentifier() != nullptr &&
          callee->getName() == "__builtin_expect" && call->getNumArgs() == 2 &&
          !call->getArg(1)->HasSideEffects(context)) {
        inner = call->getArg(0);
      }
    }
    if (inner == nullptr) return *at;
    at = inner->IgnoreParens();
  }
}

const clang::BinaryOperator* logical(const clang::Expr& expr) {
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&expr);
  return binary != nullptr && binary->isLogicalOp() ? binary : nullptr;
}

const clang::UnaryOperator* logical_not(const clang::Expr& expr) {
  const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&expr);
  return unary != nullptr && unary->getOpcode() == clang::UO_LNot ? unary
                                                                  : nullptr;
}

}  // namespace

void Lowering::split(Term condition, LocationId yes, LocationId no,
                     clang::SourceLocation where) {
  edge(here_, yes, ir::Assume{condition}, where);
  edge(here_, no, ir::Assume{pool_.negation(condition)}, where);
  stop();
}

void Lowering::branch(const clang::Expr& condition, LocationId yes,
                      LocationId no) {
  const clang::Expr& expr = decisive(condition, unit_.clang());
  if (const auto* negated = logical_not(expr)) {
    return branch(*negated->getSubExpr(), no, yes);
  }
  if (const auto* both = logical(expr)) {
    const bool is_and = both->getOpcode() == clang::BO_LAnd;
    const LocationId second = new_location();
    branch(*both->getLHS(), is_and ? second : yes, is_and ? no : second);
    continue_at(second);
    return branch(*both->getRHS(), yes, no);
  }
  const Term decided = this->condition(expr);
  split(decided, yes, no, expr.getBeginLoc());
}

Term Lowering::truth(Term value) {
  return pool_.negation(pool_.equal(value, pool_.bits(0, value.width())));
}

Term Lowering::flag(Term condition, clang::QualType type) {
  return pool_.ite(condition, bits(1, type), bits(0, type));
}

Term Lowering::condition(const clang::Expr& original) {
  const clang::Expr& expr = decisive(original, unit_.clang());
  if (const auto* negated = logical_not(expr)) {
    return pool_.negation(condition(*negated->getSubExpr()));
  }
  if (const auto* both = logical(expr)) {
    if (has_effects(*both->getRHS())) {
      const clang::SourceLocation where = expr.getBeginLoc();
      const ir::VariableId outcome = temporary(term::Sort::bits(1));
      const LocationId yes = new_location();
      const LocationId no = new_location();
      const LocationId after = new_location();
      branch(expr, yes, no);
      edge(yes, after, ir::Assign{outcome, pool_.bits(1, 1)}, where);
      edge(no, after, ir::Assign{outcome, pool_.bits(0, 1)}, where);
      continue_at(after);
      return truth(unit_.program()[outcome].term);
    }
    const bool is_and = both->getOpcode() == clang::BO_LAnd;
    const Term left = condition(*both->getLHS());
    evaluated_if_.push_back(is_and ? left : pool_.negation(left));
    const Term right = condition(*both->getRHS());
    evaluated_if_.pop_back();
    return is_and ? pool_.conjunction({left, right})
                  : pool_.disjunction({left, right});
  }
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&expr)) {
    if (binary->isComparisonOp()) return comparison(*binary);
  }
  if (expr.getType()->isRealFloatingType()) {
    // A floating-point number is true if it is not zero.
    llvm::APFloat number(0.0);
    if (expr.EvaluateAsFloat(number, unit_.clang(),
                             clang::Expr::SE_AllowSideEffects)) {
      effect(expr);
      return pool_.boolean(!number.isZero());
    }
    value(expr);
    return truth(any_float(term::Sort::bits(1), expr.getBeginLoc()));
  }
  return truth(value(expr));
}

}  // namespace agon::frontend
