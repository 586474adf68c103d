// SPDX-License-Identifier: Apache-2.0
/// How large numbers can be.
#pragma once

#include <span>

#include "term/term.h"

namespace agon::term {

/// The largest value that a bit-vector term can have, at most, given the same
/// for its operands (0 for those that are no bit-vectors).
Bits largest_value(Term term, std::span<const Bits> operands);

/// The same, looking at so many operators above each other.
Bits largest_value(Term term, unsigned depth = 6);

/// Bits that are enough for a number; at least 1.
unsigned bits_for(Bits number);

}  // namespace agon::term
