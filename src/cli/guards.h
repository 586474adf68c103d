// SPDX-License-Identifier: Apache-2.0
/// Whether the guards of a specification are as they have to be.
#pragma once

#include "cli/commands.h"
#include "cli/session.h"
#include "ir/program.h"
#include "spec/specification.h"

namespace agon::cli {

/// Throws InputError where guards overlap or leave out a call of a routine that
/// is assumed.
void check_guards(const ir::Program& program, const spec::GuardCheck& check,
                  const EngineOptions& options, Session& session);

}  // namespace agon::cli
