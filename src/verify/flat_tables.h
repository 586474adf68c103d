// SPDX-License-Identifier: Apache-2.0
/// Tables that a flat program (ir/flatten.h) reads and never writes.
#pragma once

#include <vector>

#include "ir/program.h"

namespace agon::verify {

struct LookedUp {
  ir::Program program;  ///< Shares the pool of the flat one.
  /// What is always true of the tables, and used here.
  std::vector<term::Term> facts;
};

/// A program that does what the flat one does, and possibly more. It is said of
/// what is read from such arrays what it is at each place with a known value:
/// `table[i]` becomes `i == 0 ? 17 : i == 1 ? 4 : table[i]`. So no predicate
/// has to. Large tables are left alone.
LookedUp with_tables(const ir::Program& flat, ir::FunctionId entry);

}  // namespace agon::verify
