// SPDX-License-Identifier: Apache-2.0
#include "game/winning_region.h"

#include <algorithm>
#include <utility>

#include "support/error.h"

namespace agon::game {

using horn::Clause;
using horn::Variable;
using lts::Transition;

namespace {

/// Strategies tried for each one wanted; most are new.
constexpr std::size_t kTriesPerStrategy = 50;

}  // namespace

WinningRegion::WinningRegion(MoveTable& impl, MoveTable& spec,
                             Semantics semantics, Position root,
                             const GameKnowledge& knowledge,
                             std::size_t max_literals)
    : impl_(impl), spec_(spec), semantics_(semantics), knowledge_(knowledge) {
  find_or_add(root);
  add_spine();
  for (std::size_t v = 0; v < positions_.size(); ++v) {
    if (num_literals_ > max_literals) break;
    add_alternatives(Variable::at(v));
    add_spine();
  }
  solver_.solve();
  AGON_ASSERT(solver_.is_true(Variable::at(0)));
}

Variable WinningRegion::find_or_add(Position position) {
  const auto [entry, is_new] = index_.try_emplace(
      support::pair_key(position.impl.value(), position.spec.value()),
      Variable::at(positions_.size()));
  if (is_new) {
    solver_.add_variable();
    positions_.push_back(position);
    ways_.emplace_back();
  }
  return entry->second;
}

std::vector<Position> WinningRegion::responses(Position position,
                                               Transition move) {
  if (semantics_ == Semantics::Weak && move.label == lts::kTau) {
    return {{move.target, position.spec}};
  }
  std::vector<Position> result;
  const auto range = spec_.on(spec_.row(position.spec), move.label);
  for (const Transition& response : spec_.moves(range)) {
    const Position next{move.target, response.target};
    if (result.empty() || result.back() != next) result.push_back(next);
  }
  return result;
}

void WinningRegion::add_clause(Variable head, Transition move,
                               std::span<const Position> responses) {
  std::vector<Variable> body;
  for (const Position response : responses) {
    body.push_back(find_or_add(response));
  }
  num_literals_ += body.size() + 1;
  challenges_.push_back(move);
  ways_[head.index()].push_back(solver_.add_clause(head, body));
}

/// Gives every position the challenge with which the game won it.
void WinningRegion::add_spine() {
  for (; spine_ < positions_.size(); ++spine_) {
    const Position position = positions_[spine_];
    const Transition move = knowledge_.winning_challenge(position);
    add_clause(Variable::at(spine_), move, responses(position, move));
  }
}

/// Adds every other challenge that is known to win.
void WinningRegion::add_alternatives(Variable head) {
  const Position position = positions_[head.index()];
  const Transition reason = challenges_[ways_[head.index()].front().index()];
  const MoveTable::Range row = impl_.row(position.impl);
  for (std::uint32_t i = row.begin; i < row.end; ++i) {
    const Transition move = impl_.move(i);
    if (move == reason || (i > row.begin && impl_.move(i - 1) == move)) {
      continue;
    }
    const std::vector<Position> answers = responses(position, move);
    if (std::ranges::all_of(answers, knowledge_.is_lost)) {
      add_clause(head, move, answers);
    }
  }
}

std::vector<Strategy> WinningRegion::strategies(std::size_t count) const {
  std::vector<Strategy> found;
  std::vector<Choice> choices{{}};
  std::size_t tries = count * kTriesPerStrategy;
  for (std::size_t c = 0; c < choices.size() && found.size() < count; ++c) {
    if (tries-- == 0) break;
    Strategy strategy = follow(choices[c]);
    if (strategy.nodes.empty() || std::ranges::count(found, strategy) > 0) {
      continue;
    }
    // The next candidates deviate from this strategy in one more node.
    const std::size_t wanted = count * kTriesPerStrategy;
    for (const Strategy::Node& node : strategy.nodes) {
      const Variable head = index_.at(support::pair_key(
          node.position.impl.value(), node.position.spec.value()));
      for (const Clause clause : ways_[head.index()]) {
        if (challenges_[clause.index()] == node.challenge) continue;
        if (choices.size() >= wanted) break;
        Choice choice = choices[c];
        std::erase_if(choice,
                      [&](const auto& entry) { return entry.first == head; });
        choice.emplace_back(head, clause);
        choices.push_back(std::move(choice));
      }
    }
    found.push_back(std::move(strategy));
  }
  return found;
}

Strategy WinningRegion::follow(const Choice& choice) const {
  Strategy strategy;
  tsl::robin_map<std::uint32_t, std::uint32_t> node_of;  // By variable.
  std::vector<Variable> order;
  const auto visit = [&](Variable variable) {
    const auto [entry, is_new] = node_of.try_emplace(
        variable.value(), static_cast<std::uint32_t>(order.size()));
    if (is_new) order.push_back(variable);
    return entry->second;
  };
  visit(Variable::at(0));
  for (std::size_t head = 0; head < order.size(); ++head) {
    const Variable variable = order[head];
    Clause clause = solver_.reason(variable);
    for (const auto& [chosen, instead] : choice) {
      if (chosen == variable) clause = instead;
    }
    Strategy::Node node{
        positions_[variable.index()], challenges_[clause.index()], {}};
    for (const Variable literal : solver_.body(clause)) {
      node.children.push_back(visit(literal));
    }
    strategy.nodes.push_back(std::move(node));
  }
  if (!choice.empty() && !is_finite(strategy)) return {};
  return strategy;
}

}  // namespace agon::game
