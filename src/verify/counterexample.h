// SPDX-License-Identifier: Apache-2.0
/// From a model of a play to an execution that the interpreter has run.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "evidence/result.h"
#include "refine/feasibility.h"
#include "refine/play.h"
#include "verify/record.h"
#include "verify/sequential.h"

namespace agon::verify {

/// Runs every branch of a play in the interpreter, with the inputs that make it
/// real. Says what went otherwise than the play says, if anything did; then it
/// is not a counterexample.
std::optional<std::string> replay(const Task& task,
                                  const abstraction::Blocks& blocks,
                                  const refine::Feasibility& found);

/// A place on the way where a value was taken from nowhere, because Agon does
/// not compute it, such as a result of floating-point arithmetic. Whether the
/// program can do this is then not certain.
std::optional<std::string> uncertain_step(const Task& task,
                                          const refine::Feasibility& found);

/// The steps of an execution, for people.
std::vector<evidence::SourceStep> describe_path(
    const Task& task, const abstraction::Blocks& blocks,
    const refine::Execution& run);

/// What parameters and globals that matter hold at the start, by name.
std::vector<std::pair<std::string, std::string>> describe_start(
    const Task& task, const refine::Feasibility& found);

/// Runs every branch of a play on the original program of the task. What is
/// recorded is the shortest, which `describe` shows.
Replayed replay_original(const Task& task, const abstraction::Blocks& blocks,
                         const refine::Play& play,
                         const refine::Feasibility& found);

/// Runs every branch on the original program of the task, too. Says why it does
/// not count as an execution of that one, if it does not: it does something
/// else, or a routine would have to know what nobody told it.
std::optional<std::string> doubt_on_original(const Task& task,
                                             const abstraction::Blocks& blocks,
                                             const refine::Feasibility& found);

/// What happens, for people.
evidence::Counterexample describe(const Task& task,
                                  const abstraction::Blocks& blocks,
                                  const refine::Play& play,
                                  const refine::Feasibility& found);

}  // namespace agon::verify
