// SPDX-License-Identifier: Apache-2.0
/// Statements as the author of the source would write them.
#pragma once

#include <string>
#include <string_view>

#include "ir/program.h"
#include "term/evaluate.h"
#include "term/print_c.h"

namespace agon::verify {

/// Names without the function and the number that make them unique in a
/// program: `[disk->state == 2]` for `[flush::disk.2->state == 2]`. Where two
/// variables of a text would get the same name, both get their functions, and
/// if that does not tell them apart they keep theirs.
std::string with_short_names(std::string_view text);

/// A formula in C. Terms share parts, so that a small one can be a text without
/// end; of such a formula only the size is told.
std::string formula_text(term::Term formula, const term::CStyle& style);

/// A value as a number of the variable's type.
std::string number_text(const ir::Program& program,
                        const ir::Variable& variable, const term::Value& value);

}  // namespace agon::verify
