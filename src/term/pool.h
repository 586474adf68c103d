// SPDX-License-Identifier: Apache-2.0
/// Makes terms, and simplifies them while it makes them.
#pragma once

#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "term/term.h"

namespace agon::term {

/// Owns terms. The constructors fold constants and apply cheap local
/// equivalences that keep a term's value under every assignment; what they
/// return may therefore have another kind than the one asked for.
class Pool {
 public:
  Pool();
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // Leaves.
  Term boolean(bool value);
  Term bits(Bits value, unsigned width);  ///< Truncates `value`.
  Term integer(const Integer& value);
  /// A variable; the same name always has the same sort.
  Term variable(std::string_view name, Sort sort);
  /// The variable or address of that name, if there is one.
  Term find(std::string_view name) const;
  /// An address of this width; of width 0, an integer.
  Term address(std::string_view name, unsigned width);
  /// A variable whose name starts with `stem` and was not used before.
  Term fresh(std::string_view stem, Sort sort);

  // Booleans.
  Term negation(Term a);
  Term conjunction(std::span<const Term> terms);
  Term disjunction(std::span<const Term> terms);
  Term conjunction(std::initializer_list<Term> terms);
  Term disjunction(std::initializer_list<Term> terms);
  Term implies(Term a, Term b);
  Term equal(Term a, Term b);  ///< Also of two Booleans.
  Term ite(Term condition, Term then, Term otherwise);

  /// Any unary or binary arithmetic, bit or order operator on operands of one
  /// sort, by kind.
  Term unary(Kind kind, Term a);
  Term binary(Kind kind, Term a, Term b);

  Term negate(Term a) { return unary(Kind::Negate, a); }
  Term add(Term a, Term b) { return binary(Kind::Add, a, b); }
  Term subtract(Term a, Term b) { return binary(Kind::Subtract, a, b); }
  Term multiply(Term a, Term b) { return binary(Kind::Multiply, a, b); }
  Term bit_and(Term a, Term b) { return binary(Kind::BitAnd, a, b); }
  Term bit_or(Term a, Term b) { return binary(Kind::BitOr, a, b); }
  Term shift_left(Term a, Term b) { return binary(Kind::ShiftLeft, a, b); }
  Term unsigned_less(Term a, Term b) { return binary(Kind::ULess, a, b); }
  Term signed_less(Term a, Term b) { return binary(Kind::SLess, a, b); }

  // Widths.
  Term concat(Term high, Term low);
  Term extract(Term a, unsigned low, unsigned width);
  Term zero_extend(Term a, unsigned width);  ///< To `width`, not by.
  Term sign_extend(Term a, unsigned width);
  /// Extends or truncates to `width`, as C converts between integer types.
  Term resize(Term a, unsigned width, bool is_signed);

  // Arrays.
  Term read(Term array, Term index, unsigned count = 1);
  Term write(Term array, Term index, Term value);
  Term copy(Term array, Term index, Term count, Term source, Term from);
  Term constant_array(Term element, unsigned index_width);

  /// A term of the same kind and parameters with other operands, simplified.
  Term rebuild(Term original, std::span<const Term> operands);

  std::size_t size() const;

 private:
  struct Tables;
  Term junction(Kind kind, std::span<const Term> terms);  ///< And, Or.
  Term known_negation(Term a) const;

  std::unique_ptr<Tables> tables_;
};

}  // namespace agon::term
