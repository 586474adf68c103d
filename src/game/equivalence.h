// SPDX-License-Identifier: Apache-2.0
/// Comparison of two systems by a bisimulation equivalence, with an explanation
/// if they differ.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "game/formula.h"
#include "lts/lts.h"
#include "support/context.h"
#include "support/verdict.h"

namespace agon::game {

enum class Equivalence : std::uint8_t { Strong, Branching, Weak };

struct EquivalenceResult {
  support::Verdict verdict;
  /// One sentence, about the verdict or why there is none.
  std::string reason;
  /// If violated: true in the initial state of the first system and false in
  /// that of the second one. Missing only if time or memory did not suffice to
  /// find it.
  std::optional<Formula> formula;
};

/// Compares the initial states of two systems that share a label table. Only
/// transitions count: END, ERROR and STOP are all alike, and so are divergence
/// and rest for branching and weak bisimilarity.
///
/// The verdict comes from partition refinement, the formula from a game on the
/// quotient. If systems that are not branching bisimilar also differ by a weak
/// formula, and this one is not larger, then it is preferred.
EquivalenceResult compare(const lts::Lts& left, const lts::Lts& right,
                          Equivalence equivalence, support::Context& context);

}  // namespace agon::game
