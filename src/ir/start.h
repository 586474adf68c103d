// SPDX-License-Identifier: Apache-2.0
/// What is known before a program runs.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "ir/program.h"
#include "term/substitute.h"

namespace agon::ir {

/// The initial values of variables and of memory.
term::Substitution initial_values(const Program& program);

/// The lowest address that an object can have: behind those that the program
/// writes as numbers, unless they are so high that no object gets there.
std::uint64_t lowest_address(const Program& program);

/// That the objects with these addresses lie one behind the other, globals
/// before locals, and none below the lowest address; below the memory of a
/// module's client if they are small, otherwise below what is allocated.
/// Nothing if they do not fit there.
std::optional<std::vector<term::Term>> layout(const Program& program,
                                              const std::set<term::Term>& used);

}  // namespace agon::ir
