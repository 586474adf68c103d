// SPDX-License-Identifier: Apache-2.0
/// Intervals of bit-vectors, read as signed numbers, and their arithmetic.
#pragma once

#include <optional>

#include "term/term.h"

namespace agon::domain {

/// The numbers low … high, at least one. A Boolean is 0 or 1; bit-vectors of
/// more than 64 bits are not followed and always hold anything.
struct Range {
  term::SignedBits low = 0;
  term::SignedBits high = 0;

  bool is_single() const { return low == high; }
  bool contains(term::SignedBits value) const {
    return low <= value && value <= high;
  }
  friend bool operator==(const Range&, const Range&) = default;
};

/// Whether values of a sort are followed.
bool is_followed(term::Sort sort);

/// All values of a sort that is not an array.
Range all_of(term::Sort sort);

std::optional<Range> intersect(const Range& a, const Range& b);
Range hull(const Range& a, const Range& b);

/// What an operator makes of ranges of its operands, for terms of bit-vectors
/// that are neither leaves nor an Ite. Results wrap, as those of bit-vectors.
Range apply(term::Term term, const Range& a, const Range& b);

/// Whether an order or an equation between two numbers of this width holds for
/// all or for no values of the ranges.
std::optional<bool> compare(term::Kind kind, unsigned width, const Range& a,
                            const Range& b);

/// The range read as unsigned numbers.
Range as_unsigned(const Range& range, unsigned width);

}  // namespace agon::domain
