// SPDX-License-Identifier: Apache-2.0
/// What a module and its client say to each other in an execution.
#pragma once

#include <string>
#include <vector>

#include "abstraction/blocks.h"
#include "ir/program.h"
#include "refine/feasibility.h"

namespace agon::verify {

/// A function of a module that its clients call.
struct ModuleFunction {
  std::string name;
  /// Variables of the client (ir/client.h), by name.
  std::vector<std::string> arguments;
  std::vector<std::string> results;
};

/// In the order in which the client chooses between them.
using ModuleFunctions = std::vector<ModuleFunction>;

/// One line for each call and return. A value that does not matter is `_`.
/// Calls from inside of calls are indented.
std::vector<std::string> dialogue(const ModuleFunctions& functions,
                                  const ir::Program& program,
                                  const abstraction::Blocks& blocks,
                                  const refine::Execution& run);

}  // namespace agon::verify
