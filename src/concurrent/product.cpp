// SPDX-License-Identifier: Apache-2.0
#include "concurrent/product.h"

#include <algorithm>
#include <utility>

#include "support/sort_unique.h"

namespace agon::concurrent {

using lts::State;
using lts::Transition;

Product::Product(const Composer& composer, const lts::Lts& spec,
                 const Symmetry* symmetry, support::Context& context)
    : composer_(composer),
      spec_(spec),
      symmetry_(symmetry),
      context_(context),
      with_(composer.models().size()),
      growth_seen_(composer.models().size()) {}

State Product::initial() { return state_of(composer_.initial()); }

State Product::state_of(Place place) {
  if (symmetry_ != nullptr) symmetry_->normalise(place);
  const State state(places_.intern(place));
  if (state.index() < rows_.size()) return state;
  rows_.emplace_back();
  for (std::uint32_t i = 0; i < place.size(); ++i) {
    if (!place[i].valid()) continue;
    auto& by_class = with_[composer_.composition().model_of[i]];
    if (by_class.size() <= place[i].index()) {
      by_class.resize(place[i].index() + 1);
    }
    auto& states = by_class[place[i].index()];
    if (states.empty() || states.back() != state) states.push_back(state);
  }
  return state;
}

Place Product::place(State state) const {
  const auto classes = places_[state.value()];
  return {classes.begin(), classes.end()};
}

std::span<const Transition> Product::expand(State state) {
  if (rows_[state.index()].is_made) return rows_[state.index()].moves;
  std::vector<Transition> moves = find_moves(state);
  for (const Transition t : moves) {
    if (!std::ranges::binary_search(rows_[state.index()].moves, t)) {
      rows_[t.target.index()].predecessors.push_back(state);
    }
  }
  Row& row = rows_[state.index()];
  row.is_made = true;
  row.moves = std::move(moves);
  return row.moves;
}

/// Sorted.
std::vector<Transition> Product::find_moves(State state) {
  const Place here = place(state);
  if (const auto target = find_inert_step(state, here)) {
    return {{lts::kTau, *target}};
  }
  std::vector<Transition> result;
  for (const Move& move : composer_.moves(here, kAllComponents)) {
    if (context_.exhausted()) break;
    composer_.outcomes(here, move, [&](const Place& there) {
      result.push_back({composer_.visible(move), state_of(there)});
    });
  }
  support::sort_unique(result);
  return result;
}

std::optional<State> Product::find_inert_step(State from, const Place& here) {
  for (const std::uint64_t group : composer_.independent_groups(here)) {
    std::size_t num_outcomes = 0;
    std::optional<Move> step;
    for (const Move& move : composer_.moves(here, group)) {
      if (composer_.visible(move) != lts::kTau) num_outcomes = 2;
      num_outcomes += composer_.num_outcomes(here, move);
      if (num_outcomes > 1) break;
      if (num_outcomes == 1 && !step) step = move;
    }
    if (num_outcomes != 1) continue;
    State target;
    composer_.outcomes(here, *step,
                       [&](const Place& there) { target = state_of(there); });
    if (target > from) return target;
  }
  return std::nullopt;
}

void Product::forget(std::uint32_t model, const std::vector<Class>& changed) {
  for (const Class c : changed) {
    if (c.index() >= with_[model].size()) continue;
    for (const State state : with_[model][c.index()]) forget(state);
  }
}

void Product::forget(State state) {
  revision_.forgotten.push_back(state);
  rows_[state.index()].is_made = false;
  for (const State from :
       std::exchange(rows_[state.index()].predecessors, {})) {
    revision_.extended.push_back(from);
    rows_[from.index()].is_made = false;
    std::erase_if(rows_[from.index()].moves,
                  [&](Transition t) { return t.target == state; });
  }
}

void Product::note_growth() {
  for (std::size_t m = 0; m < with_.size(); ++m) {
    if (with_[m].empty()) continue;
    for (const Class c : composer_.models()[m]->grown_since(growth_seen_[m])) {
      if (c.index() >= with_[m].size()) continue;
      for (const State state : with_[m][c.index()]) {
        if (!std::exchange(rows_[state.index()].is_made, false)) continue;
        revision_.extended.push_back(state);
      }
    }
  }
}

game::RevisableSystem::Revision Product::take_revision() {
  note_growth();
  support::sort_unique(revision_.forgotten);
  support::sort_unique(revision_.extended);
  return std::exchange(revision_, {});
}

bool Product::is_revised() {
  note_growth();
  return !revision_.empty();
}

}  // namespace agon::concurrent
