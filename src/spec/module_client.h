// SPDX-License-Identifier: Apache-2.0
/// Clients of a module, as the questions of a specification see them.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "ir/client.h"
#include "ir/program.h"
#include "spec/specification.h"

namespace agon::spec {

/// What the question is called that is asked of every module.
inline constexpr const char* kModuleTarget = "module";
inline constexpr const char* kNoError = "no error";

/// Where a module ends.
struct ModuleBorder {
  std::vector<std::string> api;  ///< What clients call.
  /// What had no body in the files, before a specification was woven in.
  std::set<std::string> undefined;
};

std::set<std::string> without_body(const ir::Program& program);

struct ModuleClient {
  ir::FunctionId function;
  std::vector<ir::ApiFunction> api;
};

/// Adds the client (ir/client.h) that a question is about to a program that the
/// specification is woven into. It performs the actions of this question, and
/// of no other. Null: there is no specification, or whether there is an error.
/// Throws InputError if the question speaks of routines that are not at the
/// border. All functions of `border.api` exist.
ModuleClient add_client(ir::Program& program,
                        const Specification* specification,
                        const ModuleQuestion* question,
                        const ModuleBorder& border);

/// Notes that clients change variables by calls only, which other files could
/// change.
void assume_calls_only(ir::Program& program);

}  // namespace agon::spec
