// SPDX-License-Identifier: Apache-2.0
/// Routines without a body that call functions of a module.
#pragma once

#include <optional>
#include <string>

#include "analysis/unknown_calls.h"
#include "ir/program.h"

namespace agon::analysis {

struct WithCallbacks {
  ir::Program program;
  /// Whether every behaviour of the result is one of the module with some
  /// surroundings, and the other way round.
  bool is_exact = true;
  /// What makes them impossible to follow, if anything.
  std::optional<std::string> reason;
};

/// Lets every routine without a body that nothing is known about call the
/// functions that `client` (client.h) calls, as often as it likes and to any
/// depth. Calls through pointers have been resolved.
///
/// A call of such a routine may leave the module: then the functions that are
/// active return at once to the client, which goes on as the routine. One such
/// state of the functions is kept and can be returned to at any time. Of those
/// that are left while it is kept nothing is known afterwards except that they
/// were there: to return to them is possible only if not only certain behaviour
/// is looked at, and with any values of their variables.
WithCallbacks add_callbacks(ir::Program program, ir::FunctionId client,
                            Around around);

/// Variables for people who want to know what happened: they become 1 when a
/// routine calls back, and when it is about to return.
inline constexpr const char* kAbandoned = "__agon_abandoned";
inline constexpr const char* kResuming = "__agon_resuming";

}  // namespace agon::analysis
