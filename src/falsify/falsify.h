// SPDX-License-Identifier: Apache-2.0
/// Shows that an error is reachable, by a game on an over-approximating model
/// (FALS). There is no search for a path: the Falsifier wins if whatever the
/// abstraction does not know turns out badly.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "falsify/question.h"
#include "falsify/replay.h"
#include "falsify/strategy.h"
#include "smt/solver.h"
#include "support/context.h"

namespace agon::falsify {

/// Asks whether executions that get to a place will fail, if they do get there.
struct From {
  std::uint32_t line = 0;
  std::string file;  ///< A part of its end; empty: any.
};

struct Options {
  std::string domain = "sign+interval";  ///< See domain/domain.h.
  std::vector<term::Term> predicates;    ///< For the domain of that name.
  /// What is worth knowing if there are none.
  std::vector<term::Term> conditions;
  bool must = false;  ///< Look for must transitions.
  Choices choices = Choices::Values;
  ModelOptions model;
  bool loops = true;  ///< Use that some loops come to an end.
  std::uint64_t max_steps = 20'000'000;  ///< Of an execution.
  std::optional<From> from;
};

struct Result {
  /// The Falsifier wins. Then the error is reachable; the execution shows it,
  /// unless there is a problem, or the question is about a place that no
  /// execution was found to get to.
  bool wins = false;
  bool is_conditional = false;
  std::string reason;  ///< Why not, or why there is no execution.
  std::string domain;
  Strategy strategy;
  std::optional<Execution> execution;
  std::size_t nodes = 0;
  std::size_t must_nodes = 0;
};

/// Throws InputError for a domain that does not exist.
Result falsify(const Question& question, const Options& options,
               smt::Solver& solver, support::Context& context);

}  // namespace agon::falsify
