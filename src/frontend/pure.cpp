// SPDX-License-Identifier: Apache-2.0
#include "frontend/pure.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/Basic/SourceManager.h>

#include "frontend/visit.h"
#include "support/error.h"

namespace agon::frontend {
namespace {

constexpr llvm::StringRef kOwnNames = "__agon_";
constexpr llvm::StringRef kOwnValues = "__agon_any_";

/// The place that an operator changes, and where the operator stands.
struct Change {
  const clang::Expr* place = nullptr;
  clang::SourceLocation at;
};

/// What a fragment assigns for `modifies`.
bool is_own_value(const clang::Expr& value) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(value.IgnoreParenCasts());
  const auto* callee = call == nullptr ? nullptr : call->getDirectCallee();
  return callee != nullptr && callee->getIdentifier() != nullptr &&
         callee->getName().starts_with(kOwnValues);
}

Change change_by(const clang::Stmt& stmt) {
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&stmt)) {
    if (!unary->isIncrementDecrementOp()) return {};
    return {unary->getSubExpr(), unary->getOperatorLoc()};
  }
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&stmt);
  if (binary == nullptr || !binary->isAssignmentOp()) return {};
  if (is_own_value(*binary->getRHS())) return {};
  return {binary->getLHS(), binary->getOperatorLoc()};
}

/// A variable that a statement expression of the condition declares itself.
bool is_of_condition(const clang::Expr& place) {
  const auto* name =
      llvm::dyn_cast<clang::DeclRefExpr>(place.IgnoreParenCasts());
  const auto* variable = name == nullptr
                             ? nullptr
                             : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
  return variable != nullptr && variable->isLocalVarDecl() &&
         !variable->isStaticLocal();
}

[[noreturn]] void fail(const Parsed& unit, const Change& change) {
  const clang::SourceManager& sources = unit.tree->getSourceManager();
  const clang::PresumedLoc place =
      sources.getPresumedLoc(sources.getExpansionLoc(change.at));
  const std::string file = place.getFilename();
  throw support::InputError(
      kChangesSomething,
      {shown_path(file, unit.directory), place.getLine(), place.getColumn()},
      shown_line(file, place.getLine(), ""));
}

}  // namespace

void refuse_effects(const Parsed& unit) {
  const auto& context = unit.tree->getASTContext();
  for (const clang::Decl* declared :
       context.getTranslationUnitDecl()->decls()) {
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declared);
    if (function == nullptr || function->getIdentifier() == nullptr) continue;
    if (!function->doesThisDeclarationHaveABody()) continue;
    if (!function->getName().starts_with(kOwnNames)) continue;
    visit_statements(*function->getBody(), [&](const clang::Stmt& stmt) {
      const Change change = change_by(stmt);
      if (change.place == nullptr || is_of_condition(*change.place)) return;
      fail(unit, change);
    });
  }
}

}  // namespace agon::frontend
