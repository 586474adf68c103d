// SPDX-License-Identifier: Apache-2.0
/// Executions of components as one of the program, for people.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "concurrent/question.h"
#include "evidence/result.h"
#include "refine/feasibility.h"
#include "verify/component.h"

namespace agon::concurrent {

/// What one component does.
struct Executed {
  const verify::Component& component;
  const refine::Feasibility& found;
  std::size_t branch = 0;  ///< Which of the executions is shown.
};

/// One entry of `executed` for each component, in order. `path` is what they do
/// together.
evidence::Counterexample describe(const Prepared& task,
                                  const std::vector<Move>& path,
                                  const std::vector<Executed>& executed);

/// What came of running the components as they were before they were prepared.
struct Recorded {
  /// What one of them does otherwise than it should.
  std::string problem;
  /// Nothing if some execution is too long to be kept.
  std::optional<evidence::Interleaving> interleaving;
};

Recorded record(const Prepared& task, const std::vector<Move>& path,
                const std::vector<Executed>& executed);

}  // namespace agon::concurrent
