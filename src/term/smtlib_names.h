// SPDX-License-Identifier: Apache-2.0
/// The operators of SMT-LIB by name. Internal to the folder.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/source.h"
#include "term/pool.h"

namespace agon::term {

/// The name of an operator without indices, whose operands are integers or
/// not.
std::string operator_name(Kind kind, bool integers);

/// Whether an application can start with this name.
bool is_operator_name(std::string_view name);

/// What stands at the head of an application: a name, with indices as in
/// `(_ extract 7 0)` or a sort as in `(as const S)`.
struct Head {
  std::string name;
  std::size_t offset = 0;
  std::vector<unsigned> indices;
  Sort sort;
};

/// Applies an operator that was read from a text, after checking that the
/// number of operands and their sorts fit; throws InputError if not.
Term apply_operator(Pool& pool, const support::Source& source, const Head& head,
                    std::span<const Term> operands);

}  // namespace agon::term
