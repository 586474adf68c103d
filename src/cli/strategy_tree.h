// SPDX-License-Identifier: Apache-2.0
/// Winning strategies in words.
#pragma once

#include <cstddef>
#include <string>

#include "game/semantics.h"
#include "game/strategy.h"
#include "lts/successors.h"
#include "report/report.h"

namespace agon::cli {

using report::StrategyTree;

/// Resolves names, and finds out what the specification could have done where
/// it has no response.
StrategyTree describe(const game::Strategy& strategy, lts::Successors& spec,
                      game::Semantics semantics);

/// The challenges from the root to a leaf, along the first responses.
std::vector<std::string> first_play(const StrategyTree& tree);

/// The tree as indented lines. A part that occurs twice is printed once and
/// then referred to by number. At most `max_lines` lines are printed, followed
/// by a line that says how many are missing.
std::string to_text(const StrategyTree& tree, std::size_t max_lines);

}  // namespace agon::cli
