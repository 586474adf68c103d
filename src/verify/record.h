// SPDX-License-Identifier: Apache-2.0
/// From an execution of a prepared program to one of the program that it was
/// made from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "evidence/recording.h"
#include "evidence/rests.h"
#include "falsify/replay.h"
#include "term/evaluate.h"
#include "verify/sequential.h"

namespace agon::verify {

/// The original program as it is run: with any globals, if they may be.
ir::Program runnable(const Original& original);

/// What an execution chooses: the values of all Havocs, in order.
struct Choices {
  std::vector<term::Value> values;
  /// Those of arrays are not among them: they are zero.
  bool are_arrays_zero = false;
};

/// The values of the game of falsification.
Choices choices_of(const ir::Program& program, const falsify::Execution& made);
term::Assignment start_of(const ir::Program& program,
                          const falsify::Execution& made);

/// What came of running the original program.
struct Replayed {
  /// What it does otherwise than it should; empty if it does what it should, as
  /// far as it was run.
  std::string problem;
  /// Then, unless the execution is too long to be kept, or to be run to the
  /// end.
  std::optional<evidence::Recording> recording;
};

/// Runs the original program of the task so that it does what the prepared one
/// does with these values at the start and these choices, and sees whether it
/// performs these actions.
/// Choices are told by where they stand and through which calls; what was
/// sliced away gets 0. Objects get the places that they have in the prepared
/// program.
Replayed record(const Task& task, const term::Assignment& initial,
                const Choices& choices, const std::vector<std::string>& actions,
                evidence::Until until = evidence::Until::LastAction);

}  // namespace agon::verify
