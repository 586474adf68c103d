// SPDX-License-Identifier: Apache-2.0
/// From a program and a specification to a task for the engine.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>

#include "analysis/mathematical.h"
#include "analysis/unknown_calls.h"
#include "ir/actions.h"
#include "ir/program.h"
#include "lts/lts.h"
#include "support/context.h"
#include "verify/options.h"

namespace agon::verify {

using ir::kError;
using ir::mark_actions;
using ir::mark_errors;

struct Prepared {
  ir::Program program;
  ir::FunctionId entry;
  /// Why the task cannot be decided, if it cannot.
  std::optional<std::string> reason;
  /// What it was made from, if it is a program over mathematical integers.
  std::shared_ptr<analysis::Mathematical> mathematical;
  /// Of a module: whether it does all that it can do with its clients and no
  /// more, and whether even certain behaviour is in doubt (unknown_calls.h).
  bool is_exact = true;
  bool is_doubtful = false;
  /// Whether calls of recursive functions are left, which is the reason.
  bool is_recursive = false;
  bool is_unfolded = false;  ///< Whether loops were written out (unfold.h).
};

/// How recursion is looked at where no specification says what it does: a call
/// that is deeper ends the execution.
struct Recursion {
  std::size_t depth = 0;  ///< 0: it is not.
  /// Whether a deeper call performs the action `kDeeper` before.
  bool is_visible = false;
};

inline constexpr char kDeeper[] = "deeper recursion";

/// How the code around a module is looked at.
struct ModuleView {
  analysis::Around around = analysis::Around::All;
  bool callbacks = false;
};

/// Hides the actions that the specification does not constrain, inlines,
/// divides memory and slices. With `any_state` the entry may be called at any
/// time, so that globals hold anything. With `module` it is the client of one.
/// Recursion up to a depth makes a program that does no more than the given
/// one. With `unfolds`, loops that count are written out.
Prepared prepare(const ir::Program& program, ir::FunctionId entry,
                 const lts::Lts& spec, bool any_state,
                 support::Context& context,
                 Integers integers = Integers::Machine,
                 const std::optional<ModuleView>& module = std::nullopt,
                 const Recursion& recursion = {}, bool unfolds = false);

}  // namespace agon::verify
