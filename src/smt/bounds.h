// SPDX-License-Identifier: Apache-2.0
/// How large numbers can be. Internal to the folder.
#pragma once

#include <span>

#include "term/term.h"

namespace agon::smt {

/// The largest value that a bit-vector term can have, at most, given the same
/// for its operands (0 for those that are no bit-vectors).
term::Bits largest_value(term::Term term, std::span<const term::Bits> operands);

/// Bits that are enough for a number; at least 1.
unsigned bits_for(term::Bits number);

}  // namespace agon::smt
