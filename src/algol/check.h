// SPDX-License-Identifier: Apache-2.0
/// The types of open terms.
#pragma once

#include "algol/ast.h"
#include "algol/parser.h"
#include "support/source.h"

namespace agon::algol {

/// Gives every term its type and puts in the values of constants. Throws
/// InputError where a term has no type, and where an index is certainly outside
/// of its array.
void check_types(Judgement& judgement, const support::Source& source,
                 const Constants& constants);

}  // namespace agon::algol
