// SPDX-License-Identifier: Apache-2.0
/// Arithmetic on constants. Internal to the folder.
#pragma once

#include "term/term.h"

namespace agon::term::detail {

/// The value of an operator on bit-vectors of `width`; of an order, 0 or 1.
Bits fold(Kind kind, Bits a, unsigned width);
Bits fold(Kind kind, Bits a, Bits b, unsigned width);

/// The value of an arithmetic operator on integers.
Integer fold(Kind kind, const Integer& a);
Integer fold(Kind kind, const Integer& a, const Integer& b);

bool is_order(Kind kind);
bool is_commutative(Kind kind);

}  // namespace agon::term::detail
