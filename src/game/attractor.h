// SPDX-License-Identifier: Apache-2.0
/// Reachability games: who can force a play into a target, and by which moves.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "horn/lazy_solver.h"
#include "support/id.h"

namespace agon::game {

using Place = support::Id<struct PlaceTag>;

enum class Player : std::uint8_t { First, Second };

/// A finite graph on which two players move one token; whoever owns the place
/// where it lies moves it on.
class Arena {
 public:
  Place add(Player owner);
  void connect(Place from, Place to) { edges_[from.index()].push_back(to); }

  std::size_t size() const { return owners_.size(); }
  Player owner(Place place) const { return owners_[place.index()]; }
  std::span<const Place> successors(Place place) const {
    return edges_[place.index()];
  }

 private:
  std::vector<Player> owners_;
  std::vector<std::vector<Place>> edges_;
};

/// The places from which one player forces a visit to a target.
struct Attractor {
  static constexpr auto kNever = horn::kNever;

  /// By place: moves until the target is reached, the player hurrying and the
  /// opponent delaying; kNever where the opponent can stay away for good.
  std::vector<std::uint32_t> rank;

  /// By place: where to move to, at the player's own winning places outside the
  /// target. Every other entry is invalid.
  std::vector<Place> move;

  bool wins(Place place) const { return rank[place.index()] != kNever; }
};

/// Computes the attractor of `target` for `player` in linear time.
///
/// A dead end is never attracted: whether being stuck loses is the caller's
/// rule, stated by putting such places into `target`. Ranks are exact.
Attractor attract(const Arena& arena, Player player,
                  std::span<const Place> target);

}  // namespace agon::game
