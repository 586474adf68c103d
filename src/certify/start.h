// SPDX-License-Identifier: Apache-2.0
/// What is known before a program runs.
#pragma once

#include <set>
#include <vector>

#include "ir/program.h"
#include "term/substitute.h"

namespace agon::certify {

/// The initial values of variables and of memory.
term::Substitution initial_values(const ir::Program& program);

/// That the objects with these addresses lie one behind the other below what is
/// allocated, globals before locals, and none at 0. Throws Rejected if they do
/// not fit there.
std::vector<term::Term> layout(const ir::Program& program,
                               const std::set<term::Term>& used);

}  // namespace agon::certify
