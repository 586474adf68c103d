// SPDX-License-Identifier: Apache-2.0
/// Decides whether a sequential program conforms to a specification.
#pragma once

#include "analysis/mathematical.h"
#include "evidence/result.h"
#include "ir/program.h"
#include "lts/lts.h"
#include "smt/solver.h"
#include "support/context.h"
#include "verify/dialogue.h"
#include "verify/options.h"

namespace agon::verify {

/// What a task was made from: the program as it was lowered and woven.
struct Original {
  const ir::Program& program;
  ir::FunctionId entry;
  bool any_state = false;
};

/// A program whose entry is one automaton, with no calls but of actions; see
/// question.h for how to get there.
struct Task {
  const ir::Program& program;
  ir::FunctionId entry;
  const lts::Lts& spec;
  /// What the program was made from, if it is over mathematical integers. Then
  /// a counterexample is one of the machine's program, or Unknown.
  analysis::Mathematical* mathematical = nullptr;
  /// If the entry is the client of a module: what it calls.
  const ModuleFunctions* module = nullptr;
  /// If it is given, then counterexamples are recorded on it.
  const Original* original = nullptr;
};

/// Abstract, play, concretise, refine.
evidence::Result decide(const Task& task, const Options& options,
                        smt::Solver& solver, support::Context& context);

}  // namespace agon::verify
