// SPDX-License-Identifier: Apache-2.0
/// Terms as C, for people.
#pragma once

#include <functional>
#include <string>

#include "term/term.h"

namespace agon::term {

/// How names and memory look. A hook that returns an empty string leaves the
/// term to the printer.
struct CStyle {
  /// Text for a variable, an address or a read of memory, such as `p->next`.
  /// Precedence: the text is used like a postfix expression.
  std::function<std::string(Term)> describe;
  /// Whether a variable or described read is unsigned, which saves casts.
  std::function<bool(Term)> is_unsigned;
};

/// A C expression with as few parentheses and casts as its meaning allows:
/// `x < 10`, `(unsigned)y <= 7`, `*p == q->next`. Operators that C does not
/// have look like calls. Bit-vector constants are printed as signed numbers
/// where the operator is signed or the other operand suggests it. Terms that
/// are too large to be read are cut short: `...`.
std::string to_c(Term term, const CStyle& style = {});

}  // namespace agon::term
