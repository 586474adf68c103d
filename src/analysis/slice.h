// SPDX-License-Identifier: Apache-2.0
/// Keeps of a program only what can influence what is observed.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "ir/program.h"

namespace agon::analysis {

/// Whether a loop that may not end has to be kept for that reason.
enum class Loops : std::uint8_t {
  Keep,          ///< The slice runs forever exactly if the program does.
  MayTerminate,  ///< Loops and recursion that have a way out take it.
};

enum class Returns : std::uint8_t {
  Value,  ///< What the entry returns is observed.
  Fact,   ///< Only that it returns.
};

/// What is observed of a run. That execution returns, stops or blocks always
/// is.
struct Criterion {
  /// Routines whose calls are observed; if not given, all without a body. Of
  /// one that has a body, the results are observed too.
  std::optional<std::set<ir::FunctionId>> routines;
  /// Whether the arguments of observed calls matter.
  bool arguments = true;
  Returns returns = Returns::Value;
  Loops loops = Loops::Keep;
  /// Variables whose values matter wherever a call is observed and where the
  /// entry returns: those that guards read.
  std::vector<ir::VariableId> variables;
  /// Which memory a routine without a body may write; if not given, all.
  std::function<bool(ir::FunctionId routine, ir::VariableId array)> may_write;
  /// Whether to drop functions, variables and objects that are not used any
  /// more. Otherwise all ids stay as they are, and so does the pool of terms;
  /// `prune` can follow later and says where everything went.
  bool prune = true;
};

/// The part of a program that can influence what is observed.
///
/// From equal inputs, and if unknown values are the same, program and slice
/// make the same observed calls with the same arguments in the same order and
/// end alike. A routine without a body may return anything and write anything
/// to memory; what it reads is not followed, apart from its arguments. It is
/// kept if what it returns or writes matters, even if its call is not observed.
///
/// Works with calls as well as after inlining; it is more precise after, since
/// variables that several functions use are not followed flow by flow. Values
/// that do not matter are passed and returned as 0. Positions stay.
ir::Program slice(const ir::Program& program, ir::FunctionId entry,
                  const Criterion& criterion = {});

}  // namespace agon::analysis
