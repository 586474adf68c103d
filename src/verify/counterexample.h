// SPDX-License-Identifier: Apache-2.0
/// From a model of a play to an execution that the interpreter has run.
#pragma once

#include <optional>
#include <string>

#include "evidence/result.h"
#include "refine/feasibility.h"
#include "refine/play.h"
#include "verify/sequential.h"

namespace agon::verify {

struct Replayed {
  /// What went otherwise than the play says; then it is not a counterexample.
  std::optional<std::string> problem;
  evidence::Counterexample counterexample;
};

/// Runs every branch of a play in the interpreter, with the inputs that make it
/// real, and describes what happens.
Replayed replay(const Task& task, abstraction::AbstractSteps& steps,
                const refine::Play& play, const refine::Feasibility& found);

}  // namespace agon::verify
