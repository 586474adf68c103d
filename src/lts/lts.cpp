// SPDX-License-Identifier: Apache-2.0
#include "lts/lts.h"

#include <algorithm>
#include <utility>

#include "support/error.h"
#include "support/sort_unique.h"

namespace agon::lts {
namespace {

/// Adds the visible labels of some transitions to an alphabet, each at least
/// once. A system may be tiny and the table of labels huge, so its size counts
/// only where there are as many transitions.
void add_visible_labels(std::span<const Transition> transitions,
                        std::size_t num_labels, std::vector<Label>& alphabet) {
  const bool is_small = transitions.size() < num_labels;
  std::vector<bool> known(is_small ? 0 : num_labels, false);
  for (const Transition& t : transitions) {
    if (t.label == kTau || (!is_small && known[t.label.index()])) continue;
    if (!is_small) known[t.label.index()] = true;
    alphabet.push_back(t.label);
  }
}

bool is_deterministic_at(std::span<const Transition> out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out[i].label == kTau) return false;
    if (i > 0 && out[i].label == out[i - 1].label &&
        out[i].target != out[i - 1].target) {
      return false;
    }
  }
  return true;
}

}  // namespace

LtsBuilder::LtsBuilder(SharedLabels labels) : labels_(std::move(labels)) {}

State LtsBuilder::add_state(StateKind kind) {
  const State state = State::at(num_states_++);
  if (kind != StateKind::Ordinary) set_kind(state, kind);
  return state;
}

void LtsBuilder::ensure_states(std::size_t count) {
  num_states_ = std::max(num_states_, count);
}

void LtsBuilder::set_kind(State state, StateKind kind) {
  if (kinds_.size() <= state.index()) {
    if (kind == StateKind::Ordinary) return;
    kinds_.resize(state.index() + 1, StateKind::Ordinary);
  }
  kinds_[state.index()] = kind;
}

void LtsBuilder::add_transition(State source, Label label, State target) {
  edges_.push_back({source, {label, target}});
}

void LtsBuilder::extend_alphabet(Label label) {
  if (label != kTau) extension_.push_back(label);
}

Lts LtsBuilder::build(Duplicates duplicates) && {
  AGON_ASSERT(initial_.index() < num_states_);
  Lts lts;
  lts.labels_ = std::move(labels_);
  lts.initial_ = initial_;

  // Counting sort by source, then an ordinary sort of each short row.
  lts.first_.assign(num_states_ + 1, 0);
  for (const Edge& edge : edges_) ++lts.first_[edge.source.index() + 1];
  for (std::size_t s = 0; s < num_states_; ++s) {
    lts.first_[s + 1] += lts.first_[s];
  }
  lts.transitions_.resize(edges_.size());
  std::vector<std::uint32_t> next(lts.first_.begin(), lts.first_.end() - 1);
  for (const Edge& edge : edges_) {
    lts.transitions_[next[edge.source.index()]++] = edge.transition;
  }
  std::vector<Edge>().swap(edges_);

  std::uint32_t kept = 0;
  for (std::size_t s = 0; s < num_states_; ++s) {
    const auto begin = lts.transitions_.begin() + lts.first_[s];
    auto end = lts.transitions_.begin() + lts.first_[s + 1];
    std::sort(begin, end);
    if (duplicates == Duplicates::Merge) end = std::unique(begin, end);
    lts.first_[s] = kept;
    const auto to = std::move(begin, end, lts.transitions_.begin() + kept);
    kept = static_cast<std::uint32_t>(to - lts.transitions_.begin());
  }
  lts.first_[num_states_] = kept;
  lts.transitions_.resize(kept);

  lts.alphabet_ = std::move(extension_);
  add_visible_labels(lts.transitions_, lts.labels_->size(), lts.alphabet_);
  support::sort_unique(lts.alphabet_);

  const auto is_special = [](StateKind k) { return k != StateKind::Ordinary; };
  if (std::any_of(kinds_.begin(), kinds_.end(), is_special)) {
    kinds_.resize(num_states_, StateKind::Ordinary);
    lts.kinds_ = std::move(kinds_);
  }
  return lts;
}

LtsInfo info(const Lts& lts) {
  LtsInfo result;
  result.transitions = lts.num_transitions();
  result.labels = lts.alphabet().size();
  for (std::size_t i = 0; i < lts.num_states(); ++i) {
    const State state = State::at(i);
    const auto out = lts.out(state);
    const StateKind kind = lts.kind(state);
    if (kind == StateKind::Error) result.error = true;
    if (kind != StateKind::Error) ++result.states;
    if (kind == StateKind::Terminated) ++result.terminated;
    if (kind == StateKind::Ordinary && out.empty()) ++result.deadlocks;
    for (const Transition& t : out) {
      if (t.label == kTau) ++result.silent;
    }
    if (!is_deterministic_at(out)) result.deterministic = false;
  }
  for (const State state : reachable(lts)) {
    if (lts.kind(state) != StateKind::Error) ++result.reachable_states;
  }
  return result;
}

std::vector<State> reachable(const Lts& lts) {
  std::vector<bool> seen(lts.num_states(), false);
  std::vector<State> order{lts.initial()};
  seen[lts.initial().index()] = true;
  for (std::size_t head = 0; head < order.size(); ++head) {
    for (const Transition& t : lts.out(order[head])) {
      if (seen[t.target.index()]) continue;
      seen[t.target.index()] = true;
      order.push_back(t.target);
    }
  }
  return order;
}

}  // namespace agon::lts
