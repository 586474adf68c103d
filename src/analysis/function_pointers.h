// SPDX-License-Identifier: Apache-2.0
/// Turns calls through pointers into branches over what they can call.
#pragma once

#include <vector>

#include "analysis/points_to.h"
#include "ir/program.h"

namespace agon::analysis {

/// A call through a pointer of the program before.
struct ResolvedCall {
  ir::FunctionId function;
  ir::EdgeId edge;
  ir::Position position;
  Targets targets;
};

struct ResolvedPointers {
  ir::Program program;
  std::vector<ResolvedCall> calls;  ///< Those that can be reached, in order.
};

/// Replaces each call through a pointer `p` that can call f, g, … by
///
///     if (p == &f) f(…); else if (p == &g) g(…); …
///
/// Arguments and results are converted to the widths that the callee has;
/// results that it does not give are arbitrary. If a function from outside the
/// program may be meant, a last branch calls through the pointer as before. If
/// not, then `p` is null, dangling or no function with so many parameters in
/// the remaining case, which is undefined: execution ends there, like in the
/// interpreter, but as if stopped instead of as a bad call. No other behaviour
/// is lost or added. A call that no entry of the analysis can reach stays.
ResolvedPointers resolve_function_pointers(const ir::Program& program,
                                           const PointsTo& points_to);

}  // namespace agon::analysis
