// SPDX-License-Identifier: Apache-2.0
/// Drops what a program cannot use.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "ir/program.h"

namespace agon::analysis {

/// A smaller program, and where the parts of the larger one are in it.
struct Pruned {
  ir::Program program;
  /// By old id; invalid for what was dropped.
  std::vector<ir::FunctionId> functions;
  std::vector<ir::VariableId> variables;
  std::vector<ir::ObjectId> objects;

  /// A term of the old program over what was kept, in the new one's pool.
  term::Term translate(term::Term term);

  /// What `translate` has done already, by old term.
  std::unordered_map<term::Term, term::Term> translated;
};

/// Keeps what runs of the functions `entries` can involve, and numbers it
/// anew in the old order:
///
/// - functions that are called, or whose addresses occur;
/// - variables that occur in their bodies, and their parameters;
/// - objects whose addresses occur in bodies, or in initial values of what is
///   kept. Initial values in arrays that are not kept are dropped.
///
/// If code outside can run, it sees the globals that are not static: those with
/// addresses in their initial values are kept, too. With `any_state` it may
/// have got the address of any function that has one: what ran before, and is
/// not kept, may have given it away.
///
/// A function that is only named by the calls that a statement was inlined
/// through stays as a name: without body, parameters and variables.
///
/// Variables in `keep` stay in any case: memory that is observed, although no
/// statement reads it.
///
/// The new program has the same names, but a pool of its own.
Pruned prune(const ir::Program& program,
             const std::vector<ir::FunctionId>& entries,
             const std::vector<ir::VariableId>& keep = {},
             bool any_state = false);

}  // namespace agon::analysis
