// SPDX-License-Identifier: Apache-2.0
#include "concurrent/simulation.h"

#include <algorithm>
#include <set>

#include "support/error.h"
#include "support/sort_unique.h"

namespace agon::concurrent {

using lts::Label;
using lts::State;
using support::Verdict;

namespace {

constexpr std::size_t kMaxNodes = 20'000;

}  // namespace

Simulation::Simulation(const Composer& composer, const lts::Lts& spec,
                       support::Context& context, std::size_t many)
    : composer_(composer),
      spec_(spec),
      spec_states_(spec),
      context_(context),
      many_(many) {
  start_anew(std::nullopt);
}

void Simulation::start_anew(std::optional<Symmetry> symmetry) {
  if (game_ != nullptr) num_visits_before_ += game_->num_expanded();
  symmetry_ = std::move(symmetry);
  product_ = std::make_unique<Product>(
      composer_, spec_, symmetry_ ? &*symmetry_ : nullptr, context_);
  game_ =
      std::make_unique<game::RevisableGame>(*product_, spec_states_, context_);
}

Simulated Simulation::run() {
  while (!context_.exhausted()) {
    const Verdict verdict = game_->decide(
        has_tried_symmetry_ ? game::RevisableGame::kNoLimit : many_);
    if (verdict == Verdict::Unknown) {
      look_for_symmetry();
    } else if (verdict == Verdict::Violated) {
      if (auto found = violation()) return *std::move(found);
      AGON_ASSERT(symmetry_ || context_.exhausted());
      start_anew(std::nullopt);
    } else if (is_symmetric_in_the_end()) {
      return {verdict, {}, {}};
    }
  }
  return {Verdict::Unknown, *context_.exhausted(), {}};
}

void Simulation::look_for_symmetry() {
  if (has_tried_symmetry_ || context_.exhausted()) return;
  has_tried_symmetry_ = true;
  auto found = Symmetry::find(composer_, &spec_);
  if (found) start_anew(std::move(found));
}

/// If it is not, there is more to be played.
bool Simulation::is_symmetric_in_the_end() {
  if (!symmetry_) return true;
  if (symmetry_->holds()) return !product_->is_revised();
  start_anew(std::nullopt);
  return false;
}

/// None if it is not one, since the components are not symmetric after all.
std::optional<Simulated> Simulation::violation() {
  const auto strategy = game_->strategy();
  if (!strategy) return Simulated{Verdict::Unknown, *context_.exhausted(), {}};
  Simulated result{Verdict::Violated, {}, {}};
  std::vector<std::uint32_t> origin{0};
  std::vector<Place> start{composer_.initial()};
  for (std::size_t i = 0; i < origin.size(); ++i) {
    const game::Strategy::Node& from = strategy->nodes[origin[i]];
    auto node = take_back_permutation(from, start[i]);
    if (!node) return std::nullopt;
    std::vector<std::uint32_t> children = from.children;
    support::sort_unique(children);
    for (const std::uint32_t child : children) {
      node->children.push_back(static_cast<std::uint32_t>(origin.size()));
      origin.push_back(child);
      start.push_back(node->after);
    }
    if (origin.size() > kMaxNodes) {
      return Simulated{Verdict::Unknown, "the strategy tree is too large", {}};
    }
    result.tree.nodes.push_back(*std::move(node));
  }
  return result;
}

/// The same challenge from a place of the state that a node is at.
std::optional<Tree::Node> Simulation::take_back_permutation(
    const game::Strategy::Node& node, const Place& here) {
  const auto [spec, challenge] = std::pair(node.position.spec, node.challenge);
  for (const Move& move : composer_.moves(here, kAllComponents)) {
    if (!is_answered_alike(spec, composer_.visible(move), challenge.label)) {
      continue;
    }
    std::optional<Place> found;
    composer_.outcomes(here, move, [&](const Place& there) {
      if (product_->state_of(there) == challenge.target) found = there;
    });
    if (found) return Tree::Node{move, here, *std::move(found), {}, spec};
  }
  return std::nullopt;
}

/// After any silent steps.
bool Simulation::is_answered_alike(State spec, Label a, Label b) {
  if (a == b) return true;
  if (!symmetry_ || a == lts::kTau || b == lts::kTau) return false;
  std::vector<State> open{spec};
  for (std::size_t i = 0; i < open.size(); ++i) {
    std::set<State> after_a;
    std::set<State> after_b;
    for (const lts::Transition t : spec_.out(open[i])) {
      if (t.label == a) after_a.insert(t.target);
      if (t.label == b) after_b.insert(t.target);
      if (t.label == lts::kTau && std::ranges::count(open, t.target) == 0) {
        open.push_back(t.target);
      }
    }
    if (after_a != after_b) return false;
  }
  return true;
}

}  // namespace agon::concurrent
