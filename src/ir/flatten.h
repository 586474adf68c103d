// SPDX-License-Identifier: Apache-2.0
/// A program as one automaton, by definitions only: no analysis takes part.
///
/// A certificate is about this automaton, and whoever checks it makes the
/// automaton anew. So the way there is short, and the same every time: names
/// and locations depend on the program alone.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ir/addresses.h"
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
  /// The entry is the client of a module, and routines about which nothing is
  /// known may call the functions that it calls.
  bool callbacks = false;
  /// How many calls of a function may be active at once. One more performs the
  /// action `kTooDeep`, and nothing follows. 0: no function calls itself.
  std::size_t depth = 0;
  /// A call through a pointer to no function of the program performs the action
  /// `kNoFunction`, and nothing follows; otherwise anything is called there.
  /// And objects that routines without a body may get to know on the way only
  /// have a flag that says whether they do; otherwise they always do. And what
  /// pointers from outside point to at the start lies apart if it has types
  /// that have nothing in common (unrelated.h).
  bool is_exact = false;
  std::size_t max_edges = 200'000;
};

inline constexpr const char* kTooDeep = "deeper recursion";

inline constexpr const char* kNoFunction = "call of an unknown function";
/// What the names of flags start with.
inline constexpr const char* kToldFlag = "told: ";

/// Depths to which recursion is followed in proofs.
inline constexpr std::array<std::size_t, 9> kDepths = {2,  3,  4,  6, 8,
                                                       12, 16, 24, 32};

struct Flat {
  /// Has a pool of its own. Nothing if there is a reason.
  std::optional<Program> program;
  FunctionId entry;
  std::string reason;  ///< Why not, for people.
  /// Whether a function may call itself.
  bool is_recursive = false;
  /// Whether the exact variant is another one.
  bool may_be_exact = false;
  /// What routines without a body are told, and whether there are some that may
  /// change what they can name.
  std::vector<term::Term> told;
  bool calls_unknown = false;
  /// Holds the address of what is allocated next, if anything is, and the array
  /// that this lies in; empty: `memory`.
  VariableId heap;
  std::string heap_array;
  VariableId sizes;  ///< Of blocks, by their addresses, if they are known.
};

/// Does all that `program` can do from `entry` on, and possibly more. The body
/// of the entry has no calls but of actions.
///
/// - Bodies are put where they are called. A call through a pointer is a branch
///   over all functions that fit and whose address is used; in the remaining
///   case anything is called, unless it is exact, or nothing if the pointer is
///   null. Functions that call
///   themselves are followed to a depth, if one is given.
/// - A routine without a body may change all of memory and every variable that
///   other files can name, unless it is known (routines.h), and whatever the
///   functions change whose addresses are used, since it may call these, which
///   may also tell it all that they name. An
///   allocator gives the next free address, as docs/c.md says.
/// - The client of a module (client.h) changes its own memory and what the
///   module does not define. Its pointers point anywhere but to locals and to
///   what is allocated later.
/// - Objects to which nothing points but variables that point to nothing else
///   have an array of their own, and so has all that is allocated together; all
///   others share `memory`.
/// - Pointers among the parameters and globals that have no initial value point
///   neither to locals nor to what is allocated later. They are aligned, and
///   two of them to one type point to the same object or to two that do not
///   overlap. A _Bool is 0 or 1. Of the parameters of `main`, the first is not
///   negative and the second not null.
Flat flatten(const Program& program, FunctionId entry,
             const FlattenOptions& options);

/// The other ways to flatten a program that a proof may have chosen, after
/// `first` was made with the options. In all of them nothing is left out that
/// is not an action, `kTooDeep` or `kNoFunction`, which must not happen.
std::vector<FlattenOptions> variants(const FlattenOptions& options,
                                     const Flat& first);

/// Adds what is taken for granted of every flat program as assumptions.
void assume_flat(Program& program);

/// The addresses and the variables that occur in a body.
std::set<term::Term> addresses_in(const Cfa& body);
std::set<term::Term> variables_in(const Cfa& body);

}  // namespace agon::ir
