// SPDX-License-Identifier: Apache-2.0
/// Invariants: guessed from executions, kept if they are inductive.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "abstraction/abstract_program.h"
#include "smt/solver.h"

namespace agon::abstraction {

/// Looks for what is true at each cut point whenever an execution passes it.
///
/// Refinement finds what rules out one path. Where a loop has to be passed a
/// hundred times that is one predicate for each round, `i + 7 < n`; the
/// relation that holds in all rounds is found by looking at executions.
///
/// Some questions are hard, so a search can be broken off and taken up again.
class InvariantSearch {
 public:
  /// Looks at executions; `predicates` are further guesses.
  InvariantSearch(AbstractSteps& steps, const Start& start,
                  std::span<const term::Term> predicates, smt::Solver& solver,
                  support::Context& context);
  ~InvariantSearch();

  /// Goes on until the solver has counted so many resources more. Whether the
  /// search is over.
  bool go_on(std::uint64_t resources);

  /// What a search that is over has found, by location; nothing where nothing
  /// was found, or nothing at all. The facts of a location are conjuncts of
  /// which none follows from the others. If the context was exhausted, or the
  /// solver did not know, there are fewer.
  std::vector<std::vector<term::Term>> facts();

 private:
  class Houdini;
  term::Pool& pool_;
  smt::Solver& solver_;
  support::Context& context_;
  std::unique_ptr<Houdini> houdini_;
};

/// Whether predicates look like those that one round of a loop after the other
/// brings: arithmetic on variables that change. Members of an object that stays
/// where it is are no such sign.
bool seem_to_diverge(const Blocks& blocks,
                     std::span<const term::Term> predicates);

}  // namespace agon::abstraction
