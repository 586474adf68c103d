// SPDX-License-Identifier: Apache-2.0
/// What back ends need to know about terms. Internal to the folder.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "term/term.h"

namespace agon::smt {

/// The variables and addresses that occur in any of the terms, in order of id.
std::vector<term::Term> leaves_of(std::span<const term::Term> terms);

/// How many elements a Copy writes at most, if they are so few that it can be
/// written out as writes.
std::optional<unsigned> most_copied(term::Term copy);

}  // namespace agon::smt
