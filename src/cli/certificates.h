// SPDX-License-Identifier: Apache-2.0
/// `--certificate`: proofs for agon-certify.
#pragma once

#include <functional>

#include "cli/commands.h"
#include "cli/questions.h"
#include "cli/session.h"
#include "evidence/result.h"
#include "ir/program.h"
#include "spec/specification.h"
#include "verify/certificate.h"

namespace agon::cli {

/// What a proof is made from.
struct ProofSource {
  const evidence::Result& found;  ///< The answer, which is yes.
  /// As those of verify::CertificateRequest.
  const verify::Hints* hints;
  std::function<const verify::Hints*()> look_for_hints;
};

/// A proof that takes for granted what the question does.
verify::Certified prove(const ir::Program& program,
                        const AskedQuestion& question,
                        const ProofSource& source, const EngineOptions& options,
                        Session& session);

/// The same of a question that the user has not asked.
verify::Certified prove(const ir::Program& program,
                        const AskedQuestion& question,
                        const EngineOptions& options, Session& session);

/// If a certificate is wanted and the answer is yes: makes the proof, keeps it
/// in the session with those that it takes for granted, and says so; or says
/// why there is none.
void certify(const ir::Program& program, const AskedQuestion& question,
             const ProofSource& source, const EngineOptions& options,
             Session& session, Result& result);

/// The same for a program of several components. `has_library`:
/// the answer rests on what routines of the C library do.
void certify(const ir::Program& program, const spec::ProgramQuestion& question,
             Induction& induction, bool has_errors, bool has_library,
             const EngineOptions& options, Session& session, Result& result);

/// Says that there is no certificate, if one is wanted and the answer is yes.
void refuse_certificate(const std::string& reason, const EngineOptions& options,
                        Session& session, Result& result);

/// Writes the proofs of a run, if there are any.
void write_certificate(const CInput& input, const std::string& spec,
                       ir::DataModel model, const EngineOptions& options,
                       Session& session);

}  // namespace agon::cli
