// SPDX-License-Identifier: Apache-2.0
/// Which steps of a counterexample a reader of the C files looks for.
#pragma once

#include "evidence/result.h"

namespace agon::evidence {

/// Not those of the specification's own code, and nothing about variables that
/// the source does not have.
inline bool is_essential(const SourceStep& step) {
  const bool is_ours =
      step.file.ends_with(".agon") || step.line == 0 ||
      (step.text.find("__agon_") != std::string::npos && !step.is_return);
  return !step.action.empty() || (!is_ours && !step.is_technical);
}

}  // namespace agon::evidence
