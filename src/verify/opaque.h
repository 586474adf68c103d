// SPDX-License-Identifier: Apache-2.0
/// A program that does not remember what is in memory.
#pragma once

#include "ir/program.h"

namespace agon::verify {

/// Does all that a flat program does, and more: whatever is read from the
/// memory that objects share may be anything. Locations keep their numbers, and
/// those in between come behind them. What is proved about it with the
/// variables and locations of the flat program is true of that one.
ir::Program without_memory(const ir::Program& flat, ir::FunctionId entry);

}  // namespace agon::verify
