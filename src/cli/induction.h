// SPDX-License-Identifier: Apache-2.0
/// Whether proofs by induction are complete.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ir/program.h"
#include "spec/weave.h"
#include "support/verdict.h"
#include "verify/certificate.h"

namespace agon::cli {

/// Knows what was found out about the questions of a specification file, as far
/// as their proofs may take each other for granted, and asks what was not.
class Induction {
 public:
  using Decide = std::function<support::Verdict(const spec::Question&)>;
  /// For a question whose answer is yes.
  using Prove = std::function<verify::Certified(const spec::Question&)>;

  /// All have to outlive this.
  Induction(const ir::Program& program, const spec::Woven& woven, Decide decide,
            Prove prove)
      : program_(program),
        woven_(woven),
        decide_(std::move(decide)),
        prove_(std::move(prove)) {}

  /// What the engine says about the question with this entry, provided that all
  /// is true that it takes for granted.
  void note(ir::FunctionId entry, support::Verdict verdict);

  /// A target that is not proved to do what a proof about `entry` takes for
  /// granted; nothing if there is none.
  std::optional<std::string> gap(ir::FunctionId entry);

  /// The proof about `entry` for a certificate, which `make` makes if it has
  /// not been made, provided that all is proved that it takes for granted.
  const verify::Certified& proof(
      ir::FunctionId entry, const std::function<verify::Certified()>& make);

  /// What a proof about `entry` takes for granted, proved for a certificate, or
  /// the target of which there is no such proof.
  struct Granted {
    std::vector<evidence::Proof> proofs;
    std::optional<std::string> missing;
  };
  Granted granted(ir::FunctionId entry);

 private:
  support::Verdict verdict_of(const spec::Question& question);

  const ir::Program& program_;
  const spec::Woven& woven_;
  Decide decide_;
  Prove prove_;
  std::map<std::string, support::Verdict> verdicts_;  // By entry.
  std::map<std::string, verify::Certified> proofs_;   // By entry.
};

}  // namespace agon::cli
