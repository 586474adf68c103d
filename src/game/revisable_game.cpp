// SPDX-License-Identifier: Apache-2.0
#include "game/revisable_game.h"

#include <algorithm>
#include <utility>

#include "game/winning_region.h"
#include "support/error.h"

// As in simulation_game.cpp, a position is lost if the implementation has a
// challenge all of whose answers are lost, and a challenge looks at one answer
// that is not lost as long as there is one. Here this can be taken back. A lost
// position knows the challenge that it was lost by, and each answer to it who
// relies on it. So when a move is forgotten, just what was concluded from it is
// taken back, and is expanded again if somebody still asks. Everything else
// stays: a challenge that waits for an answer may wait for it all the more.
//
// Positions that nobody asks for any more keep what they know and are not
// played on. Who is asked for is found out from the root after each revision;
// no position is expanded for that.
//
// That the implementation wins from what is lost holds at any time, since
// reasons rest on moves that are there and on positions that were lost before.
// When nothing is left to expand, all positions that are asked for are expanded
// with all moves that there are, and each of these has an answer among them: so
// they are a simulation.

namespace agon::game {

using lts::State;
using lts::Transition;
using support::Verdict;

namespace {

/// Every so many positions the oldest one gets its turn, so that a loss near
/// the root does not wait for what is deep.
constexpr std::size_t kOldestOneIn = 32;

constexpr std::size_t kMaxAlternatives = 2'000'000;  // As in tuning.h.

}  // namespace

RevisableGame::RevisableGame(RevisableSystem& impl, lts::Successors& spec,
                             support::Context& context)
    : impl_system_(impl),
      context_(context),
      spec_initial_(spec.initial()),
      spec_(spec, Semantics::Weak, context) {}

Verdict RevisableGame::decide(std::size_t most) {
  revise();
  ++epoch_;
  for (const Node node : std::exchange(queue_, {})) {
    nodes_[node].is_queued = false;
  }
  root_ = find_or_add({impl_system_.initial(), spec_initial_});
  activate(root_);
  for (;;) {
    propagate();
    revise();
    if (context_.exhausted()) return Verdict::Unknown;  // Moves may be missing.
    if (nodes_[root_].is_lost) return Verdict::Violated;
    const std::optional<Node> next = take_from_queue();
    if (!next) return Verdict::Holds;
    if (num_positions() > most) {
      queue(*next);
      return Verdict::Unknown;
    }
    expand(*next);
  }
}

RevisableGame::Node RevisableGame::find_or_add(Position position) {
  const auto [entry, is_new] = index_.try_emplace(
      support::pair_key(position.impl.value(), position.spec.value()),
      static_cast<Node>(nodes_.size()));
  if (!is_new) return entry->second;
  const std::size_t state = position.impl.index();
  if (by_state_.size() <= state) {
    by_state_.resize(std::max(state + 1, 2 * by_state_.size()));
  }
  by_state_[state].push_back(entry->second);
  nodes_.emplace_back().position = position;
  return entry->second;
}

std::optional<RevisableGame::Node> RevisableGame::find(
    Position position) const {
  const auto known = index_.find(
      support::pair_key(position.impl.value(), position.spec.value()));
  if (known == index_.end()) return std::nullopt;
  return known->second;
}

bool RevisableGame::is_lost(Position position) const {
  const auto node = find(position);
  return node && nodes_[*node].is_lost;
}

/// Somebody asks for a position, and so for the answers that it waits for.
void RevisableGame::activate(Node first) {
  std::vector<Node> open{first};
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    if (is_active(node)) continue;
    nodes_[node].epoch = epoch_;
    if (nodes_[node].is_lost) continue;
    if (!nodes_[node].is_expanded) queue(node);
    for (const Challenge& each : nodes_[node].challenges) {
      open.push_back(each.answer);
    }
  }
}

void RevisableGame::queue(Node node) {
  if (std::exchange(nodes_[node].is_queued, true)) return;
  queue_.push_back(node);
}

std::optional<RevisableGame::Node> RevisableGame::take_from_queue() {
  while (!queue_.empty()) {
    Node node;
    if (num_expanded_ % kOldestOneIn == 0) {
      node = queue_.front();
      queue_.pop_front();
    } else {
      node = queue_.back();
      queue_.pop_back();
    }
    Data& data = nodes_[node];
    data.is_queued = false;
    if (data.is_lost || data.is_expanded || !is_active(node)) continue;
    if (is_awaited(node)) return node;
    data.epoch = 0;  // Whoever asked has lost in another way.
  }
  return std::nullopt;
}

bool RevisableGame::is_awaited(Node node) const {
  return node == root_ ||
         std::ranges::any_of(nodes_[node].waiting, [&](Node head) {
           return is_active(head) &&
                  std::ranges::find(nodes_[head].challenges, node,
                                    &Challenge::answer) !=
                      nodes_[head].challenges.end();
         });
}

void RevisableGame::expand(Node node) {
  ++num_expanded_;
  nodes_[node].is_expanded = true;
  const auto row = impl_system_.expand(nodes_[node].position.impl);
  const std::vector<Transition> moves(row.begin(), row.end());
  if (const auto reason = unanswered(node, moves)) {
    lose(node, *reason);
  } else {
    add_challenges(node, moves);
  }
}

/// A challenge that all answers to are known to be lost, before any position is
/// made for others.
std::optional<Transition> RevisableGame::unanswered(
    Node node, std::span<const Transition> moves) {
  const Position position = nodes_[node].position;
  for (const Transition move : moves) {
    if (std::ranges::all_of(answers(position, move),
                            [&](Position answer) { return is_lost(answer); })) {
      return move;
    }
  }
  return std::nullopt;
}

void RevisableGame::add_challenges(Node node,
                                   std::span<const Transition> moves) {
  std::vector<Transition> known;
  for (const Challenge& each : nodes_[node].challenges) {
    known.push_back(each.move);
  }
  std::ranges::sort(known);
  const State here = nodes_[node].position.impl;
  for (const Transition move : moves) {
    const bool stays = move.label == lts::kTau && move.target == here;
    if (stays || std::ranges::binary_search(known, move)) continue;
    Challenge challenge{move, 0};
    if (!find_answer(node, challenge)) return lose(node, move);
    nodes_[node].challenges.push_back(challenge);
  }
}

std::vector<Position> RevisableGame::answers(Position position,
                                             Transition move) {
  if (move.label == lts::kTau) return {{move.target, position.spec}};
  std::vector<Position> result;
  const auto range = spec_.on(spec_.row(position.spec), move.label);
  for (const Transition answer : spec_.moves(range)) {
    result.push_back({move.target, answer.target});
  }
  return result;
}

/// An answer that is not lost; rather one that is played on already, which
/// keeps the game small. False if there is none.
bool RevisableGame::find_answer(Node node, Challenge& challenge) {
  std::optional<Node> found;
  for (const Position answer : answers(nodes_[node].position, challenge.move)) {
    if (is_lost(answer)) continue;
    const auto known = find(answer);
    const bool is_played = known && is_active(*known);
    if (!found || is_played) found = find_or_add(answer);
    if (is_played) break;
  }
  if (!found) return false;
  challenge.answer = *found;
  nodes_[*found].waiting.push_back(node);
  activate(*found);
  return true;
}

void RevisableGame::lose(Node node, Transition reason) {
  Data& data = nodes_[node];
  data.is_lost = true;
  data.reason = reason;
  data.challenges.clear();
  for (const Position answer : answers(data.position, reason)) {
    nodes_[find(answer).value()].relying.push_back(node);
  }
  newly_lost_.push_back(node);
}

void RevisableGame::propagate() {
  while (!newly_lost_.empty()) {
    const Node lost = newly_lost_.back();
    newly_lost_.pop_back();
    for (const Node head : std::exchange(nodes_[lost].waiting, {})) {
      for (std::size_t i = 0; i < nodes_[head].challenges.size(); ++i) {
        Challenge challenge = nodes_[head].challenges[i];
        if (challenge.answer != lost) continue;
        if (!is_active(head)) {
          take_back(head);
        } else if (find_answer(head, challenge)) {
          nodes_[head].challenges[i] = challenge;
        } else {
          lose(head, challenge.move);
        }
      }
    }
  }
}

void RevisableGame::revise() {
  const RevisableSystem::Revision revision = impl_system_.take_revision();
  if (revision.empty()) return;
  AGON_ASSERT(newly_lost_.empty());
  std::vector<bool> is_forgotten;
  for (const State state : revision.forgotten) {
    if (is_forgotten.size() <= state.index()) {
      is_forgotten.resize(state.index() + 1);
    }
    is_forgotten[state.index()] = true;
  }
  for (const Node node : positions_at(revision.extended)) {
    take_back_challenges(node, is_forgotten);
  }
  for (const Node node : positions_at(revision.forgotten)) take_back(node);
}

std::vector<RevisableGame::Node> RevisableGame::positions_at(
    const std::vector<State>& states) const {
  std::vector<Node> result;
  for (const State state : states) {
    if (state.index() >= by_state_.size()) continue;
    const auto& nodes = by_state_[state.index()];
    result.insert(result.end(), nodes.begin(), nodes.end());
  }
  return result;
}

/// What a position knows by moves that are forgotten. There may be others.
void RevisableGame::take_back_challenges(
    Node node, const std::vector<bool>& is_forgotten) {
  const auto leads_there = [&](Transition move) {
    return move.target.index() < is_forgotten.size() &&
           is_forgotten[move.target.index()];
  };
  Data& data = nodes_[node];
  if (data.is_lost) {
    if (leads_there(data.reason)) take_back(node);
    return;
  }
  std::erase_if(data.challenges,
                [&](const Challenge& each) { return leads_there(each.move); });
  data.is_expanded = false;
  if (is_active(node)) queue(node);
}

/// All that is known of a position, and what was concluded from it.
void RevisableGame::take_back(Node first) {
  std::vector<Node> open{first};
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    Data& data = nodes_[node];
    if (data.is_lost) {
      for (const Node head : std::exchange(data.relying, {})) {
        const Data& other = nodes_[head];
        if (other.is_lost && other.reason.target == data.position.impl) {
          open.push_back(head);
        }
      }
    }
    data.is_lost = false;
    data.is_expanded = false;
    data.challenges.clear();
    if (is_active(node)) queue(node);
  }
}

std::optional<Strategy> RevisableGame::strategy() {
  const GameKnowledge knowledge{
      [this](Position p) { return is_lost(p); },
      [this](Position p) { return nodes_[find(p).value()].reason; }};
  MoveTable impl(impl_system_, Semantics::Strong, context_);
  auto found =
      WinningRegion(impl, spec_, Semantics::Weak, nodes_[root_].position,
                    knowledge, kMaxAlternatives)
          .strategies(1);
  if (context_.exhausted()) return std::nullopt;
  return std::move(found.front());
}

std::size_t RevisableGame::num_states() const {
  std::size_t result = 0;
  for (const std::vector<Node>& nodes : by_state_) {
    result +=
        std::ranges::any_of(nodes, [&](Node node) { return is_active(node); });
  }
  return result;
}

}  // namespace agon::game
