// SPDX-License-Identifier: Apache-2.0
/// What back ends need to know about terms. Internal to the folder.
#pragma once

#include <span>
#include <vector>

#include "term/term.h"

namespace agon::smt {

/// The variables and addresses that occur in any of the terms, in order of id.
std::vector<term::Term> leaves_of(std::span<const term::Term> terms);

/// Whether a Copy is short and of constant length, so that it can be written
/// out as writes; then `count` is that length.
bool is_short_copy(term::Term copy, unsigned& count);

}  // namespace agon::smt
