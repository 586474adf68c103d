// SPDX-License-Identifier: Apache-2.0
/// The way from a lowered program to the one that is analysed: calls through
/// pointers resolved, calls inlined, memory divided, and the rest cut away.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "analysis/slice.h"
#include "analysis/unknown_calls.h"
#include "ir/program.h"
#include "support/context.h"

namespace agon::analysis {

struct PrepareOptions {
  bool inline_calls = true;
  bool regions = true;
  bool slice = true;
  /// Whether calls of routines without a body become statements that say what
  /// they may change; see unknown_calls.h. Needs regions.
  bool model_calls = false;
  /// The entry is the client of a module (client.h); needs `model_calls`.
  std::optional<Around> around;
  /// Whether routines without a body may call the module; needs `around`.
  bool callbacks = false;
  /// Globals and what parameters point to may hold anything at the start;
  /// otherwise globals have their initial values, as for `main`.
  bool any_state = false;
  /// Pointers to characters from outside the program may point to anything, as
  /// C allows; otherwise to characters only.
  bool characters_reach_all = true;
  /// The actions that are not hidden, by what they are called; if not given,
  /// all.
  std::optional<std::set<std::string>> visible;
  /// Functions that are described elsewhere and stay calls, by name.
  std::set<std::string> keep;
  /// How deep recursion is followed, and what is deeper; see inline.h.
  std::size_t max_depth = 0;
  std::string too_deep;
  /// What a slice observes. Routines are named below, since preparing gives
  /// functions other ids.
  Criterion criterion;
  /// Whether the memory that observed routines can read, the text that printf
  /// gets for example, is observed like their arguments.
  bool observe_memory = false;
  /// Routines whose calls are observed; if not given, all without a body.
  std::optional<std::set<std::string>> observed;
};

struct Prepared {
  ir::Program program;
  ir::FunctionId entry;
  /// Which limit was reached; then the program is not finished.
  std::optional<std::string> reason;
  /// Of a module: whether nothing was left out or added (unknown_calls.h).
  bool is_exact = true;
  bool is_doubtful = false;
};

/// Runs like `program` from `entry`, as far as it is observed. What the steps
/// rely on is added to the program's assumptions.
Prepared prepare(const ir::Program& program, ir::FunctionId entry,
                 const PrepareOptions& options, support::Context& context);

}  // namespace agon::analysis
