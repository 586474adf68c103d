// SPDX-License-Identifier: Apache-2.0
/// Is a counterexample real?
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "refine/play.h"
#include "smt/solver.h"

namespace agon::refine {

/// One branch of a play that was run on a model: the edges that are taken, and
/// what each of them chooses, or assigns to a variable that is used later.
struct Execution {
  struct Step {
    ir::EdgeId edge;
    std::optional<term::Value> value;
  };
  std::vector<Step> steps;
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
///
/// `layout` says where objects lie when the interpreter runs the program. What
/// is real only if they lie otherwise is Unknown.
Feasibility decide(const Play& play, abstraction::AbstractSteps& steps,
                   const abstraction::Start& start,
                   std::span<const term::Term> layout, smt::Solver& solver);

}  // namespace agon::refine
