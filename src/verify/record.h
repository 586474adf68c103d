// SPDX-License-Identifier: Apache-2.0
/// From an execution of a prepared program to one of the program that it was
/// made from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "evidence/recording.h"
#include "term/evaluate.h"
#include "verify/sequential.h"

namespace agon::verify {

/// The original program as it is run: with any globals, if they may be.
ir::Program runnable(const Original& original);

/// Runs the original program of the task so that it does what the prepared one
/// does with these values at the start and these choices, one for each Havoc.
/// Choices are told by where they stand and through which calls; what was sliced
/// away gets 0. Objects get the places that they have in the prepared program.
/// Nothing if the original does not perform these actions then.
std::optional<evidence::Recording> record(
    const Task& task, const term::Assignment& initial,
    const std::vector<term::Value>& choices,
    const std::vector<std::string>& actions);

}  // namespace agon::verify
