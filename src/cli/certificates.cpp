// SPDX-License-Identifier: Apache-2.0
#include "cli/certificates.h"

#include "cli/induction.h"
#include "cli/output.h"
#include "cli/variant.h"
#include "concurrent/certificate.h"
#include "report/version.h"
#include "support/source.h"
#include "verify/certificate.h"

namespace agon::cli {
namespace {

evidence::CertifiedFile certified(const std::string& file) {
  return {file, evidence::sha256(support::Source::open(file).text())};
}

}  // namespace

void refuse_certificate(const std::string& reason, const EngineOptions& options,
                        Session& session, Result& result) {
  if (options.certificate.empty() ||
      result.verdict != support::Verdict::Holds) {
    return;
  }
  session.print("  no certificate: {}\n", reason);
  result.extra.emplace_back("certificate", nullptr);
  result.extra.emplace_back("certificate_reason", reason);
}

namespace {

void keep(verify::Certified made, const ir::Program& program,
          const std::string& target, const std::string& spec,
          const EngineOptions& options, Session& session, Result& result) {
  if (!made.proof) {
    refuse_certificate(made.reason, options, session, result);
    return;
  }
  made.proof->target = target;
  made.proof->spec = spec;
  for (const ir::Assumption& assumption : program.assumptions) {
    made.proof->assumptions.emplace_back(assumption.subject, assumption.why);
  }
  session.print("  certificate: {}\n", options.certificate);
  result.extra.emplace_back("certificate", options.certificate);
  session.proofs.push_back(std::move(*made.proof));
}

}  // namespace

void certify(const ir::Program& program, const AskedQuestion& question,
             const evidence::Result& found, const verify::Hints* hints,
             const EngineOptions& options, Session& session, Result& result) {
  if (options.certificate.empty() || found.verdict != support::Verdict::Holds) {
    return;
  }
  const bool has_library = !found.library.empty();
  const ir::Program about =
      variant_of(program, question, {.has_library = has_library});
  const verify::CertificateRequest request{about,
                                           question.entry,
                                           question.lts,
                                           question.any_state,
                                           question.callbacks,
                                           found.decided_by == "simulation",
                                           options.solver,
                                           hints};
  const bool is_complete = question.induction == nullptr ||
                           question.induction->is_asked(question.entry);
  verify::Certified made;
  if (is_complete) {
    made = verify::certify(request, options.verify, session.context);
  }
  if (!made.proof && question.own != nullptr && !question.own->empty()) {
    const ir::Program unfolded =
        variant_of(about, question, {.is_unfolded = true});
    const verify::CertificateRequest plain{
        unfolded,          request.entry,     request.spec,
        request.any_state, request.callbacks, request.by_simulation,
        request.solver};
    made = verify::certify(plain, options.verify, session.context);
  }
  if (made.proof) {
    made.proof->arm = static_cast<std::uint32_t>(question.arm);
    made.proof->guard = question.guard;
    made.proof->errors = question.errors;
    made.proof->has_library = has_library;
  }
  keep(std::move(made), about, question.target, question.spec, options, session,
       result);
}

void certify(const ir::Program& program, const spec::ProgramQuestion& question,
             bool has_errors, const EngineOptions& options, Session& session,
             Result& result) {
  if (options.certificate.empty() ||
      result.verdict != support::Verdict::Holds) {
    return;
  }
  keep(concurrent::certify({program, question, has_errors, options.solver},
                           options.verify, session.context),
       program, question.definition.name, question.spec, options, session,
       result);
}

void write_certificate(const CInput& input, const std::string& spec,
                       ir::DataModel model, const EngineOptions& options,
                       Session& session) {
  if (session.proofs.empty()) return;
  evidence::Certificate certificate;
  certificate.agon = report::kVersion;
  certificate.command = session.report.command;
  certificate.data_model = model == ir::DataModel::LP64 ? "LP64" : "ILP32";
  certificate.overflow_is_error = input.options.overflow_is_error;
  certificate.volatile_is_input = input.options.volatile_is_input;
  certificate.malloc_may_fail = input.options.malloc_may_fail;
  for (const std::string& file : input.files) {
    certificate.sources.push_back(certified(file));
  }
  if (!spec.empty()) certificate.spec.push_back(certified(spec));
  certificate.proofs = std::move(session.proofs);
  write_file(options.certificate, evidence::write(certificate));
}

}  // namespace agon::cli
