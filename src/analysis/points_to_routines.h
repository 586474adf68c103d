// SPDX-License-Identifier: Apache-2.0
/// What points-to analysis knows about routines without a body.
#pragma once

#include <cstdint>

#include "ir/program.h"

namespace agon::analysis {

enum class RoutineResult : std::uint8_t {
  Nothing,   ///< No pointer.
  Argument,  ///< Its first argument, or somewhere behind it.
  Fresh,     ///< A new object.
  Outside,   ///< Something outside the program.
  Anything,  ///< What code outside may know, the arguments included.
};

struct RoutineModel {
  bool is_known = false;  ///< Otherwise all arguments escape.
  RoutineResult result = RoutineResult::Outside;
  /// What the second argument points to gets into what the first points to.
  bool copies = false;
  /// What the first argument points to may change.
  bool writes = false;
};

RoutineModel routine_model(const ir::Function& routine);

}  // namespace agon::analysis
