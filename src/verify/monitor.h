// SPDX-License-Identifier: Apache-2.0
/// A program that watches itself: its specification becomes a variable.
#pragma once

#include <optional>
#include <vector>

#include "support/context.h"
#include "verify/sequential.h"

namespace agon::verify {

struct Monitored {
  ir::Program program;
  /// What the variable may hold, one condition for each value; empty if there
  /// is only one.
  std::vector<term::Term> states;
};

/// The program of a task without its actions. Instead, a variable follows the
/// states that the specification can be in, and the program performs `error`
/// exactly where it would perform an action that no such state allows. Choices
/// are the same, in the same order. Nothing if there are more than a few sets
/// of states.
std::optional<Monitored> monitor(const Task& task, support::Context& context);

}  // namespace agon::verify
