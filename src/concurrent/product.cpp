// SPDX-License-Identifier: Apache-2.0
#include "concurrent/product.h"

#include <algorithm>

#include "game/simulation.h"
#include "support/error.h"

namespace agon::concurrent {

using lts::State;
using lts::Transition;
using support::Verdict;

namespace {

constexpr std::size_t kMaxNodes = 20'000;

}  // namespace

Product::Product(const Composer& composer, const lts::Lts& spec,
                 support::Context& context)
    : composer_(composer), spec_(spec), context_(context) {}

State Product::initial() { return State(places_.intern(composer_.initial())); }

Place Product::place(State state) const {
  const auto classes = places_[state.value()];
  return {classes.begin(), classes.end()};
}

std::span<const Transition> Product::expand(State state) {
  if (rows_.size() <= state.index()) {
    rows_.resize(std::max(state.index() + 1, 2 * rows_.size()));
  }
  if (rows_[state.index()]) return *rows_[state.index()];
  std::vector<Transition> row;
  const Place here = place(state);
  for (const Move& move : composer_.moves(here, kAllComponents)) {
    if (context_.exhausted()) break;
    composer_.outcomes(here, move, [&](const Place& there) {
      row.push_back({composer_.visible(move), State(places_.intern(there))});
    });
  }
  std::ranges::sort(row);
  row.erase(std::unique(row.begin(), row.end()), row.end());
  return rows_[state.index()].emplace(std::move(row));
}

Move Product::explain(State from, Transition transition) const {
  const Place here = place(from);
  const Place wanted = place(transition.target);
  for (const Move& move : composer_.moves(here, kAllComponents)) {
    if (composer_.visible(move) != transition.label) continue;
    bool is_it = false;
    composer_.outcomes(here, move, [&](const Place& there) {
      is_it = is_it || there == wanted;
    });
    if (is_it) return move;
  }
  AGON_ASSERT(false);
  return {};
}

Simulated simulate(Product& product, const lts::Lts& spec,
                   support::Context& context) {
  lts::ExplicitSuccessors responder(spec);
  const game::SimulationResult played = game::simulate(
      product, responder, game::Semantics::Weak, {.strategies = 1}, context);
  Simulated result{played.verdict, played.reason, {}};
  if (played.verdict != Verdict::Violated) return result;
  const game::Strategy& strategy = played.strategies.front();
  std::vector<std::uint32_t> origin{0};
  for (std::size_t i = 0; i < origin.size(); ++i) {
    const game::Strategy::Node& from = strategy.nodes[origin[i]];
    Tree::Node node{product.explain(from.position.impl, from.challenge),
                    product.place(from.position.impl),
                    product.place(from.challenge.target),
                    {},
                    from.position.spec};
    std::vector<std::uint32_t> children = from.children;
    std::ranges::sort(children);
    children.erase(std::unique(children.begin(), children.end()),
                   children.end());
    for (const std::uint32_t child : children) {
      node.children.push_back(static_cast<std::uint32_t>(origin.size()));
      origin.push_back(child);
    }
    if (origin.size() > kMaxNodes) {
      return {Verdict::Unknown, "the strategy tree is too large", {}};
    }
    result.tree.nodes.push_back(std::move(node));
  }
  return result;
}

}  // namespace agon::concurrent
