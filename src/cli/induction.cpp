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

const verify::Certified& Induction::proof(
    ir::FunctionId entry, const std::function<verify::Certified()>& make) {
  const std::string& name = program_[entry].name;
  const auto known = proofs_.find(name);
  if (known != proofs_.end()) return known->second;
  return proofs_.emplace(name, make()).first->second;
}

Induction::Granted Induction::granted(ir::FunctionId entry) {
  Granted result;
  result.missing = gap(entry);
  for (const spec::Question* const each :
       spec::taken_for_granted(program_, woven_, program_[entry].name)) {
    if (result.missing) break;
    const verify::Certified& made = proof(*program_.find_function(each->entry),
                                          [&] { return prove_(*each); });
    if (made.proof) {
      result.proofs.push_back(*made.proof);
    } else {
      result.missing = each->target;
    }
  }
  return result;
}

Verdict Induction::verdict_of(const spec::Question& question) {
  const auto known = verdicts_.find(question.entry);
  if (known != verdicts_.end()) return known->second;
  const Verdict verdict = decide_(question);
  verdicts_.emplace(question.entry, verdict);
  return verdict;
}

}  // namespace agon::cli
