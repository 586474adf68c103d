// SPDX-License-Identifier: Apache-2.0
#include "game/attractor.h"

#include "horn/solver.h"

namespace agon::game {

// One variable per place, "the player wins from here". A place of the player
// has a clause for each move, a place of the opponent one clause for all moves
// together, and the targets are facts. The ranks of the least model are the
// ranks of the attractor.

using horn::Clause;
using horn::Variable;

Place Arena::add(Player owner) {
  owners_.push_back(owner);
  edges_.emplace_back();
  return Place::at(owners_.size() - 1);
}

Attractor attract(const Arena& arena, Player player,
                  std::span<const Place> target) {
  horn::Solver solver;
  for (std::size_t i = 0; i < arena.size(); ++i) solver.add_variable();
  const auto wins = [](Place place) { return Variable(place.value()); };
  for (const Place place : target) solver.add_clause(wins(place), {});
  for (std::size_t i = 0; i < arena.size(); ++i) {
    const Place place = Place::at(i);
    std::vector<Variable> body;
    for (const Place next : arena.successors(place)) {
      body.push_back(wins(next));
      if (arena.owner(place) != player) continue;
      solver.add_clause(wins(place), body);
      body.clear();
    }
    if (!body.empty()) solver.add_clause(wins(place), body);
  }
  solver.solve();

  Attractor result;
  for (std::size_t i = 0; i < arena.size(); ++i) {
    const Variable variable = Variable::at(i);
    result.rank.push_back(solver.rank(variable));
    result.move.emplace_back();
    if (!solver.is_true(variable)) continue;
    if (arena.owner(Place::at(i)) != player) continue;
    const auto body = solver.body(solver.reason(variable));
    if (!body.empty()) result.move.back() = Place(body.front().value());
  }
  return result;
}

}  // namespace agon::game
