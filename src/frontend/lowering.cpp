// SPDX-License-Identifier: Apache-2.0
#include "frontend/lowering.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace agon::frontend {

using ir::LocationId;
using ir::VariableId;
using term::Term;

namespace {

/// Empties a table, and keeps it unless that would cost the next function
/// more than to make another.
template <class Table>
void reset(Table& table) {
  constexpr std::size_t kLarge = 256;
  if (table.bucket_count() > kLarge) {
    table = Table();
  } else {
    table.clear();
  }
}

}  // namespace

void Lowering::forget() {
  reset(labels_);
  reset(cases_);
  reset(locals_);
  reset(effects_);
  reset(opaque_);
  reset(array_sizes_);
  reset(literals_);
}

void Lowering::run(const clang::FunctionDecl& definition) {
  forget();
  function_ = unit_.function(definition);
  result_type_ = definition.getReturnType();
  cfa_ = ir::Cfa();
  here_ = new_location();
  exit_ = new_location();
  cfa_.set_entry(here_);
  cfa_.set_exit(exit_);
  set_up_parameters(definition);
  statement(*definition.getBody());
  fall_off_the_end(definition);
  ir::Function& function = unit_.program().functions[function_.index()];
  std::ranges::copy(ir::finish(cfa_, function.position),
                    std::back_inserter(unit_.symbols().unreached));
  function.body = std::move(cfa_);
}

// A parameter whose address is taken, or which is a struct that cannot be
// split, gets a copy of its own in memory.
void Lowering::set_up_parameters(const clang::FunctionDecl& definition) {
  const std::vector<VariableId> flat = unit_.program()[function_].parameters;
  std::size_t next = 0;
  for (const clang::ParmVarDecl* parameter : definition.parameters()) {
    const clang::SourceLocation where = parameter->getLocation();
    // Only parameters to the left may occur in a length.
    evaluate_array_sizes(parameter->getOriginalType(), where);
    const auto& parts = leaves_of(parameter->getType(), where);
    Storage storage;
    if (unit_.is_address_taken(*parameter) ||
        !is_splittable(unit_.program().types,
                       unit_.type(parameter->getType(), where))) {
      storage = unit_.allocate(*parameter, function_);
      Leaves values;
      for (std::size_t i = 0; i < parts.size(); ++i) {
        values.push_back(unit_.program()[flat[next + i]].term);
      }
      store_record(in_storage(storage, parameter->getType()), values, where);
    } else if (parameter->getType()->isRecordType()) {
      storage.leaves = parts;
      storage.parts.assign(
          flat.begin() + static_cast<long>(next),
          flat.begin() + static_cast<long>(next + parts.size()));
    } else {
      storage.variable = flat[next];
    }
    next += parts.size();
    locals_.emplace(parameter->getCanonicalDecl(), std::move(storage));
  }
}

void Lowering::edge(LocationId from, LocationId to, ir::Statement statement,
                    clang::SourceLocation where) {
  cfa_.add_edge(
      {from, to, std::move(statement), unit_.position(where), ir::InlineId()});
}

void Lowering::emit(ir::Statement statement, clang::SourceLocation where) {
  if (constants_only_) {
    unit_.fail(where, "an initialiser with static storage must be a constant");
  }
  const LocationId next = new_location();
  edge(here_, next, std::move(statement), where);
  here_ = next;
}

void Lowering::jump(LocationId to, clang::SourceLocation where) {
  edge(here_, to, ir::Assume{pool_.boolean(true)}, where);
  stop();
}

void Lowering::assign(VariableId target, Term value,
                      clang::SourceLocation where) {
  emit(ir::Assign{target, value}, where);
}

VariableId Lowering::temporary(term::Sort sort, ir::TypeId type) {
  ir::Variable variable;
  variable.name = "t";
  variable.display = "t";
  variable.kind = ir::VariableKind::Temporary;
  variable.type = type;
  variable.owner = function_;
  const VariableId id = unit_.program().add_variable(std::move(variable), sort);
  ir::Variable& made = unit_.program().variables[id.index()];
  made.display = made.name;
  if (function_.valid()) {
    unit_.program().functions[function_.index()].locals.push_back(id);
  }
  return id;
}

// Of a pointer, the type says what it may point to.
Term Lowering::any(term::Sort sort, ir::HavocReason reason,
                   clang::SourceLocation where, ir::TypeId type) {
  const VariableId target = temporary(sort, type);
  emit(ir::Havoc{target, reason, {}}, where);
  return unit_.program()[target].term;
}

// The result of arithmetic that Agon does not follow, and says so.
Term Lowering::any_float(term::Sort sort, clang::SourceLocation where) {
  unit_.program().assume("floating point",
                         "results of floating-point arithmetic are arbitrary",
                         unit_.position(where));
  return any(sort, ir::HavocReason::Float, where);
}

Term Lowering::keep(Term value, clang::SourceLocation where) {
  if (value.is_constant() || value.kind() == term::Kind::Address) return value;
  // A temporary is not assigned again before its value was used.
  const VariableId known = unit_.program().variable_of(value);
  if (known.valid() &&
      unit_.program()[known].kind == ir::VariableKind::Temporary) {
    return value;
  }
  const VariableId target = temporary(value.sort());
  assign(target, value, where);
  return unit_.program()[target].term;
}

Term Lowering::memory() const {
  const ir::Program& program = unit_.program();
  return program[program.memory].term;
}

void Lowering::unsupported(const clang::Stmt& node, const std::string& what) {
  unit_.fail(node.getBeginLoc(), fmt::format("{} is not supported", what));
}

void Lowering::note_order(const clang::Expr& first, const clang::Expr& second,
                          EvaluationOrder::Use use) {
  SharedNames& symbols = unit_.symbols();
  if (symbols.order_matters || !(has_effects(second) || has_effects(first)) ||
      !symbols.order.matters(first, use, second, unit_)) {
    return;
  }
  symbols.order_matters = true;
  unit_.program().assume(
      "order of evaluation",
      "operands and arguments are evaluated from left to right; C leaves the "
      "order open, and it may matter",
      unit_.position(first.getBeginLoc()));
}

void Lowering::note_order(const std::vector<const clang::Expr*>& all) {
  if (unit_.symbols().order_matters) return;
  constexpr std::size_t kFar = 32;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = i + 1; j < std::min(all.size(), i + kFar); ++j) {
      note_order(*all[i], *all[j]);
    }
  }
}

// The lengths of arrays in a type are evaluated where it is written.
bool Lowering::evaluates_lengths(const clang::Expr& expr) {
  if (const auto* trait =
          llvm::dyn_cast<clang::UnaryExprOrTypeTraitExpr>(&expr)) {
    return trait->getKind() == clang::UETT_SizeOf &&
           trait->getTypeOfArgument()->isVariableArrayType();
  }
  return llvm::isa<clang::ExplicitCastExpr>(expr) &&
         expr.getType()->isVariablyModifiedType();
}

bool Lowering::has_effects(const clang::Expr& original) {
  const clang::Expr* simple = &original;
  while (const auto* cast = llvm::dyn_cast<clang::CastExpr>(simple)) {
    if (evaluates_lengths(*cast)) return true;
    simple = cast->getSubExpr()->IgnoreParens();
  }
  if (llvm::isa<clang::DeclRefExpr, clang::IntegerLiteral, clang::StringLiteral,
                clang::CharacterLiteral>(simple)) {
    return false;
  }
  const clang::Expr& expr = *simple;
  if (const auto found = effects_.find(&expr); found != effects_.end()) {
    return found->second;
  }
  bool effects = evaluates_lengths(expr);
  if (llvm::isa<clang::CallExpr, clang::StmtExpr, clang::VAArgExpr,
                clang::CompoundLiteralExpr, clang::AtomicExpr>(expr)) {
    effects = true;
  } else if (const auto* binary =
                 llvm::dyn_cast<clang::BinaryOperator>(&expr)) {
    effects = binary->isAssignmentOp();
  } else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&expr)) {
    effects = unary->isIncrementDecrementOp();
  }
  if (!effects && !llvm::isa<clang::UnaryExprOrTypeTraitExpr>(expr)) {
    for (const clang::Stmt* child : expr.children()) {
      const auto* part = llvm::dyn_cast_or_null<clang::Expr>(child);
      if (part != nullptr && has_effects(*part)) effects = true;
    }
  }
  effects_.emplace(&expr, effects);
  return effects;
}

}  // namespace agon::frontend
