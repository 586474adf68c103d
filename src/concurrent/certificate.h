// SPDX-License-Identifier: Apache-2.0
/// Proofs about programs of several components, for agon-certify.
#pragma once

#include "concurrent/question.h"
#include "verify/certificate.h"

namespace agon::concurrent {

struct CertificateRequest {
  const ir::Program& program;  ///< As it was woven.
  const spec::ProgramQuestion& question;
  bool has_errors = false;
  std::string solver = "z3";
};

/// For a question whose answer is yes. Each component is abstracted by
/// predicates alone; what they do together is explored as it is.
verify::Certified certify(const CertificateRequest& request,
                          const verify::Options& options,
                          support::Context& context);

}  // namespace agon::concurrent
