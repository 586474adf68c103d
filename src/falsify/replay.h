// SPDX-License-Identifier: Apache-2.0
/// Executions in which the Falsifier's choices are made by the strategy.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "falsify/game.h"
#include "falsify/model.h"
#include "falsify/question.h"
#include "ir/interpreter.h"

namespace agon::falsify {

struct ChosenValue {
  ir::VariableId variable;
  std::string name;  ///< For people.
  term::Bits value = 0;
  ir::Position position;
};

/// What an execution did that reached the error.
struct Execution {
  std::vector<ChosenValue> start;    ///< Of parameters and globals.
  std::vector<ChosenValue> choices;  ///< Of the others, in order.
  std::vector<ir::EdgeId> path;  ///< In the question's body; if it is short.
  std::uint64_t steps = 0;
};

/// How executions start that have to get to the nodes first from which the
/// strategy wins.
struct Approach {
  /// Where these nodes are, by location. An execution counts if it gets there,
  /// and if nothing but the Falsifier's choices was chosen before. Empty: the
  /// strategy wins from the start.
  std::vector<bool> goal;
  std::optional<std::vector<term::Bits>> values;  ///< Of the first choices.
  std::optional<std::uint64_t> seed;  ///< Further ones are random, and not 0.
};

/// Runs the program in the interpreter with the choices that the strategy makes
/// from the nodes `from` on, then the original program with the same choices.
/// Nothing if one of them does not reach the error within so many steps, or
/// before the context is exhausted; `problem` then says what happened.
struct Replay {
  std::optional<Execution> execution;
  std::string problem;
};

Replay replay(const Question& question, const Explicit& played,
              const Model& model, const std::vector<Win>& wins,
              const std::vector<NodeId>& from, std::uint64_t max_steps,
              const Approach& approach, support::Context& context);

}  // namespace agon::falsify
