// SPDX-License-Identifier: Apache-2.0
/// Would the abstraction with other predicates still admit a play?
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "abstraction/abstract_program.h"
#include "refine/play.h"

namespace agon::refine {

/// Whether predicates eliminate a play: CEEliminate for a path (TWO Fig. 8),
/// CanPlay for a tree (SIM Fig. 11). The abstraction is made only where the
/// play goes, and what it claims before and after its steps is not looked at.
class Elimination {
 public:
  Elimination(abstraction::AbstractSteps& steps,
              const abstraction::Start& start,
              const abstraction::Precision& precision)
      : steps_(steps), start_(start), precision_(precision) {}

  /// The plays of one object share what they find out about the abstraction.
  bool eliminates(const Play& play);

 private:
  using Place = std::pair<ir::LocationId, abstraction::Answers>;

  const std::vector<abstraction::Step>& steps_from(const Place& place,
                                                   ir::EdgeId exit);
  bool can_play(const Play& play, std::uint32_t node, const Place& place);
  bool can_play(const Play& play, std::uint32_t node,
                const std::vector<abstraction::Step>& steps);

  abstraction::AbstractSteps& steps_;
  const abstraction::Start& start_;
  const abstraction::Precision& precision_;
  std::map<std::pair<Place, ir::EdgeId>, std::vector<abstraction::Step>>
      known_steps_;
  /// Of the play at hand.
  std::map<std::pair<std::uint32_t, abstraction::Answers>, bool> known_;
};

}  // namespace agon::refine
