// SPDX-License-Identifier: Apache-2.0
/// Conditions of a specification look at the program and do not change it.
#pragma once

#include "frontend/parse.h"

namespace agon::frontend {

inline constexpr const char* kChangesSomething =
    "what a specification says in C must not change anything; '==' compares";

/// Throws InputError at the first operator in the text of the user, in a
/// fragment, that changes something outside of that text.
void refuse_effects(const Parsed& unit);

}  // namespace agon::frontend
