// SPDX-License-Identifier: Apache-2.0
#include "concurrent/behaviour.h"

#include <algorithm>

#include "support/sort_unique.h"

namespace agon::concurrent {

using lts::Label;
using lts::State;
using lts::Transition;

namespace {

std::uint64_t key(State state, Label label) {
  return (std::uint64_t{state.value()} << 32) | label.value();
}

std::vector<Label> labels_of(std::span<const Transition> moves) {
  std::vector<Label> result;
  for (const Transition t : moves) result.push_back(t.label);
  support::sort_unique(result);
  return result;
}

}  // namespace

const std::vector<State>& Behaviour::after(State state, Label label) {
  const auto at = after_.find(key(state, label));
  if (at != after_.end()) return at->second;
  return after_[key(state, label)] = find(state, label);
}

const std::vector<State>* Behaviour::known(State state, Label label) {
  const auto at = after_.find(key(state, label));
  return at != after_.end() ? &at->second : nullptr;
}

std::vector<Label> AllMoves::offers(State state) {
  return labels_of(system_.expand(state));
}

std::vector<State> AllMoves::find(State state, Label label) {
  std::vector<State> result;
  for (const Transition t : system_.expand(state)) {
    if (t.label == label) result.push_back(t.target);
  }
  return result;
}

std::vector<Label> SettledMoves::offers(State state) {
  return labels_of(system_.expand(state));
}

bool SettledMoves::is_passed_over(State state) {
  return offers(state) == std::vector{lts::kTau};
}

std::vector<State> SettledMoves::find(State state, Label label) {
  std::vector<State> result;
  std::vector<State> passed{state};
  for (std::size_t i = 0; i < passed.size(); ++i) {
    const auto moves = system_.expand(passed[i]);
    for (const Transition t : std::vector(moves.begin(), moves.end())) {
      if (t.label != (i == 0 ? label : lts::kTau)) continue;
      if (!is_passed_over(t.target)) {
        result.push_back(t.target);
      } else if (std::find(passed.begin() + 1, passed.end(), t.target) ==
                 passed.end()) {
        passed.push_back(t.target);
      }
    }
  }
  if (result.empty() && passed.size() > 1) result.push_back(passed[1]);
  support::sort_unique(result);
  return result;
}

/// The states that silent moves lead to, itself first.
const std::vector<State>& VisibleMoves::silently(State state) {
  const auto [at, is_new] = silently_.try_emplace(state);
  if (!is_new) return at->second;
  std::vector<State>& result = at->second;
  result.push_back(state);
  for (std::size_t i = 0; i < result.size(); ++i) {
    for (const Transition t : system_.expand(result[i], lts::kTau)) {
      if (std::ranges::count(result, t.target) == 0) {
        result.push_back(t.target);
      }
    }
  }
  return result;
}

std::vector<Label> VisibleMoves::offers(State state) {
  std::vector<Label> result;
  for (const State each : silently(state)) {
    std::ranges::copy(system_.possible(each), std::back_inserter(result));
  }
  std::erase(result, lts::kTau);
  support::sort_unique(result);
  return result;
}

std::vector<State> VisibleMoves::find(State state, Label label) {
  std::vector<State> result;
  for (const State each : silently(state)) {
    for (const Transition t : system_.expand(each, label)) {
      result.push_back(t.target);
    }
  }
  support::sort_unique(result);
  return result;
}

}  // namespace agon::concurrent
