// SPDX-License-Identifier: Apache-2.0
/// The loops of a body, and its locations in an order in which they stay
/// together.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "ir/cfa.h"

namespace agon::ir {

class LoopOrder {
 public:
  explicit LoopOrder(const Cfa& body);

  /// By where they start, the locations of loops, with that one.
  using Loops = std::map<LocationId, std::vector<LocationId>>;
  struct Part {
    std::vector<LocationId> locations;
    Loops loops;  ///< As they are seen from the start of the part.
  };
  /// The locations that can be reached from `start` without taking an edge that
  /// ends the way. Edges go forward, except for those back to where a cycle
  /// starts; and as far as loops are nested, all of a loop comes before what
  /// follows it.
  Part from(LocationId start, const std::function<bool(EdgeId)>& ends) const;

  /// The locations of the loop that starts at a location, with that one; none
  /// if no loop does.
  std::span<const LocationId> loop(LocationId head) const;

 private:
  std::vector<LocationId> targets_;  // By edge.
  /// By location, its edges: those that leave most loops first.
  std::vector<std::vector<EdgeId>> out_;
  Loops loops_;
};

/// The locations of a part that are still to be passed. Whoever passes one adds
/// those behind it. All rounds of a loop come before what follows it, and all
/// of one round before the next, so that ways meet as soon as they can.
class Agenda {
 public:
  /// With the start of the part.
  Agenda(const LoopOrder::Part& part, std::size_t num_locations);

  bool empty() const { return open_.empty() && again_.empty(); }
  /// There is a way from a location to another one.
  void add(LocationId from, LocationId to);
  /// Removes the one to be passed next, which must exist.
  LocationId take();

 private:
  const std::vector<LocationId>& locations_;
  std::vector<std::size_t> number_;  // By location; below: these numbers.
  std::map<std::size_t, std::set<std::size_t>> inside_;  // Loops, by start.
  std::set<std::size_t> open_;
  std::set<std::size_t> again_;  // For the next round of a loop.
};

}  // namespace agon::ir
