// SPDX-License-Identifier: Apache-2.0
/// Variables that several components of a program use.
#pragma once

#include <string>
#include <vector>

#include "ir/program.h"
#include "spec/specification.h"

namespace agon::cli {

struct SharedVariable {
  std::string name;
  ir::Position position;
  std::vector<std::string> writers;  ///< Components that may assign to it.
  std::vector<std::string> users;    ///< All components that mention it.
};

/// Globals of the woven program that one component may write and another
/// mentions. In C they would be shared; components have copies. What is only
/// reached by pointers that come from outside is not found.
std::vector<SharedVariable> shared_variables(
    const ir::Program& program, const spec::ProgramQuestion& question);

}  // namespace agon::cli
