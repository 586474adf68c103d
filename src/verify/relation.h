// SPDX-License-Identifier: Apache-2.0
/// Why a specification allows what a finite system does, as a relation that is
/// easy to check.
#pragma once

#include <optional>
#include <vector>

#include "lts/lts.h"

namespace agon::verify {

/// A state of the system, and states that the specification can be in then.
struct RelatedPair {
  lts::State state;
  std::vector<lts::State> spec;  ///< Sorted.
};

/// A weak simulation: one state of the specification in each pair. Nothing if
/// there is none.
std::optional<std::vector<RelatedPair>> simulation_relation(
    const lts::Lts& system, const lts::Lts& spec);

/// The same by sets of states, which is enough for traces. Nothing if a trace
/// is not allowed, or if more than `max_pairs` are needed.
std::optional<std::vector<RelatedPair>> trace_relation(const lts::Lts& system,
                                                       const lts::Lts& spec,
                                                       std::size_t max_pairs);

}  // namespace agon::verify
