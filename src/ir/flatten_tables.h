// SPDX-License-Identifier: Apache-2.0
/// Tables that a flat program reads and never writes. Internal to the folder.
#pragma once

#include "ir/program.h"

namespace agon::ir {

/// Says of what is read from arrays that the body of `entry` does not change
/// what it is for each place with a known value: `table[i]` becomes
/// `i == 0 ? 17 : i == 1 ? 4 : table[i]`. So no predicate has to. Large tables
/// are left alone.
void look_up_tables(Program& program, FunctionId entry);

}  // namespace agon::ir
