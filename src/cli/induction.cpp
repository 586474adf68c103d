// SPDX-License-Identifier: Apache-2.0
#include "cli/induction.h"

#include "spec/induction.h"

namespace agon::cli {

using support::Verdict;

void Induction::note(ir::FunctionId entry, Verdict verdict) {
  verdicts_.emplace(program_[entry].name, verdict);
}

std::optional<std::string> Induction::gap(ir::FunctionId entry) {
  return spec::unproved(program_, woven_, program_[entry].name,
                        [&](const spec::Question& question) {
                          return verdict_of(question) == Verdict::Holds;
                        });
}

bool Induction::is_asked(ir::FunctionId entry) const {
  return !spec::unproved(program_, woven_, program_[entry].name,
                         [&](const spec::Question& question) {
                           return target_.empty() || question.target == target_;
                         });
}

Verdict Induction::verdict_of(const spec::Question& question) {
  const auto known = verdicts_.find(question.entry);
  if (known != verdicts_.end()) return known->second;
  const Verdict verdict = decide_(question);
  verdicts_.emplace(question.entry, verdict);
  return verdict;
}

}  // namespace agon::cli
