// SPDX-License-Identifier: Apache-2.0
/// Predicates that a proof does not need, or a violation.
#pragma once

#include <optional>

#include "abstraction/abstract_program.h"
#include "lts/lts.h"
#include "support/context.h"

namespace agon::refine {

/// The precision of a model that the specification simulates, without some of
/// the comparisons of one term with constants, all of which are tracked as soon
/// as one matters (discovery.h); nothing if none can be left out for little.
///
/// Those are left out that are true at some states and false at others, if the
/// specification simulates the model without them: then what the program does
/// depends on none of them, and the proof is about those that are never true,
/// since a state machine never gets there. Nothing is asked about states that
/// are known less precisely, which is hard where a whole machine lies between
/// two states. A state without the comparisons is a set of states with them,
/// and does what each of these does.
///
/// Otherwise those that are never true, if another one of their term always is:
/// it says as much, so the states and steps are the same.
std::optional<abstraction::Precision> with_fewer_comparisons(
    abstraction::AbstractProgram& model, abstraction::AbstractSteps& steps,
    const abstraction::Start& start, const lts::Lts& spec,
    support::Context& context);

/// The same without the latter only, in what is there of a model: whoever
/// searched it would have seen the same states and steps. Nothing is computed.
std::optional<abstraction::Precision> without_implied_comparisons(
    const abstraction::AbstractProgram& model,
    const abstraction::Blocks& blocks);

}  // namespace agon::refine
