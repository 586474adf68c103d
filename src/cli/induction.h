// SPDX-License-Identifier: Apache-2.0
/// Whether proofs by induction are complete.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "ir/program.h"
#include "spec/weave.h"
#include "support/verdict.h"

namespace agon::cli {

/// Knows what was found out about the questions of a specification file, as far
/// as their proofs may take each other for granted, and asks what was not.
class Induction {
 public:
  using Decide = std::function<support::Verdict(const spec::Question&)>;

  /// All have to outlive this. `target`: of the questions that the user asks;
  /// empty if all are asked.
  Induction(const ir::Program& program, const spec::Woven& woven,
            const std::string& target, Decide decide)
      : program_(program),
        woven_(woven),
        target_(target),
        decide_(std::move(decide)) {}

  /// What the engine says about the question with this entry, provided that all
  /// is true that it takes for granted.
  void note(ir::FunctionId entry, support::Verdict verdict);

  /// A target that is not proved to do what a proof about `entry` takes for
  /// granted; nothing if there is none.
  std::optional<std::string> gap(ir::FunctionId entry);

  /// Whether all is asked that a proof about `entry` takes for granted, so that
  /// a certificate can have it.
  bool is_asked(ir::FunctionId entry) const;

 private:
  support::Verdict verdict_of(const spec::Question& question);

  const ir::Program& program_;
  const spec::Woven& woven_;
  const std::string& target_;
  Decide decide_;
  std::map<std::string, support::Verdict> verdicts_;
};

}  // namespace agon::cli
