// SPDX-License-Identifier: Apache-2.0
/// Is a counterexample real?
#pragma once

#include <functional>
#include <optional>
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

/// Where things lie when the interpreter runs the program.
struct Layout {
  std::vector<term::Term> places;
  /// What holds for a value that was in memory before, in case it is a pointer;
  /// none or an invalid term: nothing.
  std::function<term::Term(term::Term)> from_outside;
};

/// Decides whether the whole tree can be played. It is one formula: the steps
/// of the branches are conjoined, with choices of their own for each.
///
/// What is real only if things lie otherwise is Unknown.
Feasibility decide(const Play& play, abstraction::AbstractSteps& steps,
                   const abstraction::Start& start, const Layout& layout,
                   smt::Solver& solver);

}  // namespace agon::refine
