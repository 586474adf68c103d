// SPDX-License-Identifier: Apache-2.0
/// Asks the engine about programs of several components.
#pragma once

#include "cli/commands.h"
#include "cli/questions.h"
#include "cli/session.h"
#include "ir/program.h"
#include "spec/specification.h"
#include "support/verdict.h"

namespace agon::cli {

/// Decides a question and enters the answer into the report.
support::Verdict ask(const ir::Program& program,
                     const spec::ProgramQuestion& question,
                     const OwnAbstractions& own, Induction& induction,
                     bool has_errors, const EngineOptions& options,
                     Session& session);

}  // namespace agon::cli
