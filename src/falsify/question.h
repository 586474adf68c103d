// SPDX-License-Identifier: Apache-2.0
/// Programs in which everything that is not determined is a choice.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "ir/program.h"

namespace agon::falsify {

/// A body that calls nothing but the action `error`, and what holds before it.
struct Question {
  const ir::Program& program;
  ir::FunctionId entry;
  /// What variables hold at the start. Parameters and other globals may hold
  /// anything, as the Falsifier likes.
  std::vector<std::pair<ir::VariableId, term::Term>> start = {};
};

/// How choices of values look in the model.
enum class Choices : std::uint8_t {
  Values,      ///< One step; the solver says which sets it can be steered to.
  Generators,  ///< FALS §4: a small graph of choices and counting steps.
};

/// The program with statements in front of its body that make the start
/// explicit: assignments, then a choice for each scalar that may hold anything
/// and matters.
struct Explicit {
  ir::Program program;
  std::vector<ir::VariableId> chosen;  ///< What is chosen in front, in order.
  /// With generators: what is flipped, and where a variable has its value.
  ir::VariableId coin;
  std::map<ir::EdgeId, ir::VariableId> counted;
};

Explicit make_explicit(const Question& question, Choices choices);

}  // namespace agon::falsify
