// SPDX-License-Identifier: Apache-2.0
/// The C functions that stand for assumptions, targets and events.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "spec/ast.h"
#include "spec/c_writer.h"
#include "spec/processes.h"
#include "spec/returns.h"
#include "support/source.h"

namespace agon::spec {

/// The routine of the fragments that performs an action, by its label.
using ActionNames = std::function<std::string(const std::string& label)>;

/// One line, with what is needed to write it as C.
struct LineToWrite {
  const support::Source& source;
  const Description& description;
  const std::vector<Process>& processes;  ///< One per arm.
  std::size_t number = 0;                 ///< Makes names unique.
  const ActionNames& action;
};

/// Declares what all functions of a line use, its type above all. Comes first.
std::string prelude(const LineToWrite& line);

/// A function that behaves as the processes say.
struct Behaviour {
  std::string function;
  /// Performs ProgramQuestion's actions where it stops or steps silently.
  bool shows_silence = false;
  /// For the abstraction of a recursive target: other actions that may happen
  /// in between, per arm; the routine that stands for what it changes; and the
  /// action of a call outside of all guards.
  bool is_own = false;
  std::vector<std::vector<std::string>> in_between;
  std::string effects;
  std::string outside;
};
std::string behaviour(const LineToWrite& line, const Behaviour& wanted);

/// Calls the target under the guard of an arm and performs the action of the
/// class that its result is in.
std::string wrapper(const LineToWrite& line, std::size_t arm,
                    const std::string& function, const ReturnClasses& classes);

/// Performs the action of the class that `__agon_value`, which is of the type
/// of the line's routine, is in.
void classify(CWriter& out, const LineToWrite& line, Offset place,
              const ReturnClasses& classes);

/// Performs GuardCheck's actions where the guards are not as they have to be.
std::string guard_check(const LineToWrite& line, const std::string& function,
                        bool must_be_complete);

/// Performs the event if its condition holds.
std::string observer(const support::Source& source, const EventDef& event,
                     const std::string& function, const std::string& action);

/// Performs an action.
std::string called(const support::Source& source, Offset place,
                   const std::string& function, const std::string& action);

/// Performs the action of the class that the result of a routine is in.
std::string returned(const support::Source& source, Offset place,
                     const std::string& function, const std::string& routine,
                     const ReturnClasses& classes, const ActionNames& action);

}  // namespace agon::spec
