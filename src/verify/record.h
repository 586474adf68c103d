// SPDX-License-Identifier: Apache-2.0
/// From an execution of a prepared program to one of the program that it was
/// made from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "evidence/recording.h"
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

/// Runs the original program of the task so that it does what the prepared one
/// does with these values at the start and these choices.
/// Choices are told by where they stand and through which calls; what was
/// sliced away gets 0. Objects get the places that they have in the prepared
/// program. Nothing if the original does not perform these actions then.
std::optional<evidence::Recording> record(
    const Task& task, const term::Assignment& initial, const Choices& choices,
    const std::vector<std::string>& actions);

}  // namespace agon::verify
