// SPDX-License-Identifier: Apache-2.0
/// Playing on smaller systems, and carrying strategies and traces back.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "game/semantics.h"
#include "game/strategy.h"
#include "game/traces.h"
#include "game/tuning.h"
#include "lts/bisimulation.h"
#include "lts/successors.h"
#include "support/context.h"

namespace agon::game {

/// Two systems and their quotients by an equivalence that none of the relations
/// of this folder can see: strong bisimilarity, or for the weak relations
/// branching bisimilarity, both of which imply mutual simulation.
class Reduction {
 public:
  /// The effort of a game after which a reduction is worth a try. Most games
  /// are over by then, and the reduction would have been the larger part of the
  /// work.
  static std::size_t worthwhile_after(lts::Successors& impl,
                                      lts::Successors& spec,
                                      const Tuning& tuning);

  /// Nothing if a system is too large to be built, or if the quotients are not
  /// much smaller and so not worth the change. Explicit systems have to outlive
  /// the reduction.
  static std::optional<Reduction> make(lts::Successors& impl,
                                       lts::Successors& spec,
                                       Semantics semantics,
                                       const Tuning& tuning,
                                       support::Context& context);

  const lts::Lts& impl() const { return impl_.quotient->lts; }
  const lts::Lts& spec() const { return spec_.quotient->lts; }

  /// The strategy with the same idea for the systems themselves: it makes the
  /// challenges of the quotient, after silent steps inside a class if need be.
  /// Nothing if a limit is reached first.
  std::optional<Strategy> lift(const Strategy& strategy,
                               support::Context& context) const;

  /// The trace with steps of the implementation itself.
  OffendingTrace lift(OffendingTrace trace) const;

 private:
  class Ways;

  /// One of the two systems as a whole, and small.
  struct Side {
    std::shared_ptr<const lts::Lts> whole;
    std::vector<lts::State>
        original;  // By state of `whole`; empty if the same.
    std::optional<lts::Quotient> quotient;

    lts::State image(lts::State state) const {
      return quotient->image[state.index()];
    }
    lts::State back(lts::State state) const {
      return original.empty() ? state : original[state.index()];
    }
  };

  Reduction(Side impl, Side spec, Semantics semantics)
      : impl_(std::move(impl)), spec_(std::move(spec)), semantics_(semantics) {}

  static std::optional<Side> build(lts::Successors& system,
                                   const Tuning& tuning,
                                   support::Context& context);

  Side impl_;
  Side spec_;
  Semantics semantics_;
};

}  // namespace agon::game
