// SPDX-License-Identifier: Apache-2.0
/// Which variables need an address.
#pragma once

#include <clang/AST/Stmt.h>

#include "frontend/unit.h"

namespace agon::frontend {

/// Notes in `unit` every variable whose address an expression inside `stmt`
/// takes. Must have seen the whole program before anything is lowered.
void find_address_taken(const clang::Stmt& stmt, Unit& unit);

}  // namespace agon::frontend
