// SPDX-License-Identifier: Apache-2.0
#include "term/print_c.h"

#include <utility>

#include "support/error.h"
#include "term/c_text.h"
#include "term/fold.h"
#include "term/rules.h"

namespace agon::term {
namespace {

using c::Precedence;
using c::Range;
using c::Text;

// Each subterm becomes an expression that is right modulo 2^width. Only the
// operators that look at a number as a whole - orders, division, shifts to the
// right, extension - ask for more, and add a cast where C's type does not give
// it. Without that, promotion would make `c + 1 == 0` false for a char of 255.

constexpr unsigned kDeepest = 100;
constexpr unsigned kMostNodes = 2000;

Text condition(std::string text, Precedence precedence) {
  return {std::move(text), precedence, {32, true}, {1, false}};
}

class Printer {
 public:
  explicit Printer(const CStyle& style) : style_(style) {}

  Text print(Term term) {
    if (depth_ == kDeepest || nodes_ == kMostNodes) return cut(term);
    ++nodes_;
    ++depth_;
    Text text = described(term);
    if (text.text.empty()) text = compose(term);
    --depth_;
    return text;
  }

 private:
  static Range own_range(Term term, bool is_signed = true) {
    if (term.sort().is_bool()) return {1, false};
    if (term.sort().is_int()) return {0, true};
    return {term.width(), is_signed};
  }

  static Text atom(std::string text, Range range,
                   Precedence precedence = c::kPostfix) {
    return {std::move(text), precedence, c::promote(range), range};
  }

  static Text cut(Term term) { return atom("...", own_range(term)); }

  bool is_unsigned(Term term) const {
    return style_.is_unsigned && style_.is_unsigned(term);
  }

  Text described(Term term) const {
    const Kind kind = term.kind();
    if (!style_.describe || (kind != Kind::Variable && kind != Kind::Address &&
                             kind != Kind::Read)) {
      return {};
    }
    return atom(style_.describe(term), own_range(term, !is_unsigned(term)));
  }

  Text compose(Term term);
  Text negated(Term a);
  Text junction(Term term);
  Text equation(Term term, bool holds);
  Text order(Term term);
  Text choice(Term term);
  Text prefix(Term term);
  Text sum(Term term);
  Text arithmetic(Term term, const char* symbol, Precedence precedence);
  Text division(Term term);
  Text bitwise(Term term);
  Text shift_left(Term a, Text amount, unsigned width);
  Text shift_right(Term term);
  Text concat(Term term);
  Text extract(Term term);
  Text read(Term term);
  Text call(std::string name, Term term);

  /// A constant or another term, where constants are to be read in a sense.
  Text operand(Term term, bool is_signed, bool hexadecimal = false) {
    if (!term.is_constant() || term.sort().is_bool()) return print(term);
    if (term.sort().is_int()) {
      Text text = c::literal(term.integer(), true);
      text.type = text.range = {0, true};
      return text;
    }
    if (!is_signed) return c::literal(Integer(term.value()), false);
    return c::literal(Integer(as_signed(term.value(), term.width())), true,
                      hexadecimal);
  }

  /// Operands of one expression.
  struct Both {
    Text a;
    Text b;
    Range type() const { return c::common(a.type, b.type); }
  };

  /// Both operands, at least one in a type of the term's width, so that C
  /// computes with enough bits.
  Both wide_operands(Term term, bool is_signed) {
    Both both{operand(term.operand(0), is_signed),
              operand(term.operand(1), is_signed)};
    if (both.type().width < term.width()) widen(both.a, term.width());
    return both;
  }

  static void widen(Text& text, unsigned width) {
    const Range to = c::promote({width, text.range.is_signed});
    if (text.type.width < to.width) text = c::cast(text, to);
  }

  static void make_exact(Text& text, unsigned width, bool is_signed) {
    if (width == 0 || c::is_exact(text.range, width, is_signed)) return;
    text = c::cast(text, {width, is_signed});
  }

  static void make_exact(Both& both, unsigned width, bool is_signed);

  const CStyle& style_;
  unsigned depth_ = 0;
  unsigned nodes_ = 0;
};

/// Casts so that both have their exact values, in C's common type as well.
void Printer::make_exact(Both& both, unsigned width, bool is_signed) {
  if (width == 0) return;
  const auto exact = [&](const Text& text) {
    return c::is_exact(text.range, width, is_signed);
  };
  if (exact(both.a) && exact(both.b) && c::keeps_values(both.a, both.b)) return;
  const auto fits = [&](const Text& text) { return text.type.width <= width; };
  const Range whole{width, is_signed};
  if (!is_signed && (width == 32 || width == 64 || width == 128)) {
    // One unsigned operand makes C convert the other one.
    if (both.a.type == whole && fits(both.b)) return;
    if (both.b.type == whole && fits(both.a)) return;
    both.a = c::cast(both.a, whole);
    if (!fits(both.b)) make_exact(both.b, width, false);
    return;
  }
  make_exact(both.a, width, is_signed);
  make_exact(both.b, width, is_signed);
  if (c::keeps_values(both.a, both.b)) return;
  Text& odd = both.a.type.is_signed ? both.b : both.a;
  odd = c::cast(odd, whole);
}

Text Printer::compose(Term term) {
  switch (term.kind()) {
    case Kind::Constant:
      if (!term.sort().is_bool()) return operand(term, true);
      return condition(term.is_true() ? "1" : "0", c::kPostfix);
    case Kind::Variable:
      return atom(term.name(), own_range(term, !is_unsigned(term)));
    case Kind::Address:
      return atom("&" + term.name(), own_range(term, false), c::kUnary);
    case Kind::Not:
      return negated(term.operand(0));
    case Kind::And:
    case Kind::Or:
      return junction(term);
    case Kind::Equal:
      return equation(term, true);
    case Kind::Ite:
      return choice(term);
    case Kind::Negate:
    case Kind::BitNot:
      return prefix(term);
    case Kind::Add:
    case Kind::Subtract:
      return sum(term);
    case Kind::Multiply:
      return arithmetic(term, " * ", c::kProduct);
    case Kind::UDivide:
    case Kind::URemainder:
    case Kind::SDivide:
    case Kind::SRemainder:
      return division(term);
    case Kind::BitAnd:
    case Kind::BitOr:
    case Kind::BitXor:
      return bitwise(term);
    case Kind::ShiftLeft:
      return shift_left(term.operand(0), print(term.operand(1)), term.width());
    case Kind::ShiftRight:
    case Kind::ShiftRightSigned:
      return shift_right(term);
    case Kind::Concat:
      return concat(term);
    case Kind::Extract:
      return extract(term);
    case Kind::ZeroExtend:
    case Kind::SignExtend: {
      Text text = print(term.operand(0));
      make_exact(text, term.operand(0).width(),
                 term.kind() == Kind::SignExtend);
      return text;
    }
    case Kind::Read:
      return read(term);
    case Kind::Write:
      return call("write", term);
    case Kind::Copy:
      return call("copy", term);
    case Kind::ConstantArray:
      return call("constant", term);
    default:
      return order(term);
  }
}

Text Printer::negated(Term a) {
  if (a.kind() == Kind::Equal) return equation(a, false);
  return condition("!" + c::wrap(print(a), c::kUnary), c::kUnary);
}

Text Printer::junction(Term term) {
  const bool conjunction = term.kind() == Kind::And;
  std::string text;
  for (const Term operand : term.operands()) {
    if (!text.empty()) text += conjunction ? " && " : " || ";
    text += c::wrap(print(operand), c::kEquality);
  }
  return condition(std::move(text), conjunction ? c::kAnd : c::kOr);
}

Text Printer::equation(Term term, bool holds) {
  const Term b = term.operand(1);
  const unsigned width = term.operand(0).width();
  Both both{print(term.operand(0)), {}};
  // The sense in which a constant on the other side is read.
  const bool is_signed =
      both.a.type.width == width
          ? both.a.type.is_signed || both.a.range != both.a.type
          : !c::is_exact(both.a.range, width, false) ||
                c::is_exact(both.a.range, width, true);
  both.b = operand(b, is_signed);
  if (width != 0 && both.type().width != width) {
    const bool unsigned_both = c::is_exact(both.a.range, width, false) &&
                               c::is_exact(both.b.range, width, false);
    make_exact(both, width, !unsigned_both && is_signed);
  }
  return condition(c::wrap(both.a, c::kSum) + (holds ? " == " : " != ") +
                       c::wrap(both.b, c::kSum),
                   c::kEquality);
}

Text Printer::order(Term term) {
  const Kind kind = term.kind();
  const bool is_signed = kind == Kind::SLess || kind == Kind::SLessEqual;
  const bool strict = kind == Kind::SLess || kind == Kind::ULess;
  const bool swap = term.operand(0).is_constant();
  Both both{operand(term.operand(swap ? 1 : 0), is_signed),
            operand(term.operand(swap ? 0 : 1), is_signed)};
  make_exact(both, term.operand(0).width(), is_signed);
  const char* const symbol =
      swap ? (strict ? " > " : " >= ") : (strict ? " < " : " <= ");
  return condition(c::wrap(both.a, c::kSum) + symbol + c::wrap(both.b, c::kSum),
                   c::kOrder);
}

Text Printer::choice(Term term) {
  const unsigned width = term.width();
  const Term c = term.operand(0);
  if (term.sort().is_bits() && detail::is_constant_ite(term)) {
    if (detail::is_one(term.operand(1)) && detail::is_zero(term.operand(2))) {
      return print(c);
    }
    if (detail::is_zero(term.operand(1)) && detail::is_one(term.operand(2))) {
      return negated(c);
    }
  }
  Both both{print(term.operand(1)), print(term.operand(2))};
  if (!c::keeps_values(both.a, both.b) && both.type().width < width) {
    widen(both.a, width);
  }
  Text result{c::wrap(print(c), c::kOr) + " ? " + c::wrap(both.a, c::kOr) +
                  " : " + c::wrap(both.b, c::kConditional),
              c::kConditional, both.type(), both.type()};
  if (c::keeps_values(both.a, both.b)) {
    result.range = c::join(both.a.range, both.b.range);
  }
  return result;
}

Text Printer::prefix(Term term) {
  const bool negate = term.kind() == Kind::Negate;
  Text a = print(term.operand(0));
  if (negate || !a.type.is_signed) widen(a, term.width());
  const bool keeps = !negate && a.range.is_signed;
  std::string text = c::wrap(a, c::kUnary);
  if (negate && text.starts_with('-')) text = "(" + text + ")";
  return {(negate ? "-" : "~") + text, c::kUnary, a.type,
          keeps ? a.range : a.type};
}

Text Printer::sum(Term term) {
  const Term b = term.operand(1);
  const bool add = term.kind() == Kind::Add;
  if (!add || !b.is_constant()) {
    return arithmetic(term, add ? " + " : " - ", c::kSum);
  }
  const Integer offset = term.sort().is_int()
                             ? b.integer()
                             : Integer(as_signed(b.value(), b.width()));
  Both both{print(term.operand(0)), c::literal(abs(offset), true)};
  if (term.operand(0).kind() == Kind::Address)
    both.a.text.insert(0, "(char *)");
  if (term.sort().is_int()) both.b.type = {0, true};
  if (both.type().width < term.width()) widen(both.a, term.width());
  return {c::wrap(both.a, c::kSum) + (offset < 0 ? " - " : " + ") + both.b.text,
          c::kSum, both.type(), both.type()};
}

Text Printer::arithmetic(Term term, const char* symbol, Precedence precedence) {
  const Both both = wide_operands(term, true);
  const auto tighter = static_cast<Precedence>(precedence + 1);
  return {c::wrap(both.a, precedence) + symbol + c::wrap(both.b, tighter),
          precedence, both.type(), both.type()};
}

Text Printer::division(Term term) {
  const Kind kind = term.kind();
  const bool is_signed = kind == Kind::SDivide || kind == Kind::SRemainder;
  const bool quotient = kind == Kind::SDivide || kind == Kind::UDivide;
  Both both = wide_operands(term, is_signed);
  make_exact(both, term.width(), is_signed);
  Text result{c::wrap(both.a, c::kProduct) + (quotient ? " / " : " % ") +
                  c::wrap(both.b, c::kUnary),
              c::kProduct, both.type(), both.type()};
  // Only -128 / -1 leaves the range of its operands.
  if (!is_signed) result.range = {term.width(), false};
  return result;
}

Text Printer::bitwise(Term term) {
  const Kind kind = term.kind();
  const Precedence level = kind == Kind::BitAnd  ? c::kBitAnd
                           : kind == Kind::BitOr ? c::kBitOr
                                                 : c::kBitXor;
  const char* const symbol = kind == Kind::BitAnd  ? " & "
                             : kind == Kind::BitOr ? " | "
                                                   : " ^ ";
  Both both{print(term.operand(0)), operand(term.operand(1), true, true)};
  if (both.type().width < term.width() && !c::keeps_values(both.a, both.b)) {
    widen(both.a, term.width());
  }
  const bool keeps = c::keeps_values(both.a, both.b);
  const bool chain = both.a.precedence == level;
  return {c::wrap(both.a, chain ? level : c::kUnary) + symbol +
              c::wrap(both.b, c::kUnary),
          level, both.type(),
          keeps ? c::join(both.a.range, both.b.range) : both.type()};
}

Text Printer::shift_left(Term a, Text amount, unsigned width) {
  Text text = print(a);
  widen(text, width);
  return {c::wrap(text, c::kUnary) + " << " + c::wrap(amount, c::kUnary),
          c::kShift, text.type, text.type};
}

Text Printer::shift_right(Term term) {
  const bool is_signed = term.kind() == Kind::ShiftRightSigned;
  const unsigned width = term.width();
  Text a = operand(term.operand(0), is_signed);
  make_exact(a, width, is_signed);
  widen(a, width);
  Text amount = print(term.operand(1));
  if (!c::is_exact(amount.range, width, true)) make_exact(amount, width, false);
  return {c::wrap(a, c::kUnary) + " >> " + c::wrap(amount, c::kUnary),
          c::kShift, a.type, a.range};
}

Text Printer::concat(Term term) {
  const Term low = term.operand(1);
  const Text high =
      shift_left(term.operand(0), c::literal(low.width(), true), term.width());
  Text rest = operand(low, false);
  make_exact(rest, low.width(), false);
  const Range type = c::common(high.type, rest.type);
  return {c::wrap(high, c::kShift) + " | " + c::wrap(rest, c::kUnary),
          c::kBitOr, type, type};
}

Text Printer::extract(Term term) {
  const Term a = term.operand(0);
  Text text = print(a);
  if (term.low() == 0) return text;
  widen(text, a.width());
  return {c::wrap(text, c::kUnary) + " >> " + std::to_string(term.low()),
          c::kShift, text.type, text.type};
}

/// Memory of bytes is read through a pointer, other arrays by subscripts.
Text Printer::read(Term term) {
  const Term array = term.operand(0);
  const Range range = own_range(term, !is_unsigned(term));
  const Text index = print(term.operand(1));
  const bool memory = array.kind() == Kind::Variable && array.width() == 8 &&
                      array.sort().index_width >= 32;
  if (memory && c::is_standard(term.width())) {
    // The text of a cast, with a star in it.
    std::string text = c::cast(index, range).text;
    text.insert(text.find(')'), " *");
    return atom("*" + text, range, c::kUnary);
  }
  if (term.count() == 1) {
    return atom(c::wrap(print(array), c::kPostfix) + "[" + index.text + "]",
                range);
  }
  return atom("read(" + print(array).text + ", " + index.text + ", " +
                  std::to_string(term.count()) + ")",
              range);
}

Text Printer::call(std::string name, Term term) {
  name += '(';
  for (const Term operand : term.operands()) {
    if (name.back() != '(') name += ", ";
    name += print(operand).text;
  }
  return atom(name + ")", {});
}

}  // namespace

std::string to_c(Term term, const CStyle& style) {
  return Printer(style).print(term).text;
}

}  // namespace agon::term
