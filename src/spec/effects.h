// SPDX-License-Identifier: Apache-2.0
/// What calls of a function can reach and change.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "ir/program.h"

namespace agon::spec {

/// Whether a body may call a function, directly or through a pointer.
bool calls(const ir::Program& program, ir::FunctionId caller,
           ir::FunctionId callee);

/// One flag per function: `from` and whatever it calls in the end. A call
/// through a pointer reaches every function whose address is used.
std::vector<bool> reachable_functions(const ir::Program& program,
                                      ir::FunctionId from);

/// The same for what is called by name only.
std::vector<bool> reached_by_name(const ir::Program& program,
                                  ir::FunctionId from);

/// What a call may change.
struct Changes {
  std::vector<ir::VariableId> globals;
  /// Memory, or an address in a global: what a call of an unknown routine with
  /// the same arguments may do stands for it.
  bool anything = false;
};

/// A function that is a key of `stands_for` counts as the other one.
Changes changes(const ir::Program& program, ir::FunctionId from,
                const std::map<ir::FunctionId, ir::FunctionId>& stands_for);

/// A function among those that are flagged whose body changes a global or
/// memory; nothing if there is none.
std::optional<ir::FunctionId> changes_of_bodies(
    const ir::Program& program, const std::vector<bool>& flagged);

}  // namespace agon::spec
