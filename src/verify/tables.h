// SPDX-License-Identifier: Apache-2.0
/// Tables that a program reads and never writes.
#pragma once

#include "ir/program.h"

namespace agon::verify {

/// Puts what is in such arrays at the start into the statements that read them,
/// so that no predicate has to say it. Large ones are left alone.
void put_in_tables(ir::Program& program, ir::FunctionId entry);

}  // namespace agon::verify
