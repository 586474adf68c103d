// SPDX-License-Identifier: Apache-2.0
#include "term/evaluate.h"

#include <tsl/robin_map.h>

#include <utility>
#include <vector>

#include "support/error.h"
#include "term/substitute.h"

namespace agon::term {
namespace {

// Everything is computed on integers and reduced modulo a power of two
// afterwards, without the arithmetic of the constructors: the tests compare
// the two. Arrays inside a term have no value of their own; a read walks along
// the writes instead, by their definition.

Integer power(unsigned exponent) { return Integer(1) << exponent; }

/// The representative below 2^width; at width 0, the number itself.
Integer wrap(const Integer& value, unsigned width) {
  if (width == 0) return value;
  Integer rest = value % power(width);
  if (rest < 0) rest += power(width);
  return rest;
}

Integer to_signed(const Integer& value, unsigned width) {
  if (width == 0 || value < power(width - 1)) return value;
  return value - power(width);
}

Integer divide(const Integer& a, const Integer& b) {
  const Integer quotient = abs(a) / abs(b);
  return (a < 0) == (b < 0) ? quotient : Integer(-quotient);
}

Integer divide_signed(const Integer& a, const Integer& b, unsigned width) {
  if (b != 0) return divide(to_signed(a, width), to_signed(b, width));
  if (width == 0) return 0;
  return to_signed(a, width) < 0 ? 1 : -1;
}

Integer remainder_signed(const Integer& a, const Integer& b, unsigned width) {
  const Integer x = to_signed(a, width);
  const Integer y = to_signed(b, width);
  return y == 0 ? x : Integer(x - divide(x, y) * y);
}

Integer shift(Kind kind, const Integer& a, const Integer& b, unsigned width) {
  const auto amount = static_cast<unsigned>(b < width ? b : Integer(width));
  if (kind == Kind::ShiftLeft) return a * power(amount);
  if (kind == Kind::ShiftRight) return a / power(amount);
  const Integer x = to_signed(a, width);
  if (x >= 0) return x / power(amount);
  return -1 - (-1 - x) / power(amount);  // Rounds down.
}

/// The value of a binary operator, not reduced to its width.
Integer apply(Kind kind, const Integer& a, const Integer& b, unsigned width) {
  switch (kind) {
    case Kind::Add:
      return a + b;
    case Kind::Subtract:
      return a - b;
    case Kind::Multiply:
      return a * b;
    case Kind::UDivide:
      return b == 0 ? Integer(-1) : Integer(a / b);
    case Kind::URemainder:
      return b == 0 ? a : Integer(a % b);
    case Kind::SDivide:
      return divide_signed(a, b, width);
    case Kind::SRemainder:
      return remainder_signed(a, b, width);
    case Kind::BitAnd:
      return a & b;
    case Kind::BitOr:
      return a | b;
    case Kind::BitXor:
      return a ^ b;
    case Kind::ShiftLeft:
    case Kind::ShiftRight:
    case Kind::ShiftRightSigned:
      return shift(kind, a, b, width);
    case Kind::ULess:
      return a < b ? 1 : 0;
    case Kind::ULessEqual:
      return a <= b ? 1 : 0;
    case Kind::SLess:
      return to_signed(a, width) < to_signed(b, width) ? 1 : 0;
    case Kind::SLessEqual:
      return to_signed(a, width) <= to_signed(b, width) ? 1 : 0;
    default:
      AGON_ASSERT(!"a binary operator");
      return 0;
  }
}

class Evaluator {
 public:
  explicit Evaluator(const Assignment& assignment) : assignment_(assignment) {}

  Value run(Term root) {
    visit_subterms(root, [this](Term term) {
      if (!term.sort().is_array()) values_.emplace(term, scalar(term));
    });
    if (root.sort().is_array()) return array(root);
    return {root.sort(), at(root), {}};
  }

 private:
  const Integer& at(Term term) const { return values_.at(term); }
  bool holds(Term term) const { return at(term) != 0; }

  Value leaf(Term term) const {
    const auto found = assignment_.find(term);
    if (found == assignment_.end()) return {term.sort(), 0, {}};
    AGON_ASSERT(found->second.sort == term.sort());
    return found->second;
  }

  Integer scalar(Term term) const;
  Integer junction(Term term) const;
  Integer read(Term term) const;
  Integer element(Term array, Integer index) const;
  Value array(Term term) const;
  void apply_write(Value& value, Term write) const;
  void apply_copy(Value& value, Term copy) const;

  const Assignment& assignment_;
  tsl::robin_map<Term, Integer> values_;
};

Integer Evaluator::junction(Term term) const {
  const bool conjunction = term.kind() == Kind::And;
  for (const Term operand : term.operands()) {
    if (holds(operand) != conjunction) return conjunction ? 0 : 1;
  }
  return conjunction ? 1 : 0;
}

Integer Evaluator::scalar(Term term) const {
  const auto arg = [&](std::size_t i) -> const Integer& {
    return at(term.operand(i));
  };
  const auto arg_width = [&](std::size_t i) { return term.operand(i).width(); };
  switch (term.kind()) {
    case Kind::Constant:
      return term.sort().is_int() ? term.integer() : Integer(term.value());
    case Kind::Variable:
    case Kind::Address:
      return leaf(term).number;
    case Kind::Not:
      return arg(0) == 0 ? 1 : 0;
    case Kind::And:
    case Kind::Or:
      return junction(term);
    case Kind::Equal:
      return arg(0) == arg(1) ? 1 : 0;
    case Kind::Ite:
      return arg(0) != 0 ? arg(1) : arg(2);
    case Kind::Negate:
      return wrap(-arg(0), term.width());
    case Kind::BitNot:
      return power(term.width()) - 1 - arg(0);
    case Kind::Concat:
      return arg(0) * power(arg_width(1)) + arg(1);
    case Kind::Extract:
      return wrap(arg(0) / power(term.low()), term.width());
    case Kind::ZeroExtend:
      return arg(0);
    case Kind::SignExtend:
      return wrap(to_signed(arg(0), arg_width(0)), term.width());
    case Kind::Read:
      return read(term);
    default:
      return wrap(apply(term.kind(), arg(0), arg(1), arg_width(0)),
                  term.width());
  }
}

Integer Evaluator::read(Term term) const {
  const Sort sort = term.operand(0).sort();
  Integer result = 0;
  for (unsigned k = term.count(); k-- > 0;) {
    const Integer index = at(term.operand(1)) + k;
    result = result * power(sort.width) +
             element(term.operand(0), wrap(index, sort.index_width));
  }
  return result;
}

Integer Evaluator::element(Term array, Integer index) const {
  const unsigned width = array.width();
  const unsigned index_width = array.sort().index_width;
  for (;;) {
    switch (array.kind()) {
      case Kind::Ite:
        array = array.operand(holds(array.operand(0)) ? 1 : 2);
        break;
      case Kind::Write: {
        const Integer k = wrap(index - at(array.operand(1)), index_width);
        if (k >= 0 && k < array.count()) {
          const auto position = static_cast<unsigned>(k) * width;
          return wrap(at(array.operand(2)) / power(position), width);
        }
        array = array.operand(0);
        break;
      }
      case Kind::Copy: {
        const Integer k = wrap(index - at(array.operand(1)), index_width);
        const bool inside = k >= 0 && k < at(array.operand(2));
        if (inside) index = wrap(at(array.operand(4)) + k, index_width);
        array = array.operand(inside ? 3 : 0);
        break;
      }
      case Kind::ConstantArray:
        return at(array.operand(0));
      default: {
        const Value value = leaf(array);
        const auto found = value.elements.find(index);
        return found == value.elements.end() ? value.number : found->second;
      }
    }
  }
}

void set(Value& value, const Integer& index, const Integer& element) {
  if (element == value.number) {
    value.elements.erase(index);
  } else {
    value.elements[index] = element;
  }
}

Integer get(const Value& value, const Integer& index) {
  const auto found = value.elements.find(index);
  return found == value.elements.end() ? value.number : found->second;
}

void Evaluator::apply_write(Value& value, Term write) const {
  const Sort sort = write.sort();
  for (unsigned k = 0; k < write.count(); ++k) {
    set(value, wrap(at(write.operand(1)) + k, sort.index_width),
        wrap(at(write.operand(2)) / power(k * sort.width), sort.width));
  }
}

// Where the defaults agree, only the exceptions need to be copied. Otherwise
// the elements inside or those outside are listed one by one.
void Evaluator::apply_copy(Value& value, Term copy) const {
  constexpr unsigned kMostListed = 1U << 20;
  const unsigned width = copy.sort().index_width;
  const Integer& start = at(copy.operand(1));
  const Integer& count = at(copy.operand(2));
  const Integer& from = at(copy.operand(4));
  const Value source = array(copy.operand(3));
  if (source.number != value.number && count <= kMostListed) {
    for (Integer k = 0; k < count; ++k) {
      set(value, wrap(start + k, width), get(source, wrap(from + k, width)));
    }
    return;
  }
  Value result{value.sort, source.number, {}};
  for (const auto& [index, element] : source.elements) {
    const Integer k = wrap(index - from, width);
    if (k >= 0 && k < count) set(result, wrap(start + k, width), element);
  }
  if (source.number == value.number) {
    for (const auto& [index, element] : value.elements) {
      const Integer k = wrap(index - start, width);
      if (k < 0 || k >= count) set(result, index, element);
    }
  } else {
    AGON_ASSERT(width != 0 && power(width) - count <= kMostListed);
    for (Integer k = count; k < power(width); ++k) {
      const Integer index = wrap(start + k, width);
      set(result, index, get(value, index));
    }
  }
  value = std::move(result);
}

Value Evaluator::array(Term term) const {
  std::vector<Term> changes;
  while (term.kind() != Kind::Variable && term.kind() != Kind::ConstantArray) {
    if (term.kind() == Kind::Ite) {
      term = term.operand(holds(term.operand(0)) ? 1 : 2);
    } else {
      changes.push_back(term);
      term = term.operand(0);
    }
  }
  Value value = term.kind() == Kind::Variable
                    ? leaf(term)
                    : Value{term.sort(), at(term.operand(0)), {}};
  while (!changes.empty()) {
    if (changes.back().kind() == Kind::Write) {
      apply_write(value, changes.back());
    } else {
      apply_copy(value, changes.back());
    }
    changes.pop_back();
  }
  return value;
}

}  // namespace

Value evaluate(Term term, const Assignment& assignment) {
  return Evaluator(assignment).run(term);
}

}  // namespace agon::term
