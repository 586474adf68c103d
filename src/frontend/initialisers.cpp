// SPDX-License-Identifier: Apache-2.0
// One walk over an initialiser serves locals, which get assignments, and
// objects with static storage, which get initial contents.
#include <clang/AST/RecordLayout.h>

#include <map>

#include "frontend/lowering.h"
#include "support/error.h"

namespace agon::frontend {

using term::Term;

LValue Lowering::element(const LValue& array, std::uint64_t index) {
  LValue place = array;
  place.type = without_atomic(
      unit_.clang().getAsArrayType(array.type)->getElementType());
  place.address = pool_.add(
      array.address,
      pool_.bits(index * unit_.size_of(place.type), array.address.width()));
  return place;
}

void Lowering::walk_string(const LValue& place,
                           const clang::StringLiteral& literal,
                           const Sink& sink) {
  const auto* array = unit_.clang().getAsConstantArrayType(place.type);
  const std::uint64_t room =
      array == nullptr ? literal.getLength() : array->getSize().getZExtValue();
  const unsigned width = literal.getCharByteWidth() * 8;
  for (std::uint64_t i = 0;
       i < std::min<std::uint64_t>(literal.getLength(), room); ++i) {
    sink(element(place, i), nullptr,
         pool_.bits(literal.getCodeUnit(static_cast<unsigned>(i)), width));
  }
}

void Lowering::walk_array(const LValue& place, const clang::InitListExpr& list,
                          const Sink& sink) {
  for (unsigned i = 0; i < list.getNumInits(); ++i) {
    walk_initialiser(element(place, i), *list.getInit(i), sink);
  }
  const clang::Expr* filler = list.getArrayFiller();
  const auto* array = unit_.clang().getAsConstantArrayType(place.type);
  if (filler == nullptr || array == nullptr ||
      llvm::isa<clang::ImplicitValueInitExpr>(filler) ||
      llvm::isa<clang::NoInitExpr>(filler)) {
    return;
  }
  for (std::uint64_t i = list.getNumInits();
       i < array->getSize().getZExtValue(); ++i) {
    walk_initialiser(element(place, i), *filler, sink);
  }
}

void Lowering::walk_fields(const LValue& place, const clang::InitListExpr& list,
                           const Sink& sink) {
  const clang::RecordDecl* record =
      list.getType()->castAs<clang::RecordType>()->getDecl();
  if (record->isUnion()) {
    const clang::FieldDecl* chosen = list.getInitializedFieldInUnion();
    if (chosen != nullptr && list.getNumInits() == 1) {
      walk_initialiser(field(place, *chosen), *list.getInit(0), sink);
    }
    return;
  }
  unsigned next = 0;
  for (const clang::FieldDecl* member : record->fields()) {
    if (member->isUnnamedBitField()) continue;
    if (next == list.getNumInits()) break;
    walk_initialiser(field(place, *member), *list.getInit(next++), sink);
  }
}

// What is not mentioned is zero already.
void Lowering::walk_initialiser(const LValue& place, const clang::Expr& init,
                                const Sink& sink) {
  const clang::Expr& expr = *init.IgnoreParens();
  if (llvm::isa<clang::ImplicitValueInitExpr, clang::NoInitExpr>(expr)) return;
  if (llvm::isa<clang::EmbedExpr>(*init.IgnoreParenImpCasts())) {
    unsupported(expr, "'#embed'");
  }
  // Of what came first, Clang keeps the rest, and gcc nothing.
  if (llvm::isa<clang::DesignatedInitUpdateExpr>(expr)) {
    unsupported(expr, "a part that is initialised after the whole");
  }
  if (const auto* constant = llvm::dyn_cast<clang::ConstantExpr>(&expr)) {
    return walk_initialiser(place, *constant->getSubExpr(), sink);
  }
  if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(&expr)) {
    if (list->isTransparent() ||
        (!place.type->isAggregateType() && list->getNumInits() == 1)) {
      return walk_initialiser(place, *list->getInit(0), sink);
    }
    if (place.type->isArrayType()) {
      const clang::Expr* only =
          list->getNumInits() == 1 ? list->getInit(0)->IgnoreParens() : nullptr;
      if (list->isStringLiteralInit() && only != nullptr) {
        return walk_initialiser(place, *only, sink);
      }
      return walk_array(place, *list, sink);
    }
    if (place.type->isRecordType()) return walk_fields(place, *list, sink);
    if (list->getNumInits() == 0) return;
  }
  if (place.type->isArrayType()) {
    if (const auto* text = llvm::dyn_cast<clang::StringLiteral>(&expr)) {
      return walk_string(place, *text, sink);
    }
    if (const auto* name = llvm::dyn_cast<clang::PredefinedExpr>(&expr)) {
      return walk_string(place, *name->getFunctionName(), sink);
    }
    if (const auto* literal =
            llvm::dyn_cast<clang::CompoundLiteralExpr>(&expr)) {
      return walk_initialiser(place, *literal->getInitializer(), sink);
    }
    if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(&expr)) {
      return walk_initialiser(place, *cast->getSubExpr(), sink);
    }
    unsupported(expr, "this initialiser of an array");
  }
  sink(place, &expr, Term());
}

void Lowering::zero(const LValue& place, clang::SourceLocation where) {
  const ir::Program& program = unit_.program();
  const ir::TypeId type = unit_.type(place.type, where);
  if (place.variable.valid() || place.split != nullptr ||
      count_leaves(program.types, type) <= 4) {
    Leaves zeros;
    for (const Leaf& leaf : leaves_of(place.type, where)) {
      zeros.push_back(pool_.bits(0, leaf.size * 8));
    }
    return store_record(place, zeros, where);
  }
  const unsigned width = program.pointer_width();
  assign(program.memory,
         pool_.copy(memory(), place.address,
                    pool_.bits(unit_.size_of(place.type), width),
                    pool_.constant_array(pool_.bits(0, 8), width),
                    pool_.bits(0, width)),
         where);
}

// C leaves open in which order the parts of an initialiser are evaluated.
void Lowering::note_order_of_parts(const clang::Expr& init) {
  if (unit_.symbols().order_matters || !has_effects(init)) return;
  std::vector<const clang::Expr*> parts;
  std::vector<const clang::Expr*> waiting{&init};
  while (!waiting.empty()) {
    const clang::Expr* next = waiting.back()->IgnoreParens();
    waiting.pop_back();
    if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(next)) {
      waiting.insert(waiting.end(), list->inits().begin(), list->inits().end());
    } else {
      parts.push_back(next);
    }
  }
  note_order(parts);
}

void Lowering::initialise(const LValue& place, const clang::Expr& init) {
  const clang::SourceLocation where = init.getBeginLoc();
  if (!place.type->isAggregateType()) {
    const clang::Expr* scalar = init.IgnoreParens();
    if (llvm::isa<clang::ImplicitValueInitExpr>(scalar)) {
      return zero(place, where);
    }
    if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(scalar)) {
      if (list->getNumInits() == 0) return zero(place, where);
    }
    return store(place, value(*scalar), where);
  }
  const bool is_copied = place.type->isRecordType() &&
                         !llvm::isa<clang::InitListExpr>(init.IgnoreParens());
  if (is_copied) return assign_record(place, init);
  note_order_of_parts(init);
  zero(place, where);
  walk_initialiser(
      place, init,
      [&](const LValue& part, const clang::Expr* expr, Term known) {
        if (expr == nullptr) {
          store(part, known, where);
        } else if (part.type->isRecordType()) {
          assign_record(part, *expr);
        } else {
          store(part, value(*expr), expr->getBeginLoc());
        }
      });
}

// Clang knows more constants than lowering would find, such as a choice whose
// other side is undefined. It also gives a value to what has none, such as a
// shift by too much.
Term Lowering::static_value(const clang::Expr& expr) {
  clang::Expr::EvalResult known;
  if (expr.getType()->isIntegralOrEnumerationType() &&
      expr.EvaluateAsRValue(known, unit_.clang()) && known.Val.isInt() &&
      !known.HasUndefinedBehavior) {
    return pool_.bits(to_bits(known.Val.getInt()),
                      unit_.sort(expr.getType(), expr.getBeginLoc()).width);
  }
  return value(expr);
}

std::vector<Lowering::StaticCell> Lowering::static_initialiser(
    clang::QualType type, const clang::Expr& init) {
  const bool was_constant = std::exchange(constants_only_, true);
  const unsigned width = unit_.program().pointer_width();
  std::vector<StaticCell> cells;
  std::map<std::uint64_t, std::uint8_t> packed;  // Bytes of bit-fields.
  LValue whole;
  whole.type = without_atomic(type);
  whole.address = pool_.bits(0, width);  // So that addresses are offsets.
  const Sink sink = [&](const LValue& part, const clang::Expr* expr,
                        Term known) {
    const auto offset = static_cast<std::uint64_t>(part.address.value());
    if (expr != nullptr && part.type->isRecordType()) {
      const clang::Expr* source = expr->IgnoreParenImpCasts();
      const auto* literal = llvm::dyn_cast<clang::CompoundLiteralExpr>(source);
      if (literal == nullptr) {
        unit_.fail(expr->getBeginLoc(),
                   "an initialiser with static storage must be a constant");
      }
      for (const StaticCell& cell :
           static_initialiser(part.type, *literal->getInitializer())) {
        cells.push_back({offset + cell.offset, cell.value});
      }
      return;
    }
    const Term content = expr == nullptr ? known : static_value(*expr);
    if (part.bit_width == 0) {
      cells.push_back({offset, content});
      return;
    }
    if (!content.is_constant()) {
      unit_.fail(expr->getBeginLoc(), "a bit-field must get a constant");
    }
    for (unsigned i = 0; i < part.bit_width; ++i) {
      const unsigned bit = part.bit_offset + i;
      const unsigned on = static_cast<unsigned>(content.value() >> i) & 1U;
      packed[offset + bit / 8] |= static_cast<std::uint8_t>(on << bit % 8);
    }
  };
  if (whole.type->isAggregateType()) {
    walk_initialiser(whole, init, sink);
  } else {
    sink(whole, &init, Term());
  }
  for (const auto& [offset, byte] : packed) {
    cells.push_back({offset, pool_.bits(byte, 8)});
  }
  constants_only_ = was_constant;
  return cells;
}

}  // namespace agon::frontend
