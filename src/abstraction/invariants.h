// SPDX-License-Identifier: Apache-2.0
/// Invariants: guessed from executions, kept if they are inductive.
#pragma once

#include <span>
#include <vector>

#include "abstraction/abstract_program.h"
#include "smt/solver.h"

namespace agon::abstraction {

/// What is true at each cut point whenever an execution passes it, by location;
/// nothing where nothing was found. The facts of a location are conjuncts of
/// which none follows from the others.
///
/// Refinement finds what rules out one path. Where a loop has to be passed a
/// hundred times that is one predicate for each round, `i + 7 < n`; the
/// relation that holds in all rounds is found by looking at executions.
///
/// `predicates` are further guesses. If the context is exhausted, or the solver
/// does not know, there are fewer facts.
std::vector<std::vector<term::Term>> find_invariants(
    AbstractSteps& steps, const Start& start,
    std::span<const term::Term> predicates, smt::Solver& solver,
    support::Context& context);

/// Whether predicates look like those that one round of a loop after the other
/// brings: arithmetic on variables that change. Members of an object that stays
/// where it is are no such sign.
bool seem_to_diverge(const Blocks& blocks,
                     std::span<const term::Term> predicates);

}  // namespace agon::abstraction
