// SPDX-License-Identifier: Apache-2.0
#include "analysis/integer_terms.h"

#include "support/error.h"
#include "term/substitute.h"

namespace agon::analysis {

using term::Bits;
using term::Integer;
using term::Kind;
using term::Sort;
using term::Term;

namespace {

bool has_top_bit(Term constant) {
  return (constant.value() >> (constant.width() - 1) & 1) != 0;
}

Integer constant_as(Term constant, Reading reading) {
  if (reading == Reading::Unsigned || !has_top_bit(constant)) {
    return Integer(constant.value());
  }
  return Integer(constant.value()) - (Integer(1) << constant.width());
}

}  // namespace

IntegerTerms::IntegerTerms(const ir::Program& machine,
                           const ir::Program& integers,
                           std::vector<Reading> readings)
    : machine_(machine),
      integers_(integers),
      pool_(*integers.pool),
      readings_(std::move(readings)) {}

Term IntegerTerms::translate(Term root, Reading reading, const Any& any) {
  term::visit_subterms(root, [&](Term term) { enter(term, any); });
  if (root.sort().is_bool()) return terms_.at(root);
  if (root.sort().is_array()) return array_as(root, reading);
  return as(root, reading);
}

void IntegerTerms::forget() {
  terms_.clear();
  numbers_.clear();
  ranges_.clear();
}

void IntegerTerms::enter(Term term, const Any& any) {
  if (terms_.contains(term) || numbers_.contains(term)) return;
  if (term.sort().is_bool()) {
    terms_.emplace(term, boolean(term));
  } else if (term.sort().is_array()) {
    // The reading of a constant array is that of the array it is used with.
    if (term.kind() != Kind::ConstantArray) terms_.emplace(term, array(term));
  } else if (!term.is_constant()) {
    numbers_.emplace(term, number(term, any));
  }
}

IntegerTerms::Number IntegerTerms::of(Term term) const {
  if (!term.is_constant()) return numbers_.at(term);
  return {pool_.integer(constant_as(term, Reading::Signed)),
          has_top_bit(term) ? Reading::Signed : Reading::Either};
}

Term IntegerTerms::as(Term term, Reading reading) {
  if (term.is_constant()) return pool_.integer(constant_as(term, reading));
  return adapt(numbers_.at(term), term.width(), reading);
}

Term IntegerTerms::adapt(const Number& number, unsigned width,
                         Reading reading) {
  const Term x = number.term;
  if (number.reading == reading || number.reading == Reading::Either ||
      reading == Reading::Either) {
    return x;
  }
  if (reading == Reading::Unsigned) {
    return pool_.ite(pool_.signed_less(x, pool_.integer(0)),
                     pool_.add(x, power(width)), x);
  }
  return pool_.ite(pool_.signed_less(x, power(width - 1)), x,
                   pool_.subtract(x, power(width)));
}

/// How C reads what is computed from both: without a sign if one has none.
Reading IntegerTerms::common(Term a, Term b) const {
  const auto is_unsigned = [&](Term term) {
    return !term.is_constant() &&
           numbers_.at(term).reading == Reading::Unsigned;
  };
  return is_unsigned(a) || is_unsigned(b) ? Reading::Unsigned : Reading::Signed;
}

Term IntegerTerms::power(unsigned exponent) {
  return pool_.integer(Integer(1) << exponent);
}

Term IntegerTerms::in_range(Term integer, unsigned width, Reading reading) {
  const bool is_signed = reading == Reading::Signed;
  const Integer end = Integer(1) << (is_signed ? width - 1 : width);
  const Integer least = is_signed ? Integer(-end) : Integer(0);
  return pool_.conjunction(
      {pool_.binary(Kind::SLessEqual, pool_.integer(least), integer),
       pool_.signed_less(integer, pool_.integer(end))});
}

Term IntegerTerms::boolean(Term term) {
  if (term.is_constant()) return pool_.boolean(term.is_true());
  switch (term.kind()) {
    case Kind::Variable:
      return integers_[machine_.variable_of(term)].term;
    case Kind::ULess:
    case Kind::ULessEqual:
    case Kind::SLess:
    case Kind::SLessEqual: {
      const bool is_signed =
          term.kind() == Kind::SLess || term.kind() == Kind::SLessEqual;
      const bool is_strict =
          term.kind() == Kind::ULess || term.kind() == Kind::SLess;
      const Reading reading = is_signed ? Reading::Signed : Reading::Unsigned;
      return pool_.binary(is_strict ? Kind::SLess : Kind::SLessEqual,
                          as(term.operand(0), reading),
                          as(term.operand(1), reading));
    }
    case Kind::Equal:
      if (!term.operand(0).sort().is_bool()) {
        return equal(term.operand(0), term.operand(1));
      }
      break;
    default:
      break;
  }
  std::vector<Term> operands;
  for (const Term operand : term.operands()) {
    operands.push_back(terms_.at(operand));
  }
  return pool_.rebuild(term, operands);
}

Term IntegerTerms::equal(Term a, Term b) {
  const Reading reading = common(a, b);
  return pool_.equal(as(a, reading), as(b, reading));
}

IntegerTerms::Number IntegerTerms::number(Term term, const Any& any) {
  const auto operand = [&](std::size_t i) { return term.operand(i); };
  switch (term.kind()) {
    case Kind::Variable: {
      const ir::VariableId id = machine_.variable_of(term);
      return {integers_[id].term, readings_[id.index()]};
    }
    case Kind::Address:
      return {pool_.address(term.name(), 0), Reading::Unsigned};
    case Kind::Ite:
      return choice(term);
    case Kind::Negate:
    case Kind::Add:
    case Kind::Subtract:
    case Kind::Multiply:
      return sum(term);
    case Kind::UDivide:
    case Kind::URemainder:
    case Kind::SDivide:
    case Kind::SRemainder:
      return division(term);
    case Kind::ShiftLeft:
    case Kind::ShiftRight:
    case Kind::ShiftRightSigned:
      return shift(term, any);
    case Kind::BitNot:
    case Kind::BitAnd:
    case Kind::BitOr:
    case Kind::BitXor:
      return bitwise(term, any);
    case Kind::Concat:
      return {pool_.add(pool_.multiply(as(operand(0), Reading::Unsigned),
                                       power(operand(1).width())),
                        as(operand(1), Reading::Unsigned)),
              Reading::Unsigned};
    case Kind::Extract:
      return extract(of(operand(0)), operand(0).width(), term.low(),
                     term.width());
    case Kind::ZeroExtend:
      return {as(operand(0), Reading::Unsigned), Reading::Either};
    case Kind::SignExtend:
      return {as(operand(0), Reading::Signed), Reading::Signed};
    default:
      AGON_ASSERT(term.kind() == Kind::Read);
      return read(term);
  }
}

// The constant of a sum is the smaller number: `x - 1` is kept as a sum with
// all bits set. But `UINT_MAX - x` is what it looks like.
IntegerTerms::Number IntegerTerms::sum(Term term) {
  const Term a = term.operand(0);
  if (term.kind() == Kind::Negate) {
    return {pool_.negate(of(a).term), Reading::Signed};
  }
  const Term b = term.operand(1);
  const Reading reading = common(a, b);
  const Term first = term.kind() == Kind::Subtract && a.is_constant()
                         ? as(a, reading)
                         : of(a).term;
  return {pool_.binary(term.kind(), first, of(b).term), reading};
}

IntegerTerms::Number IntegerTerms::choice(Term term) {
  const Term a = term.operand(1);
  const Term b = term.operand(2);
  const bool is_either =
      of(a).reading == Reading::Either && of(b).reading == Reading::Either;
  const Reading reading = is_either ? Reading::Either : common(a, b);
  return {pool_.ite(terms_.at(term.operand(0)), as(a, reading), as(b, reading)),
          reading};
}

IntegerTerms::Number IntegerTerms::division(Term term) {
  const bool is_signed =
      term.kind() == Kind::SDivide || term.kind() == Kind::SRemainder;
  const bool is_quotient =
      term.kind() == Kind::SDivide || term.kind() == Kind::UDivide;
  const Reading reading = is_signed ? Reading::Signed : Reading::Unsigned;
  return {
      pool_.binary(is_quotient ? Kind::SDivide : Kind::SRemainder,
                   as(term.operand(0), reading), as(term.operand(1), reading)),
      reading};
}

IntegerTerms::Number IntegerTerms::shift(Term term, const Any& any) {
  if (!term.operand(1).is_constant()) return {any(term), Reading::Signed};
  const Term a = term.operand(0);
  const auto amount = static_cast<unsigned>(term.operand(1).value());
  if (term.kind() == Kind::ShiftLeft) {
    return {pool_.multiply(of(a).term, power(amount)), common(a, a)};
  }
  const Reading reading =
      term.kind() == Kind::ShiftRight ? Reading::Unsigned : Reading::Signed;
  return {quotient({as(a, reading), reading}, amount),
          reading == Reading::Signed ? reading : Reading::Either};
}

/// Rounds down.
Term IntegerTerms::quotient(const Number& number, unsigned bits) {
  const auto divided = [&](Term x) {
    return pool_.binary(Kind::SDivide, x, power(bits));
  };
  if (bits == 0 || number.reading != Reading::Signed) {
    return divided(number.term);
  }
  const Term all = pool_.integer(-1);
  return pool_.ite(
      pool_.signed_less(number.term, pool_.integer(0)),
      pool_.subtract(all, divided(pool_.subtract(all, number.term))),
      divided(number.term));
}

/// Never negative.
Term IntegerTerms::remainder(const Number& number, unsigned bits) {
  const Term rest = pool_.binary(Kind::SRemainder, number.term, power(bits));
  if (number.reading != Reading::Signed) return rest;
  return pool_.ite(pool_.signed_less(rest, pool_.integer(0)),
                   pool_.add(rest, power(bits)), rest);
}

IntegerTerms::Number IntegerTerms::extract(const Number& number, unsigned width,
                                           unsigned low, unsigned count) {
  const Number shifted{low == 0 ? number.term : quotient(number, low),
                       number.reading};
  const bool is_rest =
      low + count == width && number.reading != Reading::Signed;
  return {is_rest ? shifted.term : remainder(shifted, count),
          Reading::Unsigned};
}

/// The bits of a mask whose highest bit is 0; none if they are scattered.
Term IntegerTerms::masked(const Number& number, unsigned width, Bits mask) {
  constexpr int kMostRuns = 4;
  Term result = pool_.integer(0);
  unsigned low = 0;
  for (int runs = 0; mask >> low != 0; ++runs) {
    if (runs == kMostRuns) return {};
    while ((mask >> low & 1) == 0) ++low;
    unsigned end = low;
    while ((mask >> end & 1) != 0) ++end;
    result = pool_.add(
        result, pool_.multiply(extract(number, width, low, end - low).term,
                               power(low)));
    low = end;
  }
  return result;
}

// With a mask m whose highest bit is 0, and ~x as the reading has it:
//   x & m                     x & ~m = x - (x & m)
//   x | m = x + m - (x & m)   x | ~m = ~(~x & m)
//   x ^ m = x + m - 2(x & m)  x ^ ~m = ~(x ^ m)
IntegerTerms::Number IntegerTerms::bitwise(Term term, const Any& any) {
  const unsigned width = term.width();
  const Reading reading = common(term.operand(0), term.operand(0));
  const Term all = reading == Reading::Signed
                       ? pool_.integer(-1)
                       : pool_.add(power(width), pool_.integer(-1));
  const auto complement = [&](Term a) { return pool_.subtract(all, a); };
  const Term x = of(term.operand(0)).term;
  if (term.kind() == Kind::BitNot) return {complement(x), reading};
  const Term constant = term.operand(1);
  if (!constant.is_constant()) return {any(term), Reading::Signed};
  const bool is_high = has_top_bit(constant);
  const Bits mask =
      is_high ? term::truncate(~constant.value(), width) : constant.value();
  const bool is_turned = is_high && term.kind() == Kind::BitOr;
  const Term part =
      masked({is_turned ? complement(x) : x, reading}, width, mask);
  if (!part.valid()) return {any(term), Reading::Signed};
  if (is_turned) return {complement(part), reading};
  if (term.kind() == Kind::BitAnd) {
    return is_high ? Number{pool_.subtract(x, part), reading}
                   : Number{part, Reading::Either};
  }
  const Term either =
      pool_.subtract(pool_.add(x, pool_.integer(Integer(mask))), part);
  if (term.kind() == Kind::BitOr) return {either, reading};
  const Term one = pool_.subtract(either, part);
  return {is_high ? complement(one) : one, reading};
}

Reading IntegerTerms::elements_of(Term array) const {
  for (;;) {
    switch (array.kind()) {
      case Kind::Write:
      case Kind::Copy:
        array = array.operand(0);
        break;
      case Kind::Ite:
        array = array.operand(
            array.operand(1).kind() == Kind::ConstantArray ? 2 : 1);
        break;
      case Kind::ConstantArray:
        return Reading::Signed;
      default:
        return readings_[machine_.variable_of(array).index()];
    }
  }
}

Term IntegerTerms::array_as(Term term, Reading reading) {
  if (term.kind() != Kind::ConstantArray) return terms_.at(term);
  return pool_.constant_array(as(term.operand(0), reading), 0);
}

Term IntegerTerms::array(Term term) {
  const Reading reading = elements_of(term);
  switch (term.kind()) {
    case Kind::Write:
      return write(term);
    case Kind::Copy:
      return pool_.copy(array_as(term.operand(0), reading),
                        as(term.operand(1), Reading::Unsigned),
                        as(term.operand(2), Reading::Unsigned),
                        array_as(term.operand(3), reading),
                        as(term.operand(4), Reading::Unsigned));
    case Kind::Ite:
      return pool_.ite(terms_.at(term.operand(0)),
                       array_as(term.operand(1), reading),
                       array_as(term.operand(2), reading));
    default:
      return integers_[machine_.variable_of(term)].term;
  }
}

IntegerTerms::Number IntegerTerms::read(Term term) {
  const Reading reading = elements_of(term.operand(0));
  const Term array = array_as(term.operand(0), reading);
  const Term index = as(term.operand(1), Reading::Unsigned);
  const unsigned width = term.operand(0).width();
  Term result;
  for (unsigned k = 0; k < term.count(); ++k) {
    const Term element = pool_.read(array, pool_.add(index, pool_.integer(k)));
    if (element.kind() == Kind::Read) {
      ranges_.push_back(in_range(element, width, reading));
    }
    if (term.count() == 1) return {element, reading};
    const Term part = pool_.multiply(
        adapt({element, reading}, width, Reading::Unsigned), power(k * width));
    result = k == 0 ? part : pool_.add(result, part);
  }
  return {result, Reading::Unsigned};
}

Term IntegerTerms::write(Term term) {
  const Reading reading = elements_of(term);
  const Term index = as(term.operand(1), Reading::Unsigned);
  const Term value = term.operand(2);
  const unsigned width = term.width();
  Term array = array_as(term.operand(0), reading);
  if (term.count() == 1) {
    return pool_.write(array, index, as(value, reading));
  }
  for (unsigned k = 0; k < term.count(); ++k) {
    const Number part = extract(of(value), value.width(), k * width, width);
    array = pool_.write(array, pool_.add(index, pool_.integer(k)),
                        adapt(part, width, reading));
  }
  return array;
}

}  // namespace agon::analysis
