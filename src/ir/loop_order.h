// SPDX-License-Identifier: Apache-2.0
/// The loops of a body, and its locations in an order in which they stay
/// together.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <vector>

#include "ir/cfa.h"

namespace agon::ir {

class LoopOrder {
 public:
  explicit LoopOrder(const Cfa& body);

  /// The locations that can be reached from `start` without taking an edge that
  /// ends the way. Edges go forward, except for those back to where a cycle
  /// starts; and as far as loops are nested, all of a loop comes before what
  /// follows it.
  std::vector<LocationId> from(LocationId start,
                               const std::function<bool(EdgeId)>& ends) const;

  /// The locations of the loop that starts at a location, with that one; none
  /// if no loop does.
  std::span<const LocationId> loop(LocationId head) const;

 private:
  std::vector<LocationId> targets_;  // By edge.
  /// By location, its edges: those that leave most loops first.
  std::vector<std::vector<EdgeId>> out_;
  std::map<LocationId, std::vector<LocationId>> loops_;  // By head.
};

}  // namespace agon::ir
