// SPDX-License-Identifier: Apache-2.0
/// Pointers that move again and again, such as `p` in `p++`.
#pragma once

#include <unordered_set>

#include "ir/program.h"
#include "term/term.h"

namespace agon::analysis {

/// The sums whose value can get back, through assignments, calls or memory,
/// into a variable that they start from. A constant in such a sum is a step
/// that may be taken any number of times.
std::unordered_set<term::Term> repeated_sums(const ir::Program& program);

}  // namespace agon::analysis
