// SPDX-License-Identifier: Apache-2.0
// The compiler's built-in functions, and the few of the C library whose exact
// meaning is memory itself.
#include <clang/Basic/Builtins.h>
#include <fmt/format.h>

#include <algorithm>

#include "frontend/lowering.h"

namespace agon::frontend {

using term::Kind;
using term::Term;

namespace {

llvm::StringRef plain_name(llvm::StringRef name) {
  name.consume_front("__builtin_");
  if (name.consume_front("__")) name.consume_back("_chk");
  return name;
}

/// Numbers in, at least one of them floating, and a number out.
bool computes_with_floats(const clang::CallExpr& expr) {
  const auto is_number = [](const clang::Expr* argument) {
    return argument->getType()->isIntegralOrEnumerationType() ||
           argument->getType()->isRealFloatingType();
  };
  return is_number(&expr) && std::ranges::all_of(expr.arguments(), is_number) &&
         std::ranges::any_of(expr.arguments(), [](const clang::Expr* argument) {
           return argument->getType()->isRealFloatingType();
         });
}

/// Whether a routine is one of <math.h>, under its own name, under the
/// compiler's, or under those that its macros have in some C libraries.
bool is_of_math(const clang::FunctionDecl& callee) {
  llvm::StringRef name = callee.getName();
  if (const unsigned id = callee.getBuiltinID(); id != 0) {
    const char* const header =
        callee.getASTContext().BuiltinInfo.getHeaderName(id);
    return name.starts_with("__builtin_") ||
           (header != nullptr && llvm::StringRef(header) == "math.h");
  }
  if (!name.consume_front("__")) return false;
  if (!name.consume_back("l")) name.consume_back("f");
  return name == "isinf" || name == "isnan" || name == "finite" ||
         name == "fpclassify" || name == "signbit";
}

}  // namespace

// memcpy, memmove: both read everything before they write.
Leaves Lowering::copy_memory(const clang::CallExpr& expr) {
  const clang::SourceLocation where = expr.getBeginLoc();
  const std::vector<Term> values = arguments(expr);
  const unsigned width = unit_.program().pointer_width();
  const Term target = keep(values[0], where);
  assign(unit_.program().memory,
         pool_.copy(memory(), target, pool_.resize(values[2], width, false),
                    memory(), values[1]),
         where);
  return {target};
}

Leaves Lowering::set_memory(const clang::CallExpr& expr) {
  const clang::SourceLocation where = expr.getBeginLoc();
  const std::vector<Term> values = arguments(expr);
  const unsigned width = unit_.program().pointer_width();
  const Term target = keep(values[0], where);
  assign(unit_.program().memory,
         pool_.copy(memory(), target, pool_.resize(values[2], width, false),
                    pool_.constant_array(pool_.extract(values[1], 0, 8), width),
                    pool_.bits(0, width)),
         where);
  return {target};
}

// Computes in a width in which nothing overflows, stores, and compares.
Leaves Lowering::overflow_builtin(clang::BinaryOperatorKind op,
                                  const clang::CallExpr& expr) {
  const clang::SourceLocation where = expr.getBeginLoc();
  const std::vector<Term> values = arguments(expr);
  const clang::QualType a_type = expr.getArg(0)->getType();
  const clang::QualType b_type = expr.getArg(1)->getType();
  const clang::QualType r_type = expr.getArg(2)->getType()->getPointeeType();
  const unsigned result = unit_.sort(r_type, where).width;
  const unsigned width = std::max(
      op == clang::BO_Mul ? values[0].width() + values[1].width()
                          : std::max(values[0].width(), values[1].width()) + 2,
      result + 1);
  if (width > term::Sort::kMaxWidth) {
    unsupported(expr, "an overflow check of this width");
  }
  const Term a = pool_.resize(values[0], width, is_signed(a_type));
  const Term b = pool_.resize(values[1], width, is_signed(b_type));
  const Term exact =
      keep(arithmetic(op, a, b, unit_.clang().IntTy, where), where);
  const Term stored = pool_.extract(exact, 0, result);
  write(values[2], stored, where);
  const Term fits =
      pool_.equal(pool_.resize(stored, width, is_signed(r_type)), exact);
  return {flag(pool_.negation(fits), expr.getType())};
}

std::optional<Term> Lowering::bit_builtin(llvm::StringRef name,
                                          const clang::CallExpr& expr) {
  while (name.consume_back("l")) {
  }
  const bool known = name == "popcount" || name == "parity" || name == "clz" ||
                     name == "ctz" || name == "ffs" || name == "clrsb";
  if (!known || name == "clrsb") return std::nullopt;
  const clang::SourceLocation where = expr.getBeginLoc();
  const Term x = keep(arguments(expr).front(), where);
  const unsigned width = x.width();
  const unsigned result = unit_.sort(expr.getType(), where).width;
  const auto bit = [&](unsigned i) { return pool_.extract(x, i, 1); };
  if (name == "popcount" || name == "parity") {
    Term sum = pool_.bits(0, result);
    for (unsigned i = 0; i < width; ++i) {
      sum = pool_.add(sum, pool_.zero_extend(bit(i), result));
    }
    return name == "parity" ? pool_.bit_and(sum, pool_.bits(1, result)) : sum;
  }
  const Term is_zero = pool_.equal(x, pool_.bits(0, width));
  Term found = pool_.bits(0, result);
  for (unsigned i = 0; i < width; ++i) {
    // The last test made decides, so it must be the one nearest to the end
    // from which the function counts.
    const unsigned at = name == "clz" ? i : width - 1 - i;
    const unsigned answer = name == "clz"   ? width - 1 - at
                            : name == "ctz" ? at
                                            : at + 1;
    found = pool_.ite(truth(bit(at)), pool_.bits(answer, result), found);
  }
  return name == "ffs" ? found : guarded(found, is_zero, where);
}

// What the compiler knows without running the program.
std::optional<Leaves> Lowering::known_result(const clang::CallExpr& expr) {
  clang::Expr::EvalResult known;
  if (expr.getType()->isVoidType() ||
      !expr.EvaluateAsRValue(known, unit_.clang()) || known.HasSideEffects) {
    return std::nullopt;
  }
  const auto bits = [&](term::Bits value) {
    return pool_.bits(value,
                      unit_.sort(expr.getType(), expr.getBeginLoc()).width);
  };
  if (known.Val.isInt()) {
    return Leaves{bits(static_cast<term::Bits>(
        static_cast<term::SignedBits>(known.Val.getInt().getExtValue())))};
  }
  if (known.Val.isFloat()) {
    return Leaves{bits(to_bits(known.Val.getFloat().bitcastToAPInt()))};
  }
  return std::nullopt;
}

bool Lowering::has_own_definition(const clang::FunctionDecl& callee) const {
  if (callee.hasBody()) return true;
  const auto& functions = unit_.symbols().functions;
  const auto found = functions.find(callee.getName().str());
  return found != functions.end() && unit_.program()[found->second].has_body;
}

std::optional<Leaves> Lowering::floating_routine(
    const clang::CallExpr& expr, const clang::FunctionDecl& callee) {
  if (!computes_with_floats(expr) || !is_of_math(callee) ||
      has_own_definition(callee)) {
    return std::nullopt;
  }
  if (auto known = known_result(expr)) return known;
  for (const clang::Expr* argument : expr.arguments()) effect(*argument);
  const clang::SourceLocation where = expr.getBeginLoc();
  return Leaves{any_float(unit_.sort(expr.getType(), where), where)};
}

std::optional<Leaves> Lowering::builtin(const clang::CallExpr& expr,
                                        const clang::FunctionDecl& callee) {
  const unsigned id = callee.getBuiltinID();
  if (id == 0 || has_own_definition(callee)) return std::nullopt;
  const clang::SourceLocation where = expr.getBeginLoc();
  const bool is_compilers = callee.getName().starts_with("__");
  const llvm::StringRef name = plain_name(callee.getName());
  if (name == "memcpy" || name == "memmove") return copy_memory(expr);
  if (name == "memset") return set_memory(expr);
  if (name == "abs" || name == "labs" || name == "llabs") {
    const Term x = keep(arguments(expr).front(), where);
    return Leaves{pool_.ite(pool_.signed_less(x, pool_.bits(0, x.width())),
                            pool_.negate(x), x)};
  }
  if (!is_compilers) return std::nullopt;
  if (name == "expect" || name == "expect_with_probability" ||
      name == "assume_aligned") {
    return Leaves{arguments(expr).front()};
  }
  if (name == "unreachable") {
    emit(ir::Assume{pool_.boolean(false)}, where);
    return Leaves{};
  }
  if (name == "prefetch" || name == "va_start" || name == "va_end" ||
      name == "va_copy" || name == "assume" || name == "___clear_cache") {
    for (const clang::Expr* argument : expr.arguments()) effect(*argument);
    return Leaves{};
  }
  for (const auto& [word, op] : {std::pair{"add", clang::BO_Add},
                                 {"sub", clang::BO_Sub},
                                 {"mul", clang::BO_Mul}}) {
    const std::string prefix(word);
    for (const char* kind : {"s", "u", ""}) {
      for (const char* length : {"", "l", "ll"}) {
        if (name == kind + prefix + length + "_overflow") {
          return overflow_builtin(op, expr);
        }
      }
    }
  }
  if (const auto counted = bit_builtin(name, expr)) return Leaves{*counted};
  if (callee.getName().starts_with("__sync_") ||
      callee.getName().starts_with("__atomic_") ||
      callee.getName().starts_with("__c11_atomic_")) {
    if (auto done = sync_builtin(callee.getName(), expr)) return done;
  }
  if (name.starts_with("bswap")) {
    const Term x = keep(arguments(expr).front(), where);
    Term swapped = pool_.extract(x, 0, 8);
    for (unsigned i = 8; i < x.width(); i += 8) {
      swapped = pool_.concat(swapped, pool_.extract(x, i, 8));
    }
    return Leaves{swapped};
  }
  if (auto known = known_result(expr)) return known;
  if (name == "constant_p") return Leaves{bits(0, expr.getType())};
  if (name == "object_size" || name == "dynamic_object_size") {
    // What is not known has at most any size, or at least none.
    const bool at_least =
        expr.getArg(1)->EvaluateKnownConstInt(unit_.clang()).getZExtValue() > 1;
    return Leaves{bits(at_least ? 0 : ~std::uint64_t{0}, expr.getType())};
  }
  if (unit_.clang().BuiltinInfo.isLibFunction(id) ||
      unit_.clang().BuiltinInfo.isPredefinedLibFunction(id) || name == "trap" ||
      name == "alloca") {
    return std::nullopt;  // An ordinary routine under another name.
  }
  unsupported(expr, fmt::format("'{}'", callee.getName().str()));
}

}  // namespace agon::frontend
