// SPDX-License-Identifier: Apache-2.0
/// The sorts of terms: Booleans, bit-vectors, mathematical integers, arrays.
#pragma once

#include <compare>
#include <cstdint>

namespace agon::term {

enum class SortKind : std::uint8_t { Bool, BitVector, Int, Array };

/// A sort, as a small value.
///
/// Arrays map an index to an element; both are bit-vectors of the given width,
/// or mathematical integers where the width is 0.
struct Sort {
  SortKind kind = SortKind::Bool;
  std::uint16_t width = 0;        ///< Of a bit-vector, or of array elements.
  std::uint16_t index_width = 0;  ///< Of the indices of an array.

  /// Widest bit-vector that terms can have.
  static constexpr std::uint16_t kMaxWidth = 128;

  static constexpr Sort boolean() { return {}; }
  static constexpr Sort bits(unsigned width) {
    return {SortKind::BitVector, static_cast<std::uint16_t>(width), 0};
  }
  static constexpr Sort integer() { return {SortKind::Int, 0, 0}; }
  static constexpr Sort array(unsigned index_width, unsigned element_width) {
    return {SortKind::Array, static_cast<std::uint16_t>(element_width),
            static_cast<std::uint16_t>(index_width)};
  }

  constexpr bool is_bool() const { return kind == SortKind::Bool; }
  constexpr bool is_bits() const { return kind == SortKind::BitVector; }
  constexpr bool is_int() const { return kind == SortKind::Int; }
  constexpr bool is_array() const { return kind == SortKind::Array; }

  /// The sort of the indices and of the elements of an array.
  constexpr Sort index() const {
    return index_width == 0 ? integer() : bits(index_width);
  }
  constexpr Sort element() const {
    return width == 0 ? integer() : bits(width);
  }

  friend constexpr auto operator<=>(const Sort&, const Sort&) = default;
};

}  // namespace agon::term
