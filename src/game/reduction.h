// SPDX-License-Identifier: Apache-2.0
/// Playing on smaller systems, and carrying strategies and traces back.
#pragma once

#include <memory>
#include <optional>

#include "game/semantics.h"
#include "game/strategy.h"
#include "game/traces.h"
#include "lts/bisimulation.h"
#include "lts/successors.h"

namespace agon::game {

/// Two explicit systems and their quotients by an equivalence that none of the
/// relations of this folder can see: strong bisimilarity, or for the weak
/// relations branching bisimilarity, both of which imply mutual simulation.
class Reduction {
 public:
  /// Nothing if a system is not explicit, or if the quotients are not much
  /// smaller and so not worth the change.
  static std::optional<Reduction> make(lts::Successors& impl,
                                       lts::Successors& spec,
                                       Semantics semantics);

  const lts::Lts& impl() const { return impl_quotient_.lts; }
  const lts::Lts& spec() const { return spec_quotient_.lts; }

  /// The strategy with the same idea for the systems themselves: it makes the
  /// challenges of the quotient, after silent steps inside a class if need be.
  Strategy lift(const Strategy& strategy) const;

  /// The trace with steps of the implementation itself.
  OffendingTrace lift(OffendingTrace trace) const;

 private:
  Reduction(const lts::Lts& impl, const lts::Lts& spec, Semantics semantics);

  Position image(Position position) const;
  lts::Transition first_step(lts::State from, lts::Transition towards) const;

  const lts::Lts& impl_;
  const lts::Lts& spec_;
  Semantics semantics_;
  lts::Quotient impl_quotient_;
  lts::Quotient spec_quotient_;
};

}  // namespace agon::game
