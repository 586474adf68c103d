// SPDX-License-Identifier: Apache-2.0
/// Executions with inputs that are made up: where a violation takes many steps
/// but no inputs in particular, one of them shows it.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "falsify/replay.h"
#include "ir/interpreter.h"
#include "lts/determinise.h"
#include "lts/successors.h"
#include "verify/sequential.h"

namespace agon::verify {

class Trials {
 public:
  /// Both must outlive this object.
  Trials(const Task& task, support::Context& context);

  /// Runs the program until an action is performed that the specification does
  /// not allow, or about so many steps have been taken by this and all earlier
  /// attempts. Executions may be as long as it takes, but are short at first.
  /// Values that nobody could choose play no part in what is found.
  std::optional<falsify::Execution> attempt(std::uint64_t allowed);

 private:
  class Inputs;

  std::optional<falsify::Execution> run_once();
  /// What comes after a round of executions of one length.
  void lengthen();

  const Task& task_;
  support::Context& context_;
  lts::ExplicitSuccessors spec_;
  lts::Determinised allowed_actions_;
  const std::vector<term::Bits> constants_;
  std::mt19937_64 random_;
  std::uint64_t spent_ = 0;
  std::uint64_t length_;        ///< Steps of an execution.
  std::size_t runs_ = 0;        ///< Of that length.
  bool is_cut_ = false;         ///< One of them was longer.
  bool is_determined_ = false;  ///< The last one made no choice.
  bool is_done_ = false;
};

}  // namespace agon::verify
