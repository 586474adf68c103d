// SPDX-License-Identifier: Apache-2.0
// Atomic operations, which in one thread are ordinary ones.
#include <fmt/format.h>

#include <array>

#include "frontend/lowering.h"

namespace agon::frontend {

using term::Kind;
using term::Term;

namespace {

struct NamedOperator {
  const char* name;
  std::optional<clang::BinaryOperatorKind> op;  // None: the operand itself.
};

constexpr std::array<NamedOperator, 7> kOperators{{
    {"add", clang::BO_Add},
    {"sub", clang::BO_Sub},
    {"or", clang::BO_Or},
    {"and", clang::BO_And},
    {"xor", clang::BO_Xor},
    {"nand", clang::BO_And},
    {"exchange", std::nullopt},
}};

}  // namespace

// *address = *address op operand; answers the old or the new value.
Term Lowering::exchange(Term address, Term operand,
                        std::optional<clang::BinaryOperatorKind> op, bool nand,
                        bool answer_new, clang::SourceLocation where) {
  const unsigned bytes = operand.width() / 8;
  const Term before = keep(pool_.read(memory(), address, bytes), where);
  Term after = op.has_value() ? arithmetic(*op, before, operand,
                                           unit_.clang().UnsignedIntTy, where)
                              : operand;
  if (nand) after = pool_.unary(Kind::BitNot, after);
  after = keep(after, where);
  write(address, after, where);
  return answer_new ? after : before;
}

// Answers the old value; the swap took place if it is the expected one.
Term Lowering::compare_and_swap(Term address, Term expected, Term desired,
                                clang::SourceLocation where) {
  const Term before =
      keep(pool_.read(memory(), address, expected.width() / 8), where);
  write(address, pool_.ite(pool_.equal(before, expected), desired, before),
        where);
  return before;
}

std::optional<Leaves> Lowering::sync_builtin(llvm::StringRef name,
                                             const clang::CallExpr& expr) {
  const clang::SourceLocation where = expr.getBeginLoc();
  if (name.ends_with("_thread_fence") || name.ends_with("_signal_fence")) {
    for (const clang::Expr* order : expr.arguments()) effect(*order);
    return Leaves{};
  }
  if (name == "__atomic_test_and_set" || name == "__atomic_clear") {
    const bool sets = name != "__atomic_clear";
    const Term flag_at = keep(arguments(expr).front(), where);
    const Term before = keep(pool_.read(memory(), flag_at, 1), where);
    write(flag_at, pool_.bits(sets ? 1 : 0, 8), where);
    return sets ? Leaves{flag(truth(before), expr.getType())} : Leaves{};
  }
  name.consume_front("__sync_");
  const std::size_t size = name.rfind('_');
  if (size != llvm::StringRef::npos &&
      name.drop_front(size + 1).find_first_not_of("0123456789") ==
          llvm::StringRef::npos) {
    name = name.take_front(size);
  }
  if (name == "synchronize") return Leaves{};
  std::vector<Term> values = arguments(expr);
  for (Term& each : values) each = keep(each, where);
  if (name == "lock_test_and_set") {
    return Leaves{
        exchange(values[0], values[1], std::nullopt, false, false, where)};
  }
  if (name == "lock_release") {
    const auto pointee = expr.getArg(0)->getType()->getPointeeType();
    write(values[0], bits(0, pointee), where);
    return Leaves{};
  }
  if (name == "val_compare_and_swap" || name == "bool_compare_and_swap") {
    const Term before =
        compare_and_swap(values[0], values[1], values[2], where);
    if (name.starts_with("val")) return Leaves{before};
    return Leaves{flag(pool_.equal(before, values[1]), expr.getType())};
  }
  for (const NamedOperator& named : kOperators) {
    const std::string word = named.name;
    const bool is_old = name == "fetch_and_" + word;
    if (!named.op.has_value() || (!is_old && name != word + "_and_fetch")) {
      continue;
    }
    return Leaves{exchange(values[0], values[1], named.op, word == "nand",
                           !is_old, where)};
  }
  return std::nullopt;
}

// C11's atomic_* and the __atomic_* of GNU C. The order of memory does not
// matter in one thread.
Term Lowering::atomic(const clang::AtomicExpr& expr) {
  const clang::SourceLocation where = expr.getBeginLoc();
  std::string text = expr.getOpAsString().str();
  llvm::StringRef name = text;
  const bool is_gnu = name.consume_front("__atomic_");
  if (!is_gnu && !name.consume_front("__c11_atomic_")) {
    unsupported(expr, fmt::format("'{}'", text));
  }
  const clang::QualType type = expr.getValueType().getAtomicUnqualifiedType();
  if (type->isRecordType()) unsupported(expr, fmt::format("'{}'", text));
  const Term pointer = keep(value(*expr.getPtr()), where);
  const unsigned bytes = unit_.sort(type, where).width / 8;
  // The generic ones of GNU C get their values through pointers.
  const bool is_generic =
      is_gnu && (name == "load" || name == "store" || name == "exchange" ||
                 name == "compare_exchange");
  const auto content = [&](const clang::Expr& operand) {
    const Term given = keep(value(operand), where);
    if (!is_generic) return given;
    return keep(pool_.read(memory(), given, bytes), where);
  };
  if (name == "init" || name == "store" || name == "store_n") {
    write(pointer, content(*expr.getVal1()), where);
    return {};
  }
  if (name == "load" || name == "load_n") {
    if (!is_generic) return pool_.read(memory(), pointer, bytes);
    const Term target = keep(value(*expr.getVal1()), where);
    write(target, pool_.read(memory(), pointer, bytes), where);
    return {};
  }
  if (is_generic && name == "exchange") {
    const Term after = content(*expr.getVal1());
    const Term target = keep(value(*expr.getVal2()), where);
    write(target, exchange(pointer, after, std::nullopt, false, false, where),
          where);
    return {};
  }
  if (name.starts_with("compare_exchange")) {
    const Term expected_at = keep(value(*expr.getVal1()), where);
    const Term desired = content(*expr.getVal2());
    const Term expected = keep(pool_.read(memory(), expected_at, bytes), where);
    const Term before = compare_and_swap(pointer, expected, desired, where);
    write(expected_at, before, where);
    return flag(pool_.equal(before, expected), expr.getType());
  }
  name.consume_back("_n");
  for (const NamedOperator& named : kOperators) {
    const std::string word = named.name;
    const bool is_old =
        name == "fetch_" + word || (!named.op.has_value() && name == word);
    if (!is_old && name != word + "_fetch") continue;
    Term operand = keep(value(*expr.getVal1()), where);
    operand = pool_.resize(operand, bytes * 8, true);
    if (type->isPointerType() && !is_gnu && named.op.has_value()) {
      operand = pool_.multiply(operand, size_of(type->getPointeeType(), where));
    }
    return exchange(pointer, operand, named.op, word == "nand", !is_old, where);
  }
  unsupported(expr, fmt::format("'{}'", text));
}

}  // namespace agon::frontend
