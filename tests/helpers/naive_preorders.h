// SPDX-License-Identifier: Apache-2.0
/// Preorders on systems, written down from their definitions without a thought
/// for speed. They are what the real algorithms are tested against, and share
/// nothing with them but the type of systems.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <utility>

#include "lts/lts.h"

namespace agon::test {

using Relation = std::set<std::pair<lts::State, lts::State>>;

/// States reached from `state` by silent steps only, itself included.
std::set<lts::State> silently(const lts::Lts& lts, lts::State state);

/// The targets of `tau* label tau*`, and of `tau*` for the silent label.
std::set<lts::State> weakly(const lts::Lts& lts, lts::State state,
                            lts::Label label);

/// The largest simulation: greatest fixpoint over all pairs.
Relation naive_simulation(const lts::Lts& impl, const lts::Lts& spec,
                          bool weak);

/// The length of a shortest trace of `impl` that `spec` does not have, found by
/// determinising both and walking; nothing if there is none.
std::optional<std::size_t> naive_trace_violation(const lts::Lts& impl,
                                                 const lts::Lts& spec,
                                                 bool weak);

}  // namespace agon::test
