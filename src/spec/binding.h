// SPDX-License-Identifier: Apache-2.0
/// Which functions of a program the lines of a specification are about.
#pragma once

#include <map>
#include <vector>

#include "ir/program.h"
#include "spec/specification.h"

namespace agon::spec {

/// What is said about one function of the program.
struct Subject {
  ir::FunctionId assumed;  ///< The behaviour assumed; may be invalid.
  ir::FunctionId own;      ///< Its own abstraction, if it is recursive.
  std::vector<const Plan::Observer*> observers;
  std::vector<ir::FunctionId> wrappers;  ///< They verify it.
  std::vector<bool> in_cycle;            ///< Functions whose calls use `own`.
};

struct Binding {
  std::map<ir::FunctionId, Subject> subjects;
  std::map<ir::FunctionId, ir::FunctionId> targets;  ///< By abstraction.
};

/// Marks the actions, and finds the subjects of all lines. Throws InputError.
Binding bind(ir::Program& program, const Plan& plan);

/// All functions of that name; there may be several static ones.
std::vector<ir::FunctionId> functions_named(const ir::Program& program,
                                            const std::string& routine);

/// Whether events have to be put around the calls, since nothing can stand
/// between a call and a routine that takes what nobody knows.
bool observes_calls_only(const ir::Program& program, ir::FunctionId id,
                         const Subject& subject);

}  // namespace agon::spec
