// SPDX-License-Identifier: Apache-2.0
#include <clang/AST/Attr.h>
#include <fmt/format.h>

#include "frontend/lowering.h"

namespace agon::frontend {

using ir::LocationId;
using ir::VariableId;
using term::Term;

void Lowering::statement(const clang::Stmt& stmt) {
  using clang::Stmt;
  // What is known about expressions is of use only inside a statement.
  constexpr std::size_t kManyExpressions = 500;
  if (effects_.size() > kManyExpressions) effects_.clear();
  if (const auto* expr = llvm::dyn_cast<clang::Expr>(&stmt)) {
    return effect(*expr);
  }
  switch (stmt.getStmtClass()) {
    case Stmt::NullStmtClass:
      return;
    case Stmt::CompoundStmtClass:
      for (const clang::Stmt* child : stmt.children()) statement(*child);
      return;
    case Stmt::DeclStmtClass:
      return declaration(llvm::cast<clang::DeclStmt>(stmt));
    case Stmt::IfStmtClass:
      return if_statement(llvm::cast<clang::IfStmt>(stmt));
    case Stmt::WhileStmtClass:
      return while_statement(llvm::cast<clang::WhileStmt>(stmt));
    case Stmt::DoStmtClass:
      return do_statement(llvm::cast<clang::DoStmt>(stmt));
    case Stmt::ForStmtClass:
      return for_statement(llvm::cast<clang::ForStmt>(stmt));
    case Stmt::SwitchStmtClass:
      return switch_statement(llvm::cast<clang::SwitchStmt>(stmt));
    case Stmt::CaseStmtClass:
    case Stmt::DefaultStmtClass: {
      const auto& label_stmt = llvm::cast<clang::SwitchCase>(stmt);
      return label(cases_.at(&label_stmt), *label_stmt.getSubStmt());
    }
    case Stmt::LabelStmtClass: {
      const auto& labelled = llvm::cast<clang::LabelStmt>(stmt);
      return label(label_location(*labelled.getDecl()), *labelled.getSubStmt());
    }
    case Stmt::AttributedStmtClass:
      return statement(*llvm::cast<clang::AttributedStmt>(stmt).getSubStmt());
    case Stmt::GotoStmtClass:
      return jump(label_location(*llvm::cast<clang::GotoStmt>(stmt).getLabel()),
                  stmt.getBeginLoc());
    case Stmt::BreakStmtClass:
      return leave(targets_.back().on_break, stmt);
    case Stmt::ContinueStmtClass:
      return leave(targets_.back().on_continue, stmt);
    case Stmt::ReturnStmtClass:
      return return_statement(llvm::cast<clang::ReturnStmt>(stmt));
    case Stmt::GCCAsmStmtClass:
      return assembly(llvm::cast<clang::AsmStmt>(stmt));
    case Stmt::IndirectGotoStmtClass:
      unsupported(stmt, "a computed goto");
    default:
      unsupported(stmt,
                  fmt::format("the statement '{}'", stmt.getStmtClassName()));
  }
}

LocationId Lowering::label_location(const clang::LabelDecl& label) {
  const auto [entry, added] = labels_.try_emplace(&label);
  if (added) entry->second = new_location();
  return entry->second;
}

void Lowering::leave(LocationId to, const clang::Stmt& stmt) {
  if (!to.valid()) unsupported(stmt, "leaving a loop from its condition");
  jump(to, stmt.getBeginLoc());
}

// Compilers do not agree which loop a `break` in a condition leaves.
void Lowering::loop_condition(const clang::Expr& condition, LocationId yes,
                              LocationId no) {
  targets_.emplace_back();
  branch(condition, yes, no);
  targets_.pop_back();
}

void Lowering::label(LocationId location, const clang::Stmt& body) {
  jump(location, body.getBeginLoc());
  continue_at(location);
  statement(body);
}

void Lowering::declaration(const clang::DeclStmt& stmt) {
  for (const clang::Decl* declared : stmt.decls()) {
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(declared)) {
      local_variable(*variable);
    } else if (const auto* alias =
                   llvm::dyn_cast<clang::TypedefNameDecl>(declared)) {
      evaluate_array_sizes(alias->getUnderlyingType(), alias->getLocation());
    }
  }
}

void Lowering::local_variable(const clang::VarDecl& variable) {
  if (variable.hasGlobalStorage() || variable.hasExternalStorage()) {
    unit_.global(variable);
    return;
  }
  if (variable.hasAttr<clang::CleanupAttr>()) {
    unit_.fail(variable.getLocation(),
               "the attribute 'cleanup' is not supported");
  }
  if (variable.getType()->isVariableArrayType()) {
    return variable_array(variable);
  }
  evaluate_array_sizes(variable.getType(), variable.getLocation());
  const auto [entry, added] = locals_.try_emplace(variable.getCanonicalDecl());
  if (added) entry->second = unit_.allocate(variable, function_);
  const LValue place = in_storage(entry->second, variable.getType());
  if (variable.hasInit()) {
    initialise(place, *variable.getInit());
  } else {
    uninitialised(place, variable.getLocation());
  }
}

// An array whose length is known only at run time is allocated like `alloca`.
void Lowering::variable_array(const clang::VarDecl& variable) {
  const clang::SourceLocation where = variable.getLocation();
  const Term size = size_of(variable.getType(), where);
  ir::Function routine;
  const auto [entry, added] = unit_.symbols().functions.try_emplace("alloca");
  if (added) {
    routine.name = routine.display = "alloca";
    routine.type = unit_.type(
        unit_.clang().getFunctionType(unit_.clang().VoidPtrTy,
                                      {unit_.clang().getSizeType()}, {}),
        where);
    routine.results = {unit_.type(unit_.clang().VoidPtrTy, where)};
    entry->second = unit_.program().add_function(std::move(routine));
  }
  ir::Variable pointer;
  pointer.name =
      unit_.program()[function_].name + "::" + variable.getName().str();
  pointer.display = variable.getName().str();
  pointer.kind = ir::VariableKind::Local;
  pointer.owner = function_;
  pointer.type =
      unit_.type(unit_.clang().getPointerType(
                     unit_.clang().getBaseElementType(variable.getType())),
                 where);
  const VariableId id = unit_.program().add_variable(
      std::move(pointer), term::Sort::bits(unit_.program().pointer_width()));
  unit_.program().functions[function_.index()].locals.push_back(id);
  locals_[variable.getCanonicalDecl()].pointer = id;
  ir::Call call;
  call.callee = entry->second;
  call.arguments = {size};
  call.results = {id};
  call.type = unit_.program()[entry->second].type;
  emit(std::move(call), where);
}

// Small things get an arbitrary value each; a large object is overwritten from
// an arbitrary array.
void Lowering::uninitialised(const LValue& place, clang::SourceLocation where) {
  constexpr std::uint64_t kFew = 4;
  const auto reason = ir::HavocReason::Uninitialised;
  if (place.variable.valid()) {
    return emit(ir::Havoc{place.variable, reason, {}}, where);
  }
  if (place.split != nullptr) {
    for (const VariableId part : place.split->parts) {
      emit(ir::Havoc{part, reason, {}}, where);
    }
    return;
  }
  const ir::TypeId type = unit_.type(place.type, where);
  ir::Program& program = unit_.program();
  if (count_leaves(program.types, type) <= kFew) {
    Leaves values;
    for (const Leaf& leaf : leaves_of(place.type, where)) {
      values.push_back(any(term::Sort::bits(leaf.size * 8), reason, where));
    }
    return store_record(place, values, where);
  }
  const unsigned width = program.pointer_width();
  const VariableId garbage = unit_.garbage();
  emit(ir::Havoc{garbage, reason, {}}, where);
  assign(program.memory,
         pool_.copy(memory(), place.address,
                    pool_.bits(program.types[type].size, width),
                    program[garbage].term, place.address),
         where);
}

void Lowering::if_statement(const clang::IfStmt& stmt) {
  const LocationId yes = new_location();
  const LocationId no = new_location();
  const LocationId after = stmt.getElse() == nullptr ? no : new_location();
  branch(*stmt.getCond(), yes, no);
  continue_at(yes);
  statement(*stmt.getThen());
  jump(after, stmt.getEndLoc());
  if (stmt.getElse() != nullptr) {
    continue_at(no);
    statement(*stmt.getElse());
    jump(after, stmt.getEndLoc());
  }
  continue_at(after);
}

void Lowering::while_statement(const clang::WhileStmt& stmt) {
  const LocationId head = new_location();
  const LocationId body = new_location();
  const LocationId after = new_location();
  jump(head, stmt.getBeginLoc());
  continue_at(head);
  loop_condition(*stmt.getCond(), body, after);
  continue_at(body);
  targets_.push_back({after, head});
  statement(*stmt.getBody());
  targets_.pop_back();
  jump(head, stmt.getBeginLoc());
  continue_at(after);
}

void Lowering::do_statement(const clang::DoStmt& stmt) {
  const LocationId body = new_location();
  const LocationId test = new_location();
  const LocationId after = new_location();
  jump(body, stmt.getBeginLoc());
  continue_at(body);
  targets_.push_back({after, test});
  statement(*stmt.getBody());
  targets_.pop_back();
  jump(test, stmt.getWhileLoc());
  continue_at(test);
  loop_condition(*stmt.getCond(), body, after);
  continue_at(after);
}

void Lowering::for_statement(const clang::ForStmt& stmt) {
  const LocationId head = new_location();
  const LocationId body = new_location();
  const LocationId step = new_location();
  const LocationId after = new_location();
  if (stmt.getInit() != nullptr) statement(*stmt.getInit());
  jump(head, stmt.getBeginLoc());
  continue_at(head);
  if (stmt.getCond() != nullptr) {
    loop_condition(*stmt.getCond(), body, after);
  } else {
    jump(body, stmt.getBeginLoc());
  }
  continue_at(body);
  targets_.push_back({after, step});
  statement(*stmt.getBody());
  targets_.pop_back();
  jump(step, stmt.getBeginLoc());
  continue_at(step);
  if (stmt.getInc() != nullptr) {
    targets_.emplace_back();
    effect(*stmt.getInc());
    targets_.pop_back();
  }
  jump(head, stmt.getBeginLoc());
  continue_at(after);
}

// Every label gets its location before the body is lowered, so that labels may
// stand anywhere inside it.
void Lowering::switch_statement(const clang::SwitchStmt& stmt) {
  const clang::SourceLocation where = stmt.getBeginLoc();
  const clang::Expr& subject = *stmt.getCond();
  const Term key = value(subject);
  const LocationId head = here_;
  const LocationId after = new_location();
  const bool is_signed_key = is_signed(subject.getType());
  const auto less =
      is_signed_key ? term::Kind::SLessEqual : term::Kind::ULessEqual;
  const auto constant_of = [&](const clang::Expr& expr) {
    const llvm::APSInt number = expr.EvaluateKnownConstInt(unit_.clang());
    return pool_.bits(to_bits(number.extOrTrunc(key.width())), key.width());
  };
  std::vector<const clang::SwitchCase*> labels;
  for (const clang::SwitchCase* label = stmt.getSwitchCaseList();
       label != nullptr; label = label->getNextSwitchCase()) {
    labels.push_back(label);
  }
  std::reverse(labels.begin(), labels.end());
  cases_.reserve(cases_.size() + labels.size());
  std::vector<Term> others;
  LocationId otherwise = after;
  for (const clang::SwitchCase* label : labels) {
    const LocationId target = new_location();
    cases_[label] = target;
    const auto* choice = llvm::dyn_cast<clang::CaseStmt>(label);
    if (choice == nullptr) {
      otherwise = target;
      continue;
    }
    const Term low = constant_of(*choice->getLHS());
    const Term chosen =
        choice->getRHS() == nullptr
            ? pool_.equal(key, low)
            : pool_.conjunction(
                  {pool_.binary(less, low, key),
                   pool_.binary(less, key, constant_of(*choice->getRHS()))});
    others.push_back(pool_.negation(chosen));
    edge(head, target, ir::Assume{chosen}, label->getBeginLoc());
  }
  edge(head, otherwise, ir::Assume{pool_.conjunction(others)}, where);
  stop();
  targets_.push_back(
      {after, targets_.empty() ? LocationId() : targets_.back().on_continue});
  statement(*stmt.getBody());
  targets_.pop_back();
  jump(after, stmt.getEndLoc());
  continue_at(after);
}

void Lowering::return_statement(const clang::ReturnStmt& stmt) {
  const clang::SourceLocation where = stmt.getBeginLoc();
  const clang::Expr* expr = stmt.getRetValue();
  ir::Return result;
  if (expr != nullptr && result_type_->isVoidType()) {
    effect(*expr);
  } else if (expr != nullptr && result_type_->isRecordType()) {
    result.values = record(*expr);
  } else if (expr != nullptr) {
    result.values = {value(*expr)};
  } else {
    for (const ir::TypeId type : unit_.program()[function_].results) {
      result.values.push_back(any(unit_.program().types.sort(type),
                                  ir::HavocReason::Undefined, where));
    }
  }
  edge(here_, exit_, std::move(result), where);
  stop();
}

void Lowering::fall_off_the_end(const clang::FunctionDecl& definition) {
  const clang::SourceLocation where = definition.getBodyRBrace();
  ir::Return result;
  const std::vector<ir::TypeId> types = unit_.program()[function_].results;
  for (const ir::TypeId type : types) {
    const term::Sort sort = unit_.program().types.sort(type);
    result.values.push_back(definition.isMain()
                                ? pool_.bits(0, sort.width)
                                : any(sort, ir::HavocReason::Undefined, where));
  }
  edge(here_, exit_, std::move(result), where);
}

// What it reads is evaluated; what it writes may hold anything afterwards, but
// for an empty text, which leaves what is both input and output as it is.
void Lowering::assembly(const clang::AsmStmt& stmt) {
  const auto& assembly = llvm::cast<clang::GCCAsmStmt>(stmt);
  if (assembly.isAsmGoto()) unsupported(stmt, "inline assembly with labels");
  const clang::SourceLocation where = assembly.getAsmLoc();
  const bool is_empty = assembly.getAsmString()->getString().empty();
  std::vector<LValue> changed;
  for (unsigned i = 0; i < assembly.getNumOutputs(); ++i) {
    const LValue place = settled(lvalue(*assembly.getOutputExpr(i)), where);
    if (!place.type->isScalarType()) {
      unsupported(stmt, "inline assembly with this output");
    }
    const bool keeps = is_empty && assembly.isOutputPlusConstraint(i);
    if (!keeps) changed.push_back(place);
  }
  for (const clang::Expr* input : assembly.inputs()) told(*input);
  for (const LValue& place : changed) arbitrary_output(place, where);
  if (!is_empty || !changed.empty()) {
    unit_.program().assume(
        "inline assembly",
        changed.empty() ? "taken to change no variable of the program"
                        : "taken to change its outputs only, to any values",
        unit_.position(where));
  }
}

// Pointers among the inputs, also as integers, may come out again.
void Lowering::told(const clang::Expr& input) {
  const clang::SourceLocation where = input.getBeginLoc();
  const auto pointer_sort = term::Sort::bits(unit_.program().pointer_width());
  const bool may_point =
      input.getType()->isPointerType() || input.getType()->isIntegerType();
  if (!may_point || unit_.sort(input.getType(), where) != pointer_sort) {
    return effect(input);
  }
  const Term pointer =
      input.isGLValue() ? load(lvalue(input), where) : value(input);
  assign(unit_.program().add_told(function_), pointer, where);
}

void Lowering::arbitrary_output(const LValue& place,
                                clang::SourceLocation where) {
  const term::Sort sort = unit_.sort(place.type, where);
  const bool is_bool = place.type->isBooleanType();
  const Term value =
      is_bool ? any(term::Sort::bits(1), ir::HavocReason::Unsupported, where)
              : any(sort, ir::HavocReason::Unsupported, where,
                    unit_.type(place.type, where));
  store(place, is_bool ? pool_.zero_extend(value, sort.width) : value, where);
}

}  // namespace agon::frontend
