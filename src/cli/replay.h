// SPDX-License-Identifier: Apache-2.0
/// Recorded violations, run again. The command that found one is run up to the
/// point where it would decide the question, so that nothing is posed twice.
#pragma once

#include <string>
#include <variant>

#include "cli/questions.h"
#include "cli/session.h"
#include "evidence/recording.h"
#include "spec/specification.h"

namespace agon::cli {

/// What a session looks for that replays.
struct Replaying {
  const std::variant<evidence::Recording, evidence::Interleaving>& execution;
  std::string target;
  std::string spec;
  bool is_found = false;  ///< The question that it belongs to.
  std::string harness;    ///< A file for one; empty: none.
  bool is_full = false;   ///< Whether steps of the specification are shown.
};

/// Runs the recording of the session if it belongs to this question: Violated
/// if the violation happens. Holds if it is another question's.
support::Verdict replay(const ir::Program& program,
                        const AskedQuestion& question, Session& session);

/// The same for a program of several components.
support::Verdict replay(const ir::Program& program,
                        const spec::ProgramQuestion& question, bool has_errors,
                        Session& session);

/// By which a recording knows its program.
std::string digest(const ir::Program& program);

/// The digest of a program that many questions are asked about, made when it is
/// first wanted. The program must not change meanwhile.
class ProgramDigest {
 public:
  explicit ProgramDigest(const ir::Program& program) : program_(program) {}
  bool is_of(const ir::Program& program) const { return &program == &program_; }
  const std::string& text() const;

 private:
  const ir::Program& program_;
  mutable std::string text_;
};

}  // namespace agon::cli
