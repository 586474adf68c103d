// SPDX-License-Identifier: Apache-2.0
/// Calls that are written in a program but are no part of it.
#pragma once

#include <span>
#include <vector>

#include "ir/program.h"

namespace agon::ir {

/// A call that no way leads to, as behind `if (0)`.
struct UnreachedCall {
  Position caller;  ///< Where the function is defined that it stands in.
  FunctionId callee;
  Position position;
};

/// Finishes the body of a function that is defined at `caller`, and answers
/// with the calls that are not in it any more.
std::vector<UnreachedCall> finish(Cfa& body, Position caller);

/// All calls of functions by name, with where they stand.
std::vector<UnreachedCall> calls_in(const Cfa& body, Position caller);

/// Those that are not among others.
std::vector<UnreachedCall> without(std::vector<UnreachedCall> calls,
                                   std::vector<UnreachedCall> others);

}  // namespace agon::ir
