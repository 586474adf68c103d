// SPDX-License-Identifier: Apache-2.0
/// Objects that nobody can have a pointer to.
#pragma once

#include <set>
#include <string>

#include "ir/program.h"

namespace agon::analysis {

/// The names of static objects to which no pointer points when `entry` is
/// called, whatever happened before: locals, parameters and results of
/// functions are all that ever holds their addresses, no routine without a body
/// is given one, and the entry is not called with one. `program` must be whole:
/// what was cut away may have told others an address.
std::set<std::string> hidden_objects(const ir::Program& program,
                                     ir::FunctionId entry);

}  // namespace agon::analysis
