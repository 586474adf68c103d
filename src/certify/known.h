// SPDX-License-Identifier: Apache-2.0
/// Makes questions smaller before a solver sees them.
#pragma once

#include <span>

#include "ir/program.h"
#include "term/substitute.h"

namespace agon::certify {

/// The values of variables that literals such as `x == 5` fix. If one fixes
/// what memory holds at a place then this is written there, which changes
/// nothing.
term::Substitution known_values(const ir::Program& program,
                                std::span<const term::Term> literals);

/// A formula without memory: what was written is read again, and everything
/// else may be anything, but the same wherever the same is read. If this has no
/// solution then neither has the formula.
term::Term without_memory(term::Pool& pool, term::Term formula);

}  // namespace agon::certify
