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

/// Verdict, actions and chart.
void print(const spec::ProgramQuestion& question, const evidence::Result& found,
           bool is_full, Session& session);

/// Writes the interleaving to a file, unless it is empty or has been written.
void write_schedule(const std::string& path,
                    const evidence::Counterexample& counterexample,
                    Session& session);

/// Decides a question and enters the answer into the report.
support::Verdict ask(const ir::Program& program,
                     const spec::ProgramQuestion& question,
                     const OwnAbstractions& own, Induction& induction,
                     const ProgramDigest& digest, bool has_errors,
                     const EngineOptions& options, Session& session);

}  // namespace agon::cli
