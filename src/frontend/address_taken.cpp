// SPDX-License-Identifier: Apache-2.0
#include "frontend/address_taken.h"

#include <clang/AST/Expr.h>

#include "frontend/visit.h"

namespace agon::frontend {
namespace {

// The variable that `expr` is, or is a part of without going through a pointer.
const clang::VarDecl* base_variable(const clang::Expr& expr) {
  const clang::Expr* at = expr.IgnoreParens();
  for (;;) {
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(at)) {
      if (member->isArrow()) return nullptr;
      at = member->getBase()->IgnoreParens();
    } else if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(at)) {
      return llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    } else if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(at)) {
      if (cast->getCastKind() != clang::CK_NoOp) return nullptr;
      at = cast->getSubExpr()->IgnoreParens();
    } else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(at)) {
      if (unary->getOpcode() != clang::UO_Extension) return nullptr;
      at = unary->getSubExpr()->IgnoreParens();
    } else if (const auto* generic =
                   llvm::dyn_cast<clang::GenericSelectionExpr>(at)) {
      at = generic->getResultExpr()->IgnoreParens();
    } else if (const auto* chosen = llvm::dyn_cast<clang::ChooseExpr>(at)) {
      at = chosen->getChosenSubExpr()->IgnoreParens();
    } else {
      return nullptr;
    }
  }
}

const clang::Expr* addressed(const clang::Stmt& stmt) {
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&stmt)) {
    return unary->getOpcode() == clang::UO_AddrOf ? unary->getSubExpr()
                                                  : nullptr;
  }
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(&stmt)) {
    return cast->getCastKind() == clang::CK_ArrayToPointerDecay
               ? cast->getSubExpr()
               : nullptr;
  }
  return nullptr;
}

}  // namespace

void find_address_taken(const clang::Stmt& root, Unit& unit) {
  visit_statements(root, [&](const clang::Stmt& stmt) {
    const clang::Expr* const place = addressed(stmt);
    if (place == nullptr) return;
    if (const clang::VarDecl* variable = base_variable(*place)) {
      unit.take_address(*variable);
    }
  });
}

}  // namespace agon::frontend
