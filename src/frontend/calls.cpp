// SPDX-License-Identifier: Apache-2.0
#include <clang/AST/Attr.h>
#include <clang/Basic/Builtins.h>
#include <fmt/format.h>

#include "frontend/formats.h"
#include "frontend/lowering.h"
#include "ir/routines.h"

namespace agon::frontend {

using ir::LocationId;
using ir::VariableId;
using term::Term;

std::vector<Term> Lowering::arguments(const clang::CallExpr& expr) {
  std::vector<Term> values;
  const unsigned count = expr.getNumArgs();
  unsigned last_effect = 0;  // One past the last argument with side effects.
  for (unsigned i = 0; i < count; ++i) {
    if (has_effects(*expr.getArg(i))) last_effect = i + 1;
  }
  if (last_effect != 0) note_order({expr.arg_begin(), expr.arg_end()});
  for (unsigned i = 0; i < count; ++i) {
    const clang::Expr& argument = *expr.getArg(i);
    const Leaves parts = argument.getType()->isRecordType()
                             ? record(argument)
                             : Leaves{value(argument)};
    for (const Term part : parts) {
      values.push_back(i + 1 < last_effect ? keep(part, argument.getBeginLoc())
                                           : part);
    }
  }
  return values;
}

// Without a prototype, or with a wrong one, the arguments of a call may differ
// from the parameters of the function.
void Lowering::adapt(ir::Call& call, clang::SourceLocation where) {
  if (!unit_.program()[call.callee].has_body) return;
  const std::vector<VariableId> parameters =
      unit_.program()[call.callee].parameters;
  const std::size_t given = call.arguments.size();
  const ir::TypeId type = unit_.program()[call.callee].type;
  const bool takes_more = type.valid() && unit_.info(type).is_variadic;
  if (!takes_more || given < parameters.size()) {
    call.arguments.resize(parameters.size());
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const term::Sort sort = unit_.program()[parameters[i]].term.sort();
    if (i >= given) {
      call.arguments[i] = any(sort, ir::HavocReason::Undefined, where);
    } else if (call.arguments[i].sort() != sort &&
               unit_.program()[parameters[i]].type.valid() &&
               unit_.info(unit_.program()[parameters[i]].type).kind ==
                   ir::TypeKind::Float) {
      // A definition in the old style takes a double for its float.
      call.arguments[i] = any_float(sort, where);
    } else if (call.arguments[i].sort() != sort) {
      call.arguments[i] = pool_.resize(call.arguments[i], sort.width, true);
    }
  }
}

// Gives the results variables of the widths that the callee has, and answers
// values of the widths that the caller expects.
Leaves Lowering::emit_call(ir::Call call, clang::QualType result,
                           clang::SourceLocation where) {
  const ir::Program& program = unit_.program();
  std::vector<unsigned> expected;
  if (!result->isVoidType()) {
    for (const Leaf& leaf : leaves_of(result, where)) {
      expected.push_back(leaf.size * 8);
    }
  }
  std::vector<unsigned> delivered = expected;
  if (call.callee.valid()) {
    delivered.clear();
    for (const ir::TypeId type : program[call.callee].results) {
      delivered.push_back(program.types.sort(type).width);
    }
  }
  if (delivered.size() != expected.size() && !delivered.empty() &&
      !expected.empty()) {
    unit_.fail(where, fmt::format("'{}' returns a value of another type",
                                  program[call.callee].display));
  }
  const bool is_noreturn =
      call.callee.valid() && program[call.callee].is_noreturn;
  const ir::TypeId result_type =
      expected.size() == 1 ? unit_.type(result, where) : ir::TypeId();
  if (delivered.size() == expected.size() && !is_noreturn) {
    for (const unsigned width : delivered) {
      call.results.push_back(temporary(term::Sort::bits(width), result_type));
    }
  }
  const std::vector<VariableId> results = call.results;
  emit(std::move(call), where);
  if (is_noreturn) stop();
  Leaves values;
  const auto anything = [&](unsigned width) {
    return any(term::Sort::bits(width), ir::HavocReason::Undefined, where);
  };
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (results.empty()) {
      values.push_back(anything(expected[i]));
    } else if (expected[i] > delivered[i]) {
      values.push_back(pool_.concat(anything(expected[i] - delivered[i]),
                                    program[results[i]].term));
    } else {
      values.push_back(
          pool_.resize(program[results[i]].term, expected[i], false));
    }
  }
  return values;
}

// An allocation that may fail is not made where it does: realloc then leaves
// everything as it is. If the allocator has events, a function that does
// nothing is called in its place, so that they can be put around it.
Leaves Lowering::emit_allocation(ir::Call call, const std::string& failure,
                                 clang::QualType type,
                                 clang::SourceLocation where) {
  const clang::QualType number = unit_.clang().IntTy;
  const VariableId fails =
      temporary(unit_.sort(number, where), unit_.type(number, where));
  emit(ir::Havoc{fails, ir::HavocReason::Input, failure}, where);
  const VariableId result =
      temporary(unit_.sort(type, where), unit_.type(type, where));
  const LocationId good = new_location();
  const LocationId bad = new_location();
  const LocationId after = new_location();
  const Term succeeds =
      pool_.equal(unit_.program()[fails].term, bits(0, number));
  edge(here_, good, ir::Assume{succeeds}, where);
  edge(here_, bad, ir::Assume{pool_.negation(succeeds)}, where);
  ir::Call failed = call;
  continue_at(good);
  assign(result, emit_call(std::move(call), type, where).front(), where);
  jump(after, where);
  continue_at(bad);
  if (unit_.symbols().described.contains(unit_.program()[failed.callee].name)) {
    failed.callee = unit_.failing(failed.callee);
    adapt(failed, where);
    assign(result, emit_call(std::move(failed), type, where).front(), where);
  } else {
    assign(result, bits(0, type), where);
  }
  jump(after, where);
  continue_at(after);
  return {unit_.program()[result].term};
}

Leaves Lowering::call(const clang::CallExpr& expr) {
  const clang::SourceLocation where = expr.getBeginLoc();
  const clang::FunctionDecl* callee = expr.getDirectCallee();
  if (constants_only_) {
    clang::Expr::EvalResult known;
    if (expr.EvaluateAsRValue(known, unit_.clang()) && known.Val.isInt()) {
      return {pool_.bits(known.Val.getInt().getZExtValue(),
                         unit_.sort(expr.getType(), where).width)};
    }
  }
  ir::Call lowered;
  if (callee != nullptr && callee->getIdentifier() != nullptr) {
    llvm::StringRef name = callee->getName();
    name.consume_front("__builtin_");
    const auto& described = unit_.symbols().described;
    if (described.empty() || !described.contains(name.str())) {
      if (auto handled = special_routine(expr, *callee)) return *handled;
      if (auto handled = floating_routine(expr, *callee)) return *handled;
      if (auto handled = builtin(expr, *callee)) return *handled;
    }
    lowered.callee = unit_.function(*callee);
    check_format(expr, lowered.callee);
    lowered.arguments = arguments(expr);
    adapt(lowered, where);
  } else {
    const Term target = value(*expr.getCallee());
    bool arguments_have_effects = false;
    for (const clang::Expr* argument : expr.arguments()) {
      arguments_have_effects |= has_effects(*argument);
      note_order(*expr.getCallee(), *argument);
    }
    lowered.pointer = arguments_have_effects ? keep(target, where) : target;
    lowered.arguments = arguments(expr);
  }
  clang::QualType type = expr.getCallee()->getType();
  if (const auto* pointer = type->getAs<clang::PointerType>()) {
    type = pointer->getPointeeType();
  }
  lowered.type =
      unit_.type(type->isFunctionType() ? type : callee->getType(), where);
  if (lowered.callee.valid()) {
    if (const auto failure = unit_.failure_of(lowered.callee)) {
      return emit_allocation(std::move(lowered), *failure, expr.getType(),
                             where);
    }
  }
  return emit_call(std::move(lowered), expr.getType(), where);
}

// Such routines are known to write nothing else.
void Lowering::check_format(const clang::CallExpr& expr,
                            ir::FunctionId callee) {
  const ir::Function& routine = unit_.program()[callee];
  if (routine.has_body || unit_.symbols().described.contains(routine.name)) {
    return;
  }
  const FormatWrites writes = format_writes(expr);
  if (writes == FormatWrites::Characters) {
    unsupported(expr, "a format with '%n'");
  }
  if (writes == FormatWrites::Unclear) {
    unit_.program().assume("formats",
                           "those that are not written where they are used "
                           "have no '%n'",
                           unit_.position(expr.getBeginLoc()));
  }
}

Leaves Lowering::nondeterministic(const clang::CallExpr& expr,
                                  const std::string& routine) {
  const clang::SourceLocation where = expr.getBeginLoc();
  for (const clang::Expr* argument : expr.arguments()) effect(*argument);
  if (expr.getType()->isVoidType()) return {};
  const unsigned width = unit_.sort(expr.getType(), where).width;
  if (routine == "__VERIFIER_nondet_bool" ||
      routine == "__VERIFIER_nondet__Bool" || expr.getType()->isBooleanType()) {
    const VariableId bit = temporary(term::Sort::bits(1));
    emit(ir::Havoc{bit, ir::HavocReason::Input, routine}, where);
    return {pool_.zero_extend(unit_.program()[bit].term, width)};
  }
  const VariableId target =
      temporary(term::Sort::bits(width), unit_.type(expr.getType(), where));
  emit(ir::Havoc{target, ir::HavocReason::Input, routine}, where);
  return {unit_.program()[target].term};
}

// `assert` as a function, which old code declares itself.
void Lowering::failed_assertion(const clang::CallExpr& expr) {
  const LocationId bad = new_location();
  const LocationId good = new_location();
  branch(*expr.getArg(0), good, bad);
  continue_at(bad);
  ir::Call call;
  call.callee = unit_.failure("__assert_fail", expr.getBeginLoc());
  call.type = unit_.program()[call.callee].type;
  emit(std::move(call), expr.getBeginLoc());
  continue_at(good);
}

std::optional<Leaves> Lowering::special_routine(
    const clang::CallExpr& expr, const clang::FunctionDecl& callee) {
  const llvm::StringRef name = callee.getName();
  const clang::SourceLocation where = expr.getBeginLoc();
  const bool has_body = callee.hasBody();
  // An input holds no address. What may hold one is left to a call, which the
  // analysis takes to know what code outside knows.
  const bool is_any = name.starts_with("__agon_any_") &&
                      !expr.getType()->isPointerType() &&
                      !expr.getType()->isRecordType();
  if ((name.starts_with("__VERIFIER_nondet_") || is_any) && !has_body) {
    return nondeterministic(expr, name.str());
  }
  if ((name == "__VERIFIER_assume" || name == "__agon_assume") &&
      expr.getNumArgs() == 1) {
    const Term holds = condition(*expr.getArg(0));
    emit(ir::Assume{holds}, where);
    return Leaves{};
  }
  if (name == "assert" && !has_body && expr.getNumArgs() == 1) {
    failed_assertion(expr);
    Leaves none;
    if (!expr.getType()->isVoidType()) none = {bits(0, expr.getType())};
    return none;
  }
  if (!has_body && expr.getNumArgs() == 0 &&
      (name == "__errno_location" || name == "__error")) {
    return Leaves{unit_.program()[unit_.error_number(where)].address};
  }
  if (!has_body &&
      (name == "setjmp" || name == "_setjmp" || name == "sigsetjmp" ||
       name == "__sigsetjmp" || name == "longjmp" || name == "siglongjmp" ||
       name == "vfork" || name == "getcontext" || name == "setcontext" ||
       name == "swapcontext" || callee.hasAttr<clang::ReturnsTwiceAttr>())) {
    unsupported(expr, fmt::format("'{}'", name.str()));
  }
  return std::nullopt;
}

}  // namespace agon::frontend
