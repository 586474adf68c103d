// SPDX-License-Identifier: Apache-2.0
/// Bisimulation equivalences by partition refinement, and the quotients.
///
/// States of different kind (END, ERROR, others) are never equivalent, so that
/// a quotient answers every later analysis as the system itself would. For
/// branching bisimilarity, silent steps through another kind are not inert.
///
/// Classes are numbered in order of their first members. Nothing is recursive.
#pragma once

#include <vector>

#include "lts/lts.h"
#include "lts/partition.h"
#include "support/context.h"

namespace agon::lts {

/// Strong bisimilarity, O(m log n) (Paige and Tarjan; Valmari).
Partition strong_bisimulation(const Lts& lts);

/// Branching bisimilarity, O(m log n) (Jansen, Groote, Keiren and Wijs, TACAS
/// 2020). Insensitive to divergence: a silent cycle is as good as a rest.
Partition branching_bisimulation(const Lts& lts);

/// Weak bisimilarity: branching reduction, then strong bisimilarity of the
/// saturated rest. The saturation may be quadratic. Throws InputError if it has
/// more transitions than the `max_states` of the limits, or if time or memory
/// runs out.
Partition weak_bisimulation(const Lts& lts, support::Context& context);

/// The reachable part of the quotient by an equivalence that is one of the
/// above, numbered breadth-first from the initial state, which is 0. With
/// `Inert::Drop`, silent steps inside a class disappear, as they should for
/// branching and weak bisimilarity. The alphabet is kept.
enum class Inert { Keep, Drop };
Lts quotient(const Lts& lts, const Partition& partition, Inert inert);

/// The same, with the way back.
struct Quotient {
  Lts lts;
  /// The state of `lts` that stands for each original state; invalid for those
  /// that cannot be reached.
  std::vector<State> image;
};
Quotient quotient_with_image(const Lts& lts, const Partition& partition,
                             Inert inert);

}  // namespace agon::lts
