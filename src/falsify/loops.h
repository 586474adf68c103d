// SPDX-License-Identifier: Apache-2.0
/// Loops of a body of which every execution comes to an end.
#pragma once

#include <vector>

#include "ir/program.h"

namespace agon::falsify {

/// A loop that is entered at its head only. No execution stays in it and passes
/// the head infinitely often.
struct EndingLoop {
  ir::LocationId head;
  std::vector<bool> contains;  ///< By location.
};

std::vector<EndingLoop> ending_loops(const ir::Program& program,
                                     ir::FunctionId entry);

}  // namespace agon::falsify
