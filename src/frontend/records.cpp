// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "frontend/lowering.h"
#include "support/error.h"
#include "term/substitute.h"

namespace agon::frontend {

using ir::LocationId;
using ir::VariableId;
using term::Term;

namespace {

/// Structs with more scalars than this are copied as one range of memory.
constexpr std::uint64_t kCopyAtOnce = 8;
/// What is passed or returned by value has fewer scalars than this.
constexpr std::uint64_t kTooMany = 4096;

const clang::Expr& without_wrapping(const clang::Expr& expr) {
  const clang::Expr* at = expr.IgnoreParens();
  for (;;) {
    const clang::Expr* inner = nullptr;
    if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(at)) {
      if (cast->getCastKind() == clang::CK_NoOp ||
          cast->getCastKind() == clang::CK_AtomicToNonAtomic ||
          cast->getCastKind() == clang::CK_NonAtomicToAtomic) {
        inner = cast->getSubExpr();
      }
    } else if (const auto* chosen = llvm::dyn_cast<clang::ChooseExpr>(at)) {
      inner = chosen->getChosenSubExpr();
    } else if (const auto* generic =
                   llvm::dyn_cast<clang::GenericSelectionExpr>(at)) {
      inner = generic->getResultExpr();
    } else if (const auto* constant = llvm::dyn_cast<clang::ConstantExpr>(at)) {
      inner = constant->getSubExpr();
    }
    if (inner == nullptr) return *at;
    at = inner->IgnoreParens();
  }
}

const clang::Expr* loaded_from(const clang::Expr& expr) {
  const auto* cast = llvm::dyn_cast<clang::CastExpr>(&expr);
  return cast != nullptr && cast->getCastKind() == clang::CK_LValueToRValue
             ? cast->getSubExpr()
             : nullptr;
}

}  // namespace

const std::vector<Leaf>& Lowering::leaves_of(clang::QualType type,
                                             clang::SourceLocation where) {
  const auto [entry, added] =
      leaves_.try_emplace(type.getCanonicalType().getTypePtr());
  if (added) {
    const ir::TypeId lowered = unit_.type(type, where);
    if (count_leaves(unit_.program().types, lowered) > kTooMany) {
      unit_.fail(where, "a value of this size is not supported");
    }
    entry->second = leaves(unit_.program().types, lowered);
  }
  return entry->second;
}

Leaves Lowering::load_record(const LValue& place, clang::SourceLocation where) {
  const std::vector<Leaf>& parts = leaves_of(place.type, where);
  Leaves values;
  if (is_input(place, where)) {
    for (const Leaf& leaf : parts) {
      values.push_back(any_input(leaf.size * 8, leaf.type, where));
    }
    return values;
  }
  if (place.split != nullptr) {
    for (std::size_t i = 0; i < place.split->leaves.size(); ++i) {
      const std::uint64_t offset = place.split->leaves[i].offset;
      if (offset < place.offset || values.size() == parts.size()) continue;
      values.push_back(unit_.program()[place.split->parts[i]].term);
    }
    return values;
  }
  for (const Leaf& leaf : parts) {
    values.push_back(
        pool_.read(memory(),
                   pool_.add(place.address,
                             pool_.bits(leaf.offset, place.address.width())),
                   leaf.size));
  }
  return values;
}

// All values are computed before anything is written.
void Lowering::store_record(const LValue& place, const Leaves& values,
                            clang::SourceLocation where) {
  if (place.variable.valid()) {
    return assign(place.variable, values.front(), where);
  }
  const std::vector<Leaf>& parts = leaves_of(place.type, where);
  if (place.split != nullptr) return store_parts(place, values, where);
  Term written = memory();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    written = pool_.write(
        written,
        pool_.add(place.address,
                  pool_.bits(parts[i].offset, place.address.width())),
        values[i]);
  }
  assign(unit_.program().memory, written, where);
}

// As in `node = *node.next`, where parts that are assigned say what is read.
void Lowering::store_parts(const LValue& place, Leaves values,
                           clang::SourceLocation where) {
  std::vector<VariableId> targets;
  for (std::size_t i = 0; i < place.split->leaves.size(); ++i) {
    if (place.split->leaves[i].offset < place.offset) continue;
    if (targets.size() == values.size()) break;
    targets.push_back(place.split->parts[i]);
  }
  for (std::size_t k = 1; k < targets.size(); ++k) {
    const bool is_overwritten =
        std::ranges::any_of(term::variables_of(values[k]), [&](Term variable) {
          const auto end = targets.begin() + static_cast<std::ptrdiff_t>(k);
          return std::find(targets.begin(), end,
                           unit_.program().variable_of(variable)) != end;
        });
    if (is_overwritten) values[k] = keep(values[k], where);
  }
  for (std::size_t k = 0; k < targets.size(); ++k) {
    assign(targets[k], values[k], where);
  }
}

Leaves Lowering::record(const clang::Expr& original) {
  const clang::Expr& expr = without_wrapping(original);
  const clang::SourceLocation where = expr.getBeginLoc();
  if (const clang::Expr* source = loaded_from(expr)) {
    return load_record(lvalue(*source), where);
  }
  if (llvm::isa<clang::MemberExpr>(expr)) {
    return load_record(lvalue(expr), where);
  }
  if (const auto* called = llvm::dyn_cast<clang::CallExpr>(&expr)) {
    return call(*called);
  }
  if (const auto* block = llvm::dyn_cast<clang::StmtExpr>(&expr)) {
    statement_expression(*block);
    return last_record_;
  }
  if (const auto* argument = llvm::dyn_cast<clang::VAArgExpr>(&expr)) {
    effect(*argument->getSubExpr());
    unit_.program().assume("va_arg",
                           "variable arguments are taken to have any value",
                           unit_.position(where));
    Leaves values;
    for (const Leaf& leaf : leaves_of(expr.getType(), where)) {
      values.push_back(any(term::Sort::bits(leaf.size * 8),
                           ir::HavocReason::Unsupported, where, leaf.type));
    }
    return values;
  }
  // Everything else is built in a place of its own.
  const auto [entry, added] = literals_.try_emplace(&expr);
  if (added) {
    ir::Object object;
    object.name = object.display = "value";
    object.type = unit_.type(expr.getType(), where);
    object.kind = ir::ObjectKind::Local;
    object.size = unit_.size_of(expr.getType());
    object.alignment = unit_.info(object.type).alignment;
    object.owner = function_;
    object.position = unit_.position(where);
    entry->second = unit_.program().add_object(std::move(object));
    unit_.program().functions[function_.index()].objects.push_back(
        entry->second);
  }
  LValue place;
  place.type = expr.getType();
  place.address = unit_.program()[entry->second].address;
  assign_record(place, expr);
  return load_record(place, where);
}

// Assigns a struct or union, without listing its scalars where that is
// avoidable.
void Lowering::assign_record(const LValue& target,
                             const clang::Expr& original) {
  const clang::Expr& expr = without_wrapping(original);
  const clang::SourceLocation where = expr.getBeginLoc();
  const LValue place = has_effects(expr) ? settled(target, where) : target;
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(&expr)) {
    const LocationId yes = new_location();
    const LocationId no = new_location();
    const LocationId after = new_location();
    branch(*choice->getCond(), yes, no);
    continue_at(yes);
    assign_record(place, *choice->getTrueExpr());
    jump(after, where);
    continue_at(no);
    assign_record(place, *choice->getFalseExpr());
    jump(after, where);
    return continue_at(after);
  }
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&expr)) {
    if (binary->getOpcode() == clang::BO_Comma) {
      effect(*binary->getLHS());
      return assign_record(place, *binary->getRHS());
    }
    if (binary->getOpcode() == clang::BO_Assign) {
      const LValue inner = settled(lvalue(*binary->getLHS()), where);
      assign_record(inner, *binary->getRHS());
      return copy_record(place, inner, where);
    }
  }
  if (llvm::isa<clang::InitListExpr>(expr)) return initialise(place, expr);
  if (const auto* literal = llvm::dyn_cast<clang::CompoundLiteralExpr>(&expr)) {
    return initialise(place, *literal->getInitializer());
  }
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(&expr)) {
    if (cast->getCastKind() == clang::CK_ToUnion) {
      LValue member = place;
      member.type = cast->getSubExpr()->getType();
      return initialise(member, *cast->getSubExpr());
    }
  }
  const clang::Expr* source = loaded_from(expr);
  if (source == nullptr) {
    if (!llvm::isa<clang::CallExpr, clang::StmtExpr, clang::VAArgExpr,
                   clang::MemberExpr>(expr)) {
      unsupported(expr,
                  fmt::format("the expression '{}'", expr.getStmtClassName()));
    }
    return store_record(place, record(expr), where);
  }
  copy_record(place, lvalue(*source), where);
}

void Lowering::copy_record(const LValue& place, const LValue& from,
                           clang::SourceLocation where) {
  const ir::TypeId type = unit_.type(place.type, where);
  const std::uint64_t parts = count_leaves(unit_.program().types, type);
  if (place.address.valid() && from.address.valid() && parts > kCopyAtOnce &&
      !is_input(from, where)) {
    const Term size = pool_.bits(unit_.info(type).size, place.address.width());
    return assign(
        unit_.program().memory,
        pool_.copy(memory(), place.address, size, memory(), from.address),
        where);
  }
  if (parts > kManyLeaves) {
    unit_.fail(where, "this volatile object is too large to be copied at once");
  }
  store_record(place, load_record(from, where), where);
}

}  // namespace agon::frontend
