// SPDX-License-Identifier: Apache-2.0
/// Pieces of C with what is known about their values, from which print_c.cpp
/// finds out where a cast is needed. Internal to the folder.
#pragma once

#include <string>
#include <string_view>

#include "term/bits.h"

namespace agon::term::c {

/// Levels of C's grammar, loosest first.
enum Precedence {
  kConditional,
  kOr,
  kAnd,
  kBitOr,
  kBitXor,
  kBitAnd,
  kEquality,
  kOrder,
  kShift,
  kSum,
  kProduct,
  kUnary,
  kPostfix
};

/// The values of an integer type. Mathematical integers have width 0.
struct Range {
  unsigned width = 32;
  bool is_signed = true;

  friend bool operator==(Range, Range) = default;
};

/// An expression whose value in C is congruent, modulo 2^width, to the
/// bit-vector of that width that it stands for.
struct Text {
  std::string text;
  Precedence precedence = kPostfix;
  Range type;   ///< Its type in C after promotion: at least 32 bits.
  Range range;  ///< Where its values lie; often less than the type.
};

/// Whether the type has a name.
bool is_standard(unsigned width);

/// The type in which C computes with values of this range.
Range promote(Range range);

/// The type in which C computes with operands of these types.
Range common(Range a, Range b);

/// A range that includes both.
Range join(Range a, Range b);

/// Whether a value from this range, known modulo 2^width, is the number that
/// the bit-vector stands for when it is read with or without a sign.
bool is_exact(Range range, unsigned width, bool is_signed);

/// Whether both keep their values when C converts them to a common type.
bool keeps_values(const Text& a, const Text& b);

/// The expression, in parentheses if it binds less tightly than `least`.
std::string wrap(const Text& text, Precedence least);

/// The expression with exactly the values of a bit-vector of this width.
Text cast(const Text& text, Range to);

/// A constant. Hexadecimal only if it is 16 or more.
Text literal(const Integer& value, bool is_signed, bool hexadecimal = false);

}  // namespace agon::term::c
