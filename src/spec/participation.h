// SPDX-License-Identifier: Apache-2.0
/// Which actions the components of a program take part in.
#pragma once

#include <span>
#include <vector>

#include "ir/program.h"
#include "ir/unreached.h"
#include "spec/specification.h"

namespace agon::spec {

/// Enters what the components can perform in the woven program. Throws
/// InputError where a relabelling concerns nothing.
void find_actions(const ir::Program& program, const Plan& plan,
                  ProgramQuestion& question);

/// Components that know no action which others know, though a call that is not
/// reached would perform it. The actions have to be entered already.
std::vector<Bystander> find_bystanders(
    const ir::Program& program, const Plan& plan,
    const ProgramQuestion& question,
    std::span<const ir::UnreachedCall> unreached);

/// Components that know actions which others know just because they call
/// through a pointer. The actions have to be entered already.
std::vector<Supposed> find_supposed(const ir::Program& program,
                                    const Plan& plan,
                                    const ProgramQuestion& question);

}  // namespace agon::spec
