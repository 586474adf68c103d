// SPDX-License-Identifier: Apache-2.0
/// Puts the bodies of functions where they are called.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "ir/program.h"

namespace agon::analysis {

struct InlineOptions {
  /// Functions whose calls stay calls although they have a body, such as
  /// routines that a specification describes. Their bodies stay as they are.
  std::set<ir::FunctionId> keep;
  /// How many copies of a recursive function may lie inside of one another;
  /// 0: calls into a recursive cycle stay calls.
  std::size_t max_depth = 0;
  /// The action that a call performs which would be deeper, before execution
  /// ends there; empty: it only ends.
  std::string too_deep;
  /// Bound on the edges of all automata that are made.
  std::size_t max_edges = 2'000'000;
};

struct Inlined {
  /// Nothing if the limit was reached.
  std::optional<ir::Program> program;
  /// Why there is no program, for people.
  std::string reason;
};

/// Makes the body of `entry` one automaton: every direct call of a function
/// with a body is replaced by a copy of that body, except calls of functions in
/// `keep` and calls into a recursive cycle. Functions of such a cycle keep
/// their bodies, in which all other calls are inlined likewise. Calls through
/// pointers stay; resolve them first.
///
/// The result runs like `program`: the same outcome, results and actions. With
/// `max_depth` it does so up to the first call that is deeper, and what is
/// known about arguments keeps copies out that are never reached; where no
/// assumption can hold, execution is Stopped and not Blocked then.
///
/// - Each copy has variables and objects of its own, which belong to the
///   function that it was put into; `display` is as in the source.
/// - Parameters become assignments, and a return becomes assignments of the
///   results and a jump behind the call. A missing value is Havoc (Undefined),
///   and one of another width is extended with zeros or truncated.
/// - Statements have the positions of the source, and `Edge::inlined` says
///   through which calls they came.
///
/// Ids of the input stay valid, and functions that are not called any more stay
/// in the program: `prune` drops them. The cost is linear in the result.
Inlined inline_calls(const ir::Program& program, ir::FunctionId entry,
                     const InlineOptions& options = {});

}  // namespace agon::analysis
