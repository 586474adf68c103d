// SPDX-License-Identifier: Apache-2.0
/// A program as one automaton, by definitions only: no analysis takes part.
///
/// A certificate is about this automaton, and whoever checks it makes the
/// automaton anew. So the way there is short, and the same every time: names
/// and locations depend on the program alone.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "ir/program.h"

namespace agon::ir {

struct FlattenOptions {
  /// The labels of the actions that are seen. Others are silent.
  std::set<std::string> visible;
  /// The entry may be called at any time; otherwise globals have their initial
  /// values.
  bool any_state = false;
  /// Routines without a body whose calls stay as they are: for tests, which run
  /// programs and look at what they print.
  std::set<std::string> keep;
  std::size_t max_edges = 200'000;
};

struct Flat {
  /// Has a pool of its own. Nothing if there is a reason.
  std::optional<Program> program;
  FunctionId entry;
  std::string reason;  ///< Why not, for people.
};

/// Does all that `program` can do from `entry` on, and possibly more. The body
/// of the entry has no calls but of actions.
///
/// - Bodies are put where they are called. A call through a pointer is a branch
///   over all functions that fit and whose address is used; in the remaining
///   case anything is called.
/// - A routine without a body may change all of memory and every variable that
///   other files can name, unless it is known (routines.h). An allocator gives
///   the next free address, as docs/c.md says.
/// - Objects to which nothing points but variables that point to nothing else
///   have an array of their own; all others share `memory`.
/// - Pointers among the parameters and globals that have no initial value point
///   neither to locals nor to what is allocated later; a _Bool is 0 or 1. Of
///   the parameters of `main`, the first is not negative and the second not
///   null.
Flat flatten(const Program& program, FunctionId entry,
             const FlattenOptions& options);

/// Where allocation starts; all objects lie below. By the width of pointers.
constexpr std::uint64_t heap_start(unsigned width) {
  return std::uint64_t{1} << (width - 2);
}

/// The addresses that occur in a body.
std::set<term::Term> addresses_in(const Cfa& body);

}  // namespace agon::ir
