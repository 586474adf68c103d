// SPDX-License-Identifier: Apache-2.0
#include "frontend/views.h"

#include <clang/Basic/SourceManager.h>

#include "frontend/visit.h"

namespace agon::frontend {
namespace {

/// The elements of an array, or what is no array.
clang::QualType element(clang::QualType type) {
  while (!type.isNull() && type->isArrayType()) {
    type = type->getAsArrayTypeUnsafe()->getElementType();
  }
  return type.isNull() ? type : type.getCanonicalType();
}

/// What a pointer points to, or the elements of the array there.
clang::QualType pointee(clang::QualType pointer) {
  return element(pointer->getPointeeType());
}

const clang::RecordDecl* record_of(clang::QualType type) {
  const clang::RecordDecl* const record =
      type.isNull() ? nullptr : type->getAsRecordDecl();
  return record == nullptr ? nullptr : record->getDefinition();
}

/// Nothing can be done with what is there.
bool is_untyped(clang::QualType type) {
  return type->isVoidType() || type->isFunctionType() ||
         type->isIncompleteType();
}

/// Whether a record begins with another one, and has nothing else there.
bool begins_with(const clang::RecordDecl& record,
                 const clang::RecordDecl& other) {
  const clang::RecordDecl* at = &record;
  while (at != nullptr && at != &other) {
    const bool is_struct = !at->isUnion() && !at->field_empty();
    at = is_struct ? record_of((*at->field_begin())->getType()) : nullptr;
  }
  return at != nullptr;
}

bool is_allocation(const clang::Expr& expr) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(expr.IgnoreParens());
  const clang::FunctionDecl* const callee =
      call == nullptr ? nullptr : call->getDirectCallee();
  if (callee == nullptr || callee->getIdentifier() == nullptr) return false;
  llvm::StringRef name = callee->getName();
  name.consume_front("__builtin_");
  return name == "malloc" || name == "calloc" || name == "realloc" ||
         name == "aligned_alloc" || name == "alloca";
}

/// A routine that outside code has, as a rule.
bool is_of_library(const clang::FunctionDecl& callee) {
  const clang::SourceManager& sources =
      callee.getASTContext().getSourceManager();
  return callee.getBuiltinID() != 0 ||
         sources.isInSystemHeader(callee.getLocation());
}

}  // namespace

void Views::note(const clang::Stmt& root) {
  visit_statements(root, [&](const clang::Stmt& stmt) {
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&stmt)) {
      note_call(*call);
    } else if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(&stmt)) {
      if (!given_away_.contains(cast)) note_cast(*cast);
    } else if (const auto* op = llvm::dyn_cast<clang::UnaryOperator>(&stmt)) {
      if (op->getOpcode() == clang::UO_AddrOf) note_place(*op->getSubExpr());
    }
  });
}

/// Whoever has pointers to two parts of a union may have them to one object.
void Views::note_place(const clang::Expr& expr) {
  const clang::QualType own = element(expr.getType());
  const clang::Expr* at = expr.IgnoreParenImpCasts();
  while (at != nullptr) {
    const auto* const index = llvm::dyn_cast<clang::ArraySubscriptExpr>(at);
    const auto* const member = llvm::dyn_cast<clang::MemberExpr>(at);
    if (index != nullptr) {
      at = index->getBase()->IgnoreParenImpCasts();
      if (!at->getType()->isArrayType()) return;
    } else if (member != nullptr) {
      const auto* const field =
          llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
      if (field != nullptr && field->getParent()->isUnion()) {
        auto& others = places_in_unions_[field->getParent()];
        for (const clang::QualType other : others) {
          add_conversion(own, other);
          add_conversion(other, own);
        }
        others.push_back(own);
      }
      if (member->isArrow()) return;
      at = member->getBase()->IgnoreParenImpCasts();
    } else {
      return;
    }
  }
}

void Views::note_call(const clang::CallExpr& call) {
  const clang::FunctionDecl* const callee = call.getDirectCallee();
  if (callee == nullptr || !is_of_library(*callee)) return;
  // They may give an argument back; and memcpy with a length that is not known
  // walks by itself.
  const bool may_return_it = callee->getReturnType()->isPointerType();
  const bool may_walk = may_return_it && call.getNumArgs() == 3 &&
                        !call.getArg(2)->isIntegerConstantExpr(context_);
  for (const clang::Expr* argument : call.arguments()) {
    const clang::Expr* at = argument->IgnoreParens();
    while (const auto* cast = llvm::dyn_cast<clang::CastExpr>(at)) {
      if (cast->getCastKind() != clang::CK_BitCast) break;
      if (!may_return_it) given_away_.insert(cast);
      at = cast->getSubExpr()->IgnoreParens();
    }
    const auto* record = record_of(pointee(at->getType()));
    if (record == nullptr) continue;
    if (may_walk) walked_.insert(record);
    given_to_.emplace_back(callee, record);
  }
}

void Views::note_cast(const clang::CastExpr& cast) {
  const clang::Expr& inside = *cast.getSubExpr();
  switch (cast.getCastKind()) {
    case clang::CK_ArrayToPointerDecay:
      return note_place(inside);
    case clang::CK_BitCast:
      if (!cast.getType()->isPointerType() || is_allocation(inside)) return;
      if (const auto* number =
              llvm::dyn_cast<clang::CastExpr>(inside.IgnoreParens());
          number != nullptr &&
          number->getCastKind() == clang::CK_IntegralToPointer &&
          note_number(*number->getSubExpr(), pointee(cast.getType()))) {
        typed_numbers_.insert(number);
        return;
      }
      add_conversion(pointee(inside.getType()), pointee(cast.getType()));
      return note_cast(pointee(inside.getType()), pointee(cast.getType()));
    case clang::CK_PointerToIntegral:
      add_conversion(pointee(inside.getType()), {});
      if (const auto* record = record_of(pointee(inside.getType()))) {
        untyped_.insert(record);
      }
      return;
    case clang::CK_IntegralToPointer: {
      const clang::QualType to = pointee(cast.getType());
      if (typed_numbers_.contains(&cast) || note_number(inside, to)) return;
      add_conversion({}, to);
      if (const auto* record = record_of(to)) {
        untyped_.insert(record);
      } else if (!is_untyped(to)) {
        walks_over_void_ = true;
      }
      return;
    }
    default:
      return;
  }
}

void Views::note_cast(clang::QualType from, clang::QualType to) {
  if (from.isNull() || to.isNull()) return;
  const clang::RecordDecl* const seen = record_of(from);
  const clang::RecordDecl* const other = record_of(to);
  if (seen == nullptr && is_untyped(from)) {
    if (other != nullptr) untyped_.insert(other);
    if (other == nullptr && !is_untyped(to)) walks_over_void_ = true;
  } else if (seen != nullptr && is_untyped(to)) {
    untyped_.insert(seen);
  } else if (seen != nullptr &&
             (other == nullptr ||
              (!begins_with(*seen, *other) && !begins_with(*other, *seen)))) {
    walked_.insert(seen);
  }
}

/// Whether the expression is a constant.
bool Views::note_number(const clang::Expr& expr, clang::QualType to) {
  const auto value = expr.getIntegerConstantExpr(context_);
  if (!value) return false;
  if (!value->isZero() && !to.isNull()) {
    numbers_.push_back(
        {value->extOrTrunc(64).getZExtValue(), to.getUnqualifiedType()});
  }
  return true;
}

void Views::add_conversion(clang::QualType from, clang::QualType to) {
  if (!from.isNull()) from = from.getUnqualifiedType();
  if (!to.isNull()) to = to.getUnqualifiedType();
  if (from == to) return;
  const bool is_new =
      known_conversions_.emplace(from.getAsOpaquePtr(), to.getAsOpaquePtr())
          .second;
  if (is_new) conversions_.push_back({from, to});
}

std::vector<const clang::RecordDecl*> Views::walked(
    bool anything,
    const std::function<bool(const clang::FunctionDecl&)>& has_body) const {
  std::vector<const clang::RecordDecl*> result(walked_.begin(), walked_.end());
  if (anything) result.insert(result.end(), untyped_.begin(), untyped_.end());
  for (const auto& [callee, record] : given_to_) {
    if (has_body(*callee)) result.push_back(record);
  }
  return result;
}

}  // namespace agon::frontend
