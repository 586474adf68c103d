// SPDX-License-Identifier: Apache-2.0
/// Whether what a specification says about routines agrees with the program.
#pragma once

#include <map>
#include <string>

#include "ir/program.h"
#include "spec/binding.h"
#include "spec/specification.h"

namespace agon::spec {

/// Throws InputError unless the routine has the number of parameters and, if
/// the line was not imported, the types that a line gives it. `described`: the
/// function with the parameters and the result of the line.
void check_types(const ir::Program& program, const Plan::Shape& shape,
                 ir::FunctionId described, ir::FunctionId routine);

/// Throws InputError if several functions of this name have bodies, so that it
/// is not said which of them is meant.
void check_unique(const ir::Program& program, const std::string& routine,
                  const Place& place);

/// Throws InputError if what a routine does is put in place of its calls, so
/// that no call is left to be seen.
void check_visible(const ir::Program& program, ir::FunctionId routine,
                   const Place& place);

/// Throws InputError if a condition of the specification calls what changes the
/// program, performs actions, or ends it.
void check_conditions(const ir::Program& program, const Plan& plan,
                      const Binding& binding);

}  // namespace agon::spec
