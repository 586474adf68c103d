// SPDX-License-Identifier: Apache-2.0
/// Hash-consed terms: equal terms are the same object, so comparing them costs
/// nothing and a term is a directed acyclic graph however often parts repeat.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "term/bits.h"
#include "term/sort.h"

namespace agon::term {

/// What a term is made of. Comparisons and arithmetic without a sign in the
/// name serve bit-vectors and integers alike; SLess and SLessEqual are also
/// the order of integers.
enum class Kind : std::uint8_t {
  Constant,  ///< A Boolean, a bit-vector or an integer.
  Variable,  ///< Named; one name has one sort.
  Address,   ///< A named constant: where an object lies. Never 0, and different
             ///< names are different addresses.
  // Booleans. And, Or have two or more operands.
  Not,
  And,
  Or,
  Equal,  ///< Of two terms of one sort, not arrays.
  Ite,
  // Arithmetic: bit-vectors wrap, integers do not.
  Negate,
  Add,
  Subtract,
  Multiply,
  UDivide,  ///< Division by zero as in SMT-LIB.
  URemainder,
  SDivide,     ///< Towards zero; for integers too (x / 0 = 0, x % 0 = x).
  SRemainder,  ///< Sign of the dividend; for integers too.
  // Bits.
  BitNot,
  BitAnd,
  BitOr,
  BitXor,
  ShiftLeft,  ///< Amounts of the width or more give 0 (or all signs).
  ShiftRight,
  ShiftRightSigned,
  Concat,   ///< The first operand holds the higher bits.
  Extract,  ///< Bits low … low + width - 1 of the operand.
  ZeroExtend,
  SignExtend,
  // Orders.
  ULess,
  ULessEqual,
  SLess,
  SLessEqual,
  // Arrays.
  Read,   ///< read(a, i, n): elements i … i+n-1, lowest index lowest.
  Write,  ///< write(a, i, v): the inverse; n = width(v) / element width.
  Copy,   ///< copy(a, i, n, b, j): a, but for k < n (unsigned) element
          ///< i+k is b[j+k]. Indices wrap.
  ConstantArray,  ///< Every element is the operand.
};

namespace detail {
struct Node;
}

/// A term. Cheap to copy; valid as long as the Pool that made it. A default
/// constructed one means "none".
class Term {
 public:
  constexpr Term() = default;

  Kind kind() const;
  Sort sort() const;
  unsigned width() const { return sort().width; }
  std::span<const Term> operands() const;
  Term operand(std::size_t i) const { return operands()[i]; }

  bool is_constant() const { return kind() == Kind::Constant; }
  bool is_true() const;
  bool is_false() const;
  /// The value of a bit-vector constant, or of a Boolean one as 0 or 1.
  Bits value() const;
  /// The value of an integer constant.
  const Integer& integer() const;
  /// The name of a variable or an address.
  const std::string& name() const;
  /// Extract: the lowest bit taken.
  unsigned low() const;
  /// Read, Write: the number of elements.
  unsigned count() const;

  /// Dense numbers in order of creation, for tables and a stable order.
  std::uint32_t id() const;

  bool valid() const { return node_ != nullptr; }
  explicit operator bool() const { return valid(); }
  friend bool operator==(Term, Term) = default;
  friend std::strong_ordering operator<=>(Term a, Term b) {
    return a.order() <=> b.order();
  }

 private:
  friend class Pool;
  explicit Term(const detail::Node* node) : node_(node) {}
  std::uint64_t order() const { return valid() ? id() + std::uint64_t{1} : 0; }

  const detail::Node* node_ = nullptr;
};

}  // namespace agon::term

template <>
struct std::hash<agon::term::Term> {
  std::size_t operator()(agon::term::Term term) const noexcept {
    return term.valid() ? term.id() + std::size_t{1} : 0;
  }
};
