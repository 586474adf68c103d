// SPDX-License-Identifier: Apache-2.0
#include "fsp/evaluate.h"

#include <fmt/format.h>

#include <limits>

#include "support/suggest.h"

namespace agon::fsp {
namespace {

using Kind = TokenKind;

/// Binary operators on numbers; false if the result does not fit or does not
/// exist. Booleans are numbers: true is 1, and any number but 0 counts as true.
bool compute(Kind op, std::int64_t a, std::int64_t b, std::int64_t& result) {
  switch (op) {
    case Kind::Plus:
      return !__builtin_add_overflow(a, b, &result);
    case Kind::Minus:
      return !__builtin_sub_overflow(a, b, &result);
    case Kind::Star:
      return !__builtin_mul_overflow(a, b, &result);
    case Kind::Slash:
    case Kind::Percent:
      if (b == 0) return false;
      if (b == -1) {  // The remainder overflows along with the quotient.
        result = 0;
        return op == Kind::Percent || !__builtin_sub_overflow(0, a, &result);
      }
      result = op == Kind::Slash ? a / b : a % b;
      return true;
    case Kind::Less2:
      return b >= 0 && b < 63 &&
             !__builtin_mul_overflow(a, std::int64_t{1} << b, &result);
    case Kind::Greater2:
      if (b < 0 || b > 63) return false;
      result = a >> b;
      return true;
    case Kind::Less:
      result = a < b;
      return true;
    case Kind::LessEqual:
      result = a <= b;
      return true;
    case Kind::Greater:
      result = a > b;
      return true;
    case Kind::GreaterEqual:
      result = a >= b;
      return true;
    case Kind::And:
      result = a & b;
      return true;
    case Kind::Caret:
      result = a ^ b;
      return true;
    case Kind::Bar:
      result = a | b;
      return true;
    case Kind::AndAnd:
      result = a != 0 && b != 0;
      return true;
    default:
      result = a != 0 || b != 0;
      return true;
  }
}

}  // namespace

Value Evaluator::value(const Expr& expr, const Scope& scope) const {
  switch (expr.kind) {
    case Expr::Kind::Number:
      return Value::of(expr.value);
    case Expr::Kind::Variable:
    case Expr::Kind::Constant:
      return named(expr, scope);
    case Expr::Kind::Label:
      return label_constant(expr, scope);
    case Expr::Kind::Cardinality:
      return Value::of(
          static_cast<std::int64_t>(all(expr.set.front(), scope).size()));
    case Expr::Kind::Element:
      return element(expr, scope);
    case Expr::Kind::Unary:
      return unary(expr, scope);
    case Expr::Kind::Chain:
      return chain(expr, scope);
  }
  return {};
}

std::int64_t Evaluator::number(const Expr& expr, const Scope& scope) const {
  return as_number(value(expr, scope), expr.offset);
}

std::int64_t Evaluator::as_number(const Value& value, Offset offset) const {
  if (value.is_label) {
    fail(offset, fmt::format("a number is needed here, but this is the label "
                             "'{}'",
                             value.label));
  }
  return value.number;
}

Value Evaluator::named(const Expr& expr, const Scope& scope) const {
  if (const Value* value = find(scope, expr.name)) return *value;
  const auto constant = globals_.constants.find(expr.name);
  if (constant != globals_.constants.end()) return constant->second;
  undefined(expr.name, expr.offset);
}

void Evaluator::undefined(const std::string& name, Offset offset) const {
  if (globals_.ranges.contains(name) || globals_.sets.contains(name)) {
    fail(offset, fmt::format("'{}' is a {}, and a value is needed here", name,
                             globals_.sets.contains(name) ? "set" : "range"));
  }
  if (name[0] < 'A' || name[0] > 'Z') {
    fail(offset, fmt::format("the variable '{}' is not bound here", name));
  }
  std::vector<std::string> known;
  for (const auto& [constant, value] : globals_.constants) {
    known.push_back(constant);
  }
  std::sort(known.begin(), known.end());
  fail(offset, fmt::format("'{}' is not defined as a constant or parameter{}",
                           name, support::did_you_mean(name, known)));
}

Value Evaluator::label_constant(const Expr& expr, const Scope& scope) const {
  std::vector<std::string> labels = all(expr.labels.front(), scope);
  if (labels.size() != 1) {
    fail(expr.offset, fmt::format("this denotes {} labels, and a value has to "
                                  "be a single one",
                                  labels.size()));
  }
  return Value::of_label(std::move(labels.front()));
}

Value Evaluator::element(const Expr& expr, const Scope& scope) const {
  std::vector<std::string> labels = all(expr.set.front(), scope);
  const std::int64_t index = number(expr.operands.front(), scope);
  if (index < 0 || static_cast<std::uint64_t>(index) >= labels.size()) {
    fail(expr.operands.front().offset,
         fmt::format("the index {} is out of range: the set has {} elements",
                     index, labels.size()));
  }
  return Value::of_label(std::move(labels[static_cast<std::size_t>(index)]));
}

Value Evaluator::unary(const Expr& expr, const Scope& scope) const {
  const std::int64_t operand = number(expr.operands.front(), scope);
  switch (expr.operators.front().kind) {
    case Kind::Not:  // As in LTSA, where a negative number is not true here.
      return Value::of(operand <= 0 ? 1 : 0);
    case Kind::Minus:
      if (operand == std::numeric_limits<std::int64_t>::min()) {
        fail(expr.offset, "this number is too large");
      }
      return Value::of(-operand);
    default:
      return Value::of(operand);
  }
}

Value Evaluator::chain(const Expr& expr, const Scope& scope) const {
  Value result = value(expr.operands.front(), scope);
  for (std::size_t i = 0; i < expr.operators.size(); ++i) {
    const Operator& op = expr.operators[i];
    if (op.kind == Kind::AndAnd && as_number(result, op.offset) == 0) {
      return Value::of(0);
    }
    if (op.kind == Kind::BarBar && as_number(result, op.offset) != 0) {
      return Value::of(1);
    }
    result = apply(op, result, value(expr.operands[i + 1], scope));
  }
  return result;
}

Value Evaluator::apply(const Operator& op, const Value& left,
                       const Value& right) const {
  if (op.kind == Kind::EqualEqual || op.kind == Kind::NotEqual) {
    const bool equal = left.text() == right.text();
    return Value::of(equal == (op.kind == Kind::EqualEqual));
  }
  std::int64_t result = 0;
  const std::int64_t a = as_number(left, op.offset);
  const std::int64_t b = as_number(right, op.offset);
  if (compute(op.kind, a, b, result)) return Value::of(result);
  if (b == 0 && (op.kind == Kind::Slash || op.kind == Kind::Percent)) {
    fail(op.offset, "this divides by zero");
  }
  if (op.kind == Kind::Greater2 || (op.kind == Kind::Less2 && b < 0)) {
    fail(op.offset, fmt::format("a number cannot be shifted by {} bits", b));
  }
  fail(op.offset, "the result of this operation is too large");
}

Globals evaluate_globals(const File& file, const support::Source& source,
                         Budget& budget) {
  Globals globals;
  const Evaluator evaluator(source, globals, budget);
  for (const ValueDef& def : file.values) {
    if (def.kind == ValueDef::Kind::Constant) {
      globals.constants[def.name] = evaluator.value(def.operands[0], nullptr);
    } else if (def.kind == ValueDef::Kind::Range) {
      const std::int64_t low = evaluator.number(def.operands[0], nullptr);
      const std::int64_t high = evaluator.number(def.operands[1], nullptr);
      if (low > high) {
        source.fail(def.offset,
                    fmt::format("the range {}..{} is empty", low, high));
      }
      globals.ranges[def.name] = {low, high};
    } else {
      globals.sets[def.name] = evaluator.all(def.set, nullptr);
    }
  }
  return globals;
}

}  // namespace agon::fsp
