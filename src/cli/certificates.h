// SPDX-License-Identifier: Apache-2.0
/// `--certificate`: proofs for agon-certify.
#pragma once

#include "cli/commands.h"
#include "cli/questions.h"
#include "cli/session.h"
#include "evidence/result.h"
#include "ir/program.h"
#include "spec/specification.h"

namespace agon::cli {

/// If a certificate is wanted and the answer is yes: makes the proof, keeps it
/// in the session, and says so; or says why there is none.
/// `hints`: what the proof relies on, if it is known.
void certify(const ir::Program& program, const AskedQuestion& question,
             const evidence::Result& found, const verify::Hints* hints,
             const EngineOptions& options, Session& session, Result& result);

/// The same for a program of several components.
void certify(const ir::Program& program, const spec::ProgramQuestion& question,
             bool has_errors, const EngineOptions& options, Session& session,
             Result& result);

/// Says that there is no certificate, if one is wanted and the answer is yes.
void refuse_certificate(const std::string& reason, const EngineOptions& options,
                        Session& session, Result& result);

/// Writes the proofs of a run, if there are any.
void write_certificate(const CInput& input, const std::string& spec,
                       ir::DataModel model, const EngineOptions& options,
                       Session& session);

}  // namespace agon::cli
