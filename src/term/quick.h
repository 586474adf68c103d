// SPDX-License-Identifier: Apache-2.0
/// Values of small terms, at a fraction of what `evaluate` costs.
#pragma once

#include <functional>
#include <optional>

#include "term/term.h"

namespace agon::term {

/// What a variable is; nothing if this is not known.
using ValueOf = std::function<std::optional<Bits>(Term variable)>;

/// The value of a term of bit-vectors and Booleans; of one of these, 0 or 1.
/// Nothing if it has arrays or integers, a variable of which nothing is known
/// decides, or it is large.
std::optional<Bits> quick_value(Term term, const ValueOf& value_of);

}  // namespace agon::term
