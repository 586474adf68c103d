// SPDX-License-Identifier: Apache-2.0
/// Visible actions of a program.
#pragma once

#include <functional>
#include <set>
#include <span>
#include <string>

#include "ir/program.h"

namespace agon::ir {

/// The visible action of a program that fails.
inline constexpr const char* kError = "error";

/// How the name starts of a function that stands for a described routine.
inline constexpr const char* kDescribed = "__agon_assumed_";

/// How the name ends of a function that performs the events of another.
inline constexpr const char* kWithEvents = " with events";

/// Shows every edge of every body to `change`, which may alter its statement.
void change_edges(Program& program, const std::function<void(Edge&)>& change);

/// Makes every call of one of the routines an action that nothing follows,
/// whether they have a body or not.
void mark_actions(Program& program, std::span<const std::string> routines,
                  const char* label);

/// The same with the action `error`.
void mark_errors(Program& program, std::span<const std::string> routines);

/// Makes all actions silent but those with these labels.
void hide_actions(Program& program, const std::set<std::string>& visible);

}  // namespace agon::ir
