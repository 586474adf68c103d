// SPDX-License-Identifier: Apache-2.0
#include <clang/AST/RecordLayout.h>
#include <fmt/format.h>

#include "frontend/lowering.h"
#include "ir/routines.h"
#include "support/error.h"

namespace agon::frontend {

using term::Term;

LValue Lowering::in_storage(const Storage& storage, clang::QualType type) {
  LValue place;
  place.type = without_atomic(type);
  const ir::Program& program = unit_.program();
  if (storage.object.valid()) {
    place.address = program[storage.object].address;
  } else if (storage.pointer.valid()) {
    place.address = program[storage.pointer].term;
  } else if (storage.variable.valid()) {
    place.variable = storage.variable;
  } else {
    place.split = &storage;
  }
  return place;
}

LValue Lowering::variable_reference(const clang::VarDecl& variable,
                                    clang::SourceLocation where) {
  if (variable.hasGlobalStorage() || variable.hasExternalStorage()) {
    return in_storage(unit_.global(variable), variable.getType());
  }
  const auto found = locals_.find(variable.getCanonicalDecl());
  if (found == locals_.end()) {
    unit_.fail(where, fmt::format("'{}' is used before its declaration",
                                  variable.getName().str()));
  }
  return in_storage(found->second, variable.getType());
}

LValue Lowering::lvalue(const clang::Expr& original) {
  using clang::Stmt;
  const clang::Expr& expr = *original.IgnoreParens();
  const clang::SourceLocation where = expr.getBeginLoc();
  LValue place;
  place.type = without_atomic(expr.getType());
  switch (expr.getStmtClass()) {
    case Stmt::DeclRefExprClass: {
      const clang::ValueDecl* named =
          llvm::cast<clang::DeclRefExpr>(expr).getDecl();
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(named)) {
        if (named->isWeak() &&
            !unit_.symbols().defined.contains(named->getName().str())) {
          unsupported(expr, "a weak variable without a definition");
        }
        return variable_reference(*variable, where);
      }
      if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(named)) {
        const ir::FunctionId id = unit_.function(*function);
        if (named->isWeak() && !unit_.program()[id].has_body) {
          unsupported(expr, "the address of a weak function without a body");
        }
        if (unit_.failure_of(id)) {
          unit_.program().assume(
              "allocators called through pointers",
              "taken to succeed (--malloc-may-fail is about calls by name)",
              unit_.position(where));
        }
        place.address = unit_.program().address_of(id);
        return place;
      }
      break;
    }
    case Stmt::MemberExprClass:
      return member(llvm::cast<clang::MemberExpr>(expr));
    case Stmt::ArraySubscriptExprClass: {
      const auto& element = llvm::cast<clang::ArraySubscriptExpr>(expr);
      const Term base = value_before(*element.getBase(), *element.getIdx());
      place.address = pointer_sum(base, value(*element.getIdx()),
                                  element.getIdx()->getType(),
                                  element.getBase()->getType(), false);
      return place;
    }
    case Stmt::UnaryOperatorClass: {
      const auto& unary = llvm::cast<clang::UnaryOperator>(expr);
      if (unary.getOpcode() == clang::UO_Extension) {
        return lvalue(*unary.getSubExpr());
      }
      if (unary.getOpcode() != clang::UO_Deref) break;
      place.address = value(*unary.getSubExpr());
      return place;
    }
    case Stmt::StringLiteralClass:
      place.address =
          unit_.program()[unit_.string(llvm::cast<clang::StringLiteral>(expr))]
              .address;
      return place;
    case Stmt::PredefinedExprClass:
      return lvalue(*llvm::cast<clang::PredefinedExpr>(expr).getFunctionName());
    case Stmt::CompoundLiteralExprClass:
      return compound_literal(llvm::cast<clang::CompoundLiteralExpr>(expr));
    case Stmt::GenericSelectionExprClass:
      return lvalue(
          *llvm::cast<clang::GenericSelectionExpr>(expr).getResultExpr());
    case Stmt::ChooseExprClass:
      return lvalue(*llvm::cast<clang::ChooseExpr>(expr).getChosenSubExpr());
    case Stmt::ImplicitCastExprClass:
    case Stmt::CStyleCastExprClass: {
      const auto& cast = llvm::cast<clang::CastExpr>(expr);
      if (cast.getCastKind() != clang::CK_NoOp || !expr.isGLValue()) break;
      return lvalue(*cast.getSubExpr());
    }
    default:
      break;
  }
  if (!expr.isGLValue() && expr.getType()->isRecordType()) {
    return temporary_record(expr);
  }
  unsupported(expr, fmt::format("'{}' as something to refer to",
                                expr.getStmtClassName()));
}

LValue Lowering::member(const clang::MemberExpr& expr) {
  const auto* named = llvm::dyn_cast<clang::FieldDecl>(expr.getMemberDecl());
  if (named == nullptr) unsupported(expr, "this member");
  if (!expr.isArrow()) return field(lvalue(*expr.getBase()), *named);
  LValue base;
  base.type = without_atomic(expr.getBase()->getType()->getPointeeType());
  base.address = value(*expr.getBase());
  return field(base, *named);
}

LValue Lowering::field(LValue base, const clang::FieldDecl& field) {
  const std::uint64_t bit = unit_.clang().getFieldOffset(&field);
  const bool is_volatile = base.type.isVolatileQualified();
  base.type = without_atomic(field.getType());
  if (is_volatile) base.type.addVolatile();
  base.offset += bit / 8;
  if (base.split != nullptr) {
    if (!base.type->isRecordType()) {
      const auto& leaves = base.split->leaves;
      for (std::size_t i = 0; i < leaves.size(); ++i) {
        if (leaves[i].offset == base.offset) {
          base.variable = base.split->parts[i];
          base.split = nullptr;
          return base;
        }
      }
      AGON_ASSERT(!"a split variable has all its fields");
    }
    return base;
  }
  base.address =
      pool_.add(base.address, pool_.bits(bit / 8, base.address.width()));
  base.offset = 0;
  if (field.isBitField()) {
    base.bit_offset = static_cast<std::uint8_t>(bit % 8);
    base.bit_width =
        static_cast<std::uint16_t>(field.getBitWidthValue(unit_.clang()));
  }
  return base;
}

LValue Lowering::compound_literal(const clang::CompoundLiteralExpr& expr) {
  const clang::SourceLocation where = expr.getBeginLoc();
  const bool is_static = constants_only_ || expr.isFileScope();
  const auto [entry, added] = literals_.try_emplace(&expr);
  if (added) {
    ir::Object object;
    object.name = object.display = "literal";
    object.type = unit_.type(expr.getType(), where);
    object.kind = is_static ? ir::ObjectKind::Global : ir::ObjectKind::Local;
    object.size = unit_.size_of(expr.getType());
    object.alignment = unit_.info(object.type).alignment;
    object.owner = is_static ? ir::FunctionId() : function_;
    object.position = unit_.position(where);
    object.is_zeroed = is_static;
    object.is_static = is_static;
    if (is_static) {
      for (const auto& cell :
           static_initialiser(expr.getType(), *expr.getInitializer())) {
        object.initial.push_back(
            {unit_.program().memory, cell.offset, cell.value});
      }
    }
    entry->second = unit_.program().add_object(std::move(object));
    if (!is_static) {
      unit_.program().functions[function_.index()].objects.push_back(
          entry->second);
    }
  }
  LValue place;
  place.type = without_atomic(expr.getType());
  place.address = unit_.program()[literals_.at(&expr)].address;
  if (!is_static) initialise(place, *expr.getInitializer());
  return place;
}

// A struct that a function returned, so that a member of it can be taken.
LValue Lowering::temporary_record(const clang::Expr& expr) {
  const Leaves values = record(expr);
  const auto [entry, added] = literals_.try_emplace(&expr);
  if (added) {
    ir::Object object;
    object.name = object.display = "result";
    object.type = unit_.type(expr.getType(), expr.getBeginLoc());
    object.kind = ir::ObjectKind::Local;
    object.size = unit_.size_of(expr.getType());
    object.alignment = unit_.info(object.type).alignment;
    object.owner = function_;
    object.position = unit_.position(expr.getBeginLoc());
    entry->second = unit_.program().add_object(std::move(object));
    unit_.program().functions[function_.index()].objects.push_back(
        entry->second);
  }
  LValue place;
  place.type = expr.getType();
  place.address = unit_.program()[entry->second].address;
  store_record(place, values, expr.getBeginLoc());
  return place;
}

// Fixes the address before side effects can change what it depends on.
LValue Lowering::settled(LValue place, clang::SourceLocation where) {
  if (place.address.valid()) place.address = keep(place.address, where);
  return place;
}

Term Lowering::address(const LValue& place, clang::SourceLocation where) {
  if (!place.address.valid() || place.bit_width != 0) {
    unit_.fail(where, "the address of this cannot be taken");
  }
  return place.address;
}

// Whether reading it gives any value. If not, and it is volatile, that is an
// assumption.
bool Lowering::is_input(const LValue& place, clang::SourceLocation where) {
  if (!place.type.isVolatileQualified() || constants_only_) return false;
  if (unit_.symbols().volatile_is_input) return true;
  unit_.program().assume(
      "volatile",
      "volatile objects change only when the program writes them "
      "(--volatile any: at any time)",
      unit_.position(where));
  return false;
}

Term Lowering::any_input(unsigned width, ir::TypeId type,
                         clang::SourceLocation where) {
  const bool is_bool =
      type.valid() && unit_.info(type).kind == ir::TypeKind::Bool;
  const Term value =
      is_bool
          ? any(term::Sort::bits(1), ir::HavocReason::Input, where)
          : any(term::Sort::bits(width), ir::HavocReason::Input, where, type);
  return pool_.zero_extend(value, width);
}

Term Lowering::load(const LValue& place, clang::SourceLocation where) {
  if (is_input(place, where)) {
    const unsigned width = unit_.sort(place.type, where).width;
    if (place.bit_width == 0) {
      return any_input(width, unit_.type(place.type, where), where);
    }
    return pool_.resize(any_input(place.bit_width, {}, where), width,
                        is_signed(place.type));
  }
  if (place.variable.valid()) return unit_.program()[place.variable].term;
  const unsigned width = unit_.sort(place.type, where).width;
  if (constants_only_) {
    unit_.fail(where, "an initialiser with static storage must be a constant");
  }
  if (place.bit_width == 0) {
    const Term value = pool_.read(memory(), place.address, width / 8);
    if (!place.type->isBooleanType()) return value;
    // Memory that nobody has written holds anything, a _Bool 0 or 1.
    return pool_.zero_extend(pool_.extract(value, 0, 1), width);
  }
  const unsigned bytes = (place.bit_offset + place.bit_width + 7U) / 8;
  const Term packed = pool_.read(memory(), place.address, bytes);
  return pool_.resize(pool_.extract(packed, place.bit_offset, place.bit_width),
                      width, is_signed(place.type));
}

void Lowering::write(Term address, Term value, clang::SourceLocation where) {
  assign(unit_.program().memory, pool_.write(memory(), address, value), where);
}

void Lowering::store(const LValue& place, Term value,
                     clang::SourceLocation where) {
  if (place.variable.valid()) return assign(place.variable, value, where);
  if (place.bit_width == 0) return write(place.address, value, where);
  const unsigned bytes = (place.bit_offset + place.bit_width + 7U) / 8;
  const unsigned above = bytes * 8 - place.bit_offset - place.bit_width;
  const Term before = pool_.read(memory(), place.address, bytes);
  Term packed = pool_.extract(value, 0, place.bit_width);
  if (place.bit_offset != 0) {
    packed = pool_.concat(packed, pool_.extract(before, 0, place.bit_offset));
  }
  if (above != 0) {
    packed = pool_.concat(
        pool_.extract(before, place.bit_offset + place.bit_width, above),
        packed);
  }
  write(place.address, packed, where);
}

// Answers what the place holds afterwards, if that is of interest. The value is
// kept in a temporary, since it may depend on what the store overwrites.
Term Lowering::store_result(const LValue& place, Term value, bool is_used,
                            clang::SourceLocation where) {
  if (!is_used || place.variable.valid()) {
    store(place, value, where);
    return is_used ? unit_.program()[place.variable].term : Term();
  }
  const Term kept = keep(value, where);
  store(place, kept, where);
  if (place.bit_width == 0) return kept;
  return pool_.resize(pool_.extract(kept, 0, place.bit_width), kept.width(),
                      is_signed(place.type));
}

}  // namespace agon::frontend
