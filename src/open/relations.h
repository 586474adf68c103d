// SPDX-License-Identifier: Apache-2.0
/// Decides questions about open terms by predicates on their variables.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "algol/decide.h"
#include "support/context.h"

namespace agon::open {

/// Asks the engine that checks C (open/program.h). Gives up after so many
/// iterations. A play is reported only after it has been replayed.
algol::Decision decide_by_predicates(
    const algol::Judgement& judgement, const algol::Tree& tree,
    const std::vector<algol::Pattern>& patterns, std::size_t max_iterations,
    support::Context& context);

}  // namespace agon::open
