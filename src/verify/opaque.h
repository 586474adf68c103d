// SPDX-License-Identifier: Apache-2.0
/// A program that does not remember what is in memory.
#pragma once

#include <vector>

#include "ir/program.h"

namespace agon::verify {

struct Rough {
  ir::Program program;  ///< Shares the pool of the flat one.
  /// By location, that of the flat program; invalid for those in between.
  std::vector<ir::LocationId> flat;
};

/// Does all that a flat program does, and more: whatever is read from the
/// memory that objects share may be anything. What is proved about it with the
/// variables and locations of the flat program is true of that one.
Rough without_memory(const ir::Program& flat, ir::FunctionId entry);

}  // namespace agon::verify
