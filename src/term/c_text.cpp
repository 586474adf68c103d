// SPDX-License-Identifier: Apache-2.0
#include "term/c_text.h"

#include <algorithm>

namespace agon::term::c {
namespace {

std::string type_name(Range type) {
  const std::string sign = type.is_signed ? "" : "unsigned ";
  switch (type.width) {
    case 8:
      return sign + "char";
    case 16:
      return sign + "short";
    case 32:
      return type.is_signed ? "int" : "unsigned";
    case 64:
      return sign + "long";
    default:
      return sign + "__int128";
  }
}

/// Bits of a number that is not negative.
unsigned length(const Integer& value) {
  return value == 0 ? 1 : static_cast<unsigned>(msb(value)) + 1;
}

std::string digits(const Integer& value, bool hexadecimal) {
  if (!hexadecimal || value < 16) return value.str();
  return "0x" + value.str(0, std::ios_base::hex);
}

}  // namespace

bool is_standard(unsigned width) {
  return width == 8 || width == 16 || width == 32 || width == 64 ||
         width == 128;
}

Range promote(Range range) {
  if (range.width == 0) return range;
  if (range.width < 32) return {32, true};
  return {range.width <= 32   ? 32U
          : range.width <= 64 ? 64U
                              : 128U,
          range.is_signed};
}

Range common(Range a, Range b) {
  if (a.width == b.width) return {a.width, a.is_signed && b.is_signed};
  return a.width > b.width ? a : b;
}

Range join(Range a, Range b) {
  if (a.is_signed == b.is_signed) {
    return {std::max(a.width, b.width), a.is_signed};
  }
  const Range with = a.is_signed ? a : b;
  const Range without = a.is_signed ? b : a;
  return {std::max(with.width, without.width + 1), true};
}

bool is_exact(Range range, unsigned width, bool is_signed) {
  if (range.is_signed) return is_signed && range.width <= width;
  return range.width < width || (!is_signed && range.width == width);
}

bool keeps_values(const Text& a, const Text& b) {
  if (common(a.type, b.type).is_signed) return true;
  return !a.range.is_signed && !b.range.is_signed;
}

std::string wrap(const Text& text, Precedence least) {
  return text.precedence >= least ? text.text : "(" + text.text + ")";
}

Text cast(const Text& text, Range to) {
  if (is_standard(to.width)) {
    return {"(" + type_name(to) + ")" + wrap(text, kUnary), kUnary, promote(to),
            to};
  }
  if (to.is_signed) {
    return {"sign_extend(" + text.text + ", " + std::to_string(to.width) + ")",
            kPostfix, promote(to), to};
  }
  const Text most = literal((Integer(1) << to.width) - 1, false, true);
  return {wrap(text, kUnary) + " & " + most.text, kBitAnd,
          common(text.type, most.type), to};
}

Text literal(const Integer& value, bool is_signed, bool hexadecimal) {
  const Integer magnitude = abs(value);
  const unsigned size = length(magnitude);
  // Decimal constants are int or long, whichever they fit; the suffix makes
  // them unsigned.
  const bool suffix = size == 64 || (!is_signed && size == 32);
  Text result{digits(magnitude, hexadecimal),
              kPostfix,
              promote({suffix ? size : size + 1, !suffix}),
              {size, false}};
  if (suffix) result.text += "u";
  if (value >= 0) return result;
  const bool least = magnitude == Integer(1) << (size - 1);
  result.range = {least ? size : size + 1, true};
  result.precedence = kUnary;
  result.text = "-" + result.text;
  if (least && size == 64) {  // A long, although its magnitude is none.
    result.text = "-9223372036854775807 - 1";
    result.type = {64, true};
    result.precedence = kSum;
  }
  return result;
}

}  // namespace agon::term::c
