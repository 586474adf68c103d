// SPDX-License-Identifier: Apache-2.0
#include "cli/certificates.h"

#include <algorithm>
#include <iterator>

#include "cli/decide.h"
#include "cli/induction.h"
#include "cli/output.h"
#include "cli/variant.h"
#include "concurrent/certificate.h"
#include "ir/library.h"
#include "report/version.h"
#include "spec/induction.h"
#include "support/source.h"
#include "verify/certificate.h"

namespace agon::cli {
namespace {

bool is_wanted(const EngineOptions& options, const Result& result) {
  return !options.certificate.empty() &&
         result.verdict == support::Verdict::Holds;
}

evidence::CertifiedFile certified(const std::string& file) {
  return {file, evidence::sha256(support::Source::open(file).text())};
}

}  // namespace

void refuse_certificate(const std::string& reason, const EngineOptions& options,
                        Session& session, Result& result) {
  if (!is_wanted(options, result)) return;
  refuse_certificate(reason, result, session.text);
}

namespace {

/// Meanwhile, the answer is known in case that the process has to be ended.
class Answered {
 public:
  Answered(Session& session, const Result& result) : session_(session) {
    session.answered = result;
    publish(session);
  }
  ~Answered() { session_.answered.reset(); }
  Answered(const Answered&) = delete;
  Answered& operator=(const Answered&) = delete;

 private:
  Session& session_;
};

/// Unless it is there, as what another one takes for granted.
void add(evidence::Proof proof, Session& session) {
  const bool is_there =
      std::ranges::any_of(session.proofs, [&](const evidence::Proof& each) {
        return each.target == proof.target && each.arm == proof.arm &&
               each.spec == proof.spec;
      });
  if (!is_there) session.proofs.push_back(std::move(proof));
}

void keep(verify::Certified made, std::vector<evidence::Proof> granted,
          const EngineOptions& options, Session& session, Result& result) {
  if (!made.proof) {
    refuse_certificate(made.reason, options, session, result);
    return;
  }
  session.print("  certificate: {}\n", options.certificate);
  result.extra.emplace_back("certificate", options.certificate);
  for (evidence::Proof& each : granted) add(std::move(each), session);
  add(*std::move(made.proof), session);
}

/// Says what the proof is about.
verify::Certified labelled(verify::Certified made, const std::string& target,
                           const std::string& spec, const ir::Program& program,
                           bool has_library) {
  if (!made.proof) return made;
  made.proof->target = target;
  made.proof->spec = spec;
  made.proof->has_library = has_library;
  for (const ir::Assumption& assumption : program.assumptions) {
    made.proof->assumptions.emplace_back(assumption.subject, assumption.why);
  }
  return made;
}

verify::Certified prove(const ir::Program& program,
                        const AskedQuestion& question,
                        const evidence::Recording::Variant& variant,
                        const ProofSource& source, const EngineOptions& options,
                        Session& session) {
  const ir::Program about = variant_of(program, question, variant);
  verify::Certified made = verify::certify(
      {about, question.entry, question.lts, question.any_state,
       question.callbacks, source.found.decided_by == "simulation",
       options.solver, variant.is_unfolded ? nullptr : source.hints,
       variant.is_unfolded ? nullptr : source.look_for_hints},
      options.verify, session.context);
  if (made.proof) {
    made.proof->arm = static_cast<std::uint32_t>(question.arm);
    made.proof->guard = question.guard;
    made.proof->errors = question.errors;
  }
  return labelled(std::move(made), question.target, question.spec, about,
                  variant.has_library);
}

}  // namespace

verify::Certified prove(const ir::Program& program,
                        const AskedQuestion& question,
                        const ProofSource& source, const EngineOptions& options,
                        Session& session) {
  return prove(program, question,
               {.has_library = !source.found.library.empty()}, source, options,
               session);
}

verify::Certified prove(const ir::Program& program,
                        const AskedQuestion& question,
                        const EngineOptions& options, Session& session) {
  std::optional<verify::Hints> hints;
  EngineOptions asked = options;
  asked.verify.on_proof = [&](verify::Hints all) { hints = std::move(all); };
  const evidence::Result found = decide(program, question, asked, session);
  return prove(program, question, {found, hints ? &*hints : nullptr, {}},
               options, session);
}

void certify(const ir::Program& program, const AskedQuestion& question,
             const ProofSource& source, const EngineOptions& options,
             Session& session, Result& result) {
  if (!is_wanted(options, result)) return;
  const Answered answered(session, result);
  const auto make = [&] {
    return prove(program, question, source, options, session);
  };
  if (question.induction == nullptr) {
    return keep(make(), {}, options, session, result);
  }
  Induction::Granted granted = question.induction->granted(question.entry);
  verify::Certified made;
  if (!granted.missing) {
    made = question.induction->proof(question.entry, make);
  }
  if (!made.proof && question.own != nullptr && !question.own->empty()) {
    granted.proofs.clear();
    made = prove(
        program, question,
        {.has_library = !source.found.library.empty(), .is_unfolded = true},
        source, options, session);
  }
  keep(std::move(made), std::move(granted.proofs), options, session, result);
}

void certify(const ir::Program& program, const spec::ProgramQuestion& question,
             Induction& induction, bool has_errors, bool has_library,
             const EngineOptions& options, Session& session, Result& result) {
  if (!is_wanted(options, result)) return;
  const Answered answered(session, result);
  std::vector<evidence::Proof> proofs;
  for (const spec::ComponentQuestion& each : question.components) {
    Induction::Granted granted =
        induction.granted(*program.find_function(each.entry));
    if (granted.missing) {
      return refuse_certificate(spec::takes_for_granted(*granted.missing),
                                options, session, result);
    }
    std::ranges::move(granted.proofs, std::back_inserter(proofs));
  }
  const ir::Program about = has_library ? ir::with_library(program) : program;
  verify::Certified made = labelled(
      concurrent::certify({about, question, has_errors, options.solver},
                          options.verify, session.context),
      question.definition.name, question.spec, about, has_library);
  keep(std::move(made), std::move(proofs), options, session, result);
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
