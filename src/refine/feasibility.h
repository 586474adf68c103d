// SPDX-License-Identifier: Apache-2.0
/// Is a counterexample real?
#pragma once

#include <vector>

#include "refine/play.h"
#include "smt/solver.h"

namespace agon::refine {

/// One branch of a play that was run on a model: the edges that are taken, and
/// the value that each Havoc among them chooses, in order.
struct Execution {
  std::vector<ir::EdgeId> path;
  std::vector<term::Value> choices;
};

struct Feasibility {
  smt::Answer answer = smt::Answer::Unknown;
  std::string reason;        ///< If Unknown.
  term::Assignment initial;  ///< If Sat: what variables hold at the start.
  /// If Sat: one for each leaf of the play, in order of the leaves.
  std::vector<Execution> executions;
};

/// Decides whether the whole tree can be played. It is one formula: the steps
/// of the branches are conjoined, with choices of their own for each.
Feasibility decide(const Play& play, abstraction::AbstractSteps& steps,
                   const abstraction::Start& start, smt::Solver& solver);

}  // namespace agon::refine
