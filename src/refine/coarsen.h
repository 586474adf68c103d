// SPDX-License-Identifier: Apache-2.0
/// Predicates that a proof does not need.
#pragma once

#include <optional>

#include "abstraction/abstract_program.h"
#include "lts/lts.h"
#include "support/context.h"

namespace agon::refine {

/// The precision of a model that the specification simulates, without those
/// comparisons of one term with constants that are true at some states and
/// false at others; nothing if there are none, or if the specification does not
/// simulate the model without them.
///
/// All constants of a term are tracked as soon as one matters (discovery.h). If
/// what the program does depends on none of them, the proof is about those that
/// are never true: a state machine never gets there.
///
/// Nothing is asked about states that are known less precisely, since that is
/// hard where a whole machine lies between two states. A state without the
/// comparisons is a set of states with them, and does what each of these does.
std::optional<abstraction::Precision> without_changing_comparisons(
    abstraction::AbstractProgram& model, abstraction::AbstractSteps& steps,
    const abstraction::Start& start, const lts::Lts& spec,
    support::Context& context);

}  // namespace agon::refine
