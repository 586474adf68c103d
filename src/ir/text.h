// SPDX-License-Identifier: Apache-2.0
/// A program as text that can be read back: the exact form.
#pragma once

#include <string>
#include <vector>

#include "ir/program.h"
#include "support/source.h"

namespace agon::ir {

/// Everything there is in a program, in a stable order: a line for each type,
/// variable, object, function and edge. text_names.h describes the form.
std::string to_text(const Program& program);

/// The same without places in the source, which are listed apart in the order
/// in which they would stand in the text. So a comment changes only `places`.
std::string to_text(const Program& program, std::vector<Position>& places);

/// Reads what `to_text` wrote. Throws InputError with a caret.
Program parse_text(const support::Source& source);

/// Whether two programs are the same but for the pool that their terms are in.
bool same_program(const Program& a, const Program& b);

}  // namespace agon::ir
