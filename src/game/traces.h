// SPDX-License-Identifier: Apache-2.0
/// Does the specification have every trace of the implementation?
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "game/semantics.h"
#include "game/tuning.h"
#include "lts/successors.h"
#include "support/context.h"
#include "support/verdict.h"

namespace agon::game {

/// A trace of the implementation that the specification does not have.
struct OffendingTrace {
  /// The actions; all but the last are a trace of the specification too. In a
  /// weak reading these are the visible ones, and no offending trace has fewer.
  std::vector<lts::Label> actions;
  /// What the specification could have done instead of the last action.
  std::vector<lts::Label> allowed;
  /// The steps of the implementation, silent ones included.
  std::vector<lts::Transition> steps;
};

struct TraceResult {
  support::Verdict verdict = support::Verdict::Unknown;
  std::string reason;  ///< Why Unknown.
  std::optional<OffendingTrace> counterexample;
  /// Whether a simulation was found, which implies inclusion, before the search
  /// for traces came to an end.
  bool decided_by_simulation = false;
  std::size_t pairs = 0;  ///< Pairs of a state and a set that were visited.
};

/// Decides (weak) trace inclusion of the initial states.
TraceResult include_traces(lts::Successors& impl, lts::Successors& spec,
                           Semantics semantics, support::Context& context,
                           const Tuning& tuning = {});

/// Whether a trace really is offending, by replay from the definition; says why
/// not. Shares nothing with the search.
std::optional<std::string> refute(const OffendingTrace& trace,
                                  lts::Successors& impl, lts::Successors& spec,
                                  Semantics semantics);

}  // namespace agon::game
