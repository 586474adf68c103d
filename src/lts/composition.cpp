// SPDX-License-Identifier: Apache-2.0
#include "lts/composition.h"

#include <algorithm>
#include <utility>

#include "support/error.h"

namespace agon::lts {

// States are tuples of local states, hash-consed: equal tuples get one number.
// A state's moves are found from each component's: a label is handled where its
// first participant offers it, by combining the offers of all participants.

namespace {

std::span<const Transition> moves_on(std::span<const Transition> out,
                                     Label label) {
  const auto [first, last] =
      std::ranges::equal_range(out, label, {}, &Transition::label);
  return {first, last};
}

bool covers(std::span<const Label> alphabet, std::span<const Label> part) {
  return std::ranges::includes(alphabet, part);
}

}  // namespace

Composition::Composition(std::vector<std::unique_ptr<Successors>> components,
                         support::Context& context)
    : components_(std::move(components)),
      context_(context),
      here_(components_.size()),
      next_(components_.size()),
      moves_(components_.size()) {
  AGON_ASSERT(!components_.empty());
  std::vector<std::pair<Label, std::uint32_t>> uses;
  std::vector<Label> terminating;
  for (std::uint32_t i = 0; i < components_.size(); ++i) {
    AGON_ASSERT(components_[i]->labels() == components_[0]->labels());
    for (const Label label : components_[i]->alphabet()) {
      uses.emplace_back(label, i);
      if (components_[i]->can_terminate()) terminating.push_back(label);
    }
    can_terminate_ = can_terminate_ || components_[i]->can_terminate();
  }
  std::sort(uses.begin(), uses.end());
  std::sort(terminating.begin(), terminating.end());

  first_participant_.assign(labels()->size() + 1, 0);
  for (const auto& [label, component] : uses) {
    ++first_participant_[label.index() + 1];
    participants_.push_back(component);
    if (alphabet_.empty() || alphabet_.back() != label) {
      alphabet_.push_back(label);
    }
  }
  for (std::size_t l = 1; l < first_participant_.size(); ++l) {
    first_participant_[l] += first_participant_[l - 1];
  }
  for (const auto& component : components_) {
    can_terminate_ =
        can_terminate_ && (component->can_terminate() ||
                           covers(terminating, component->alphabet()));
  }
}

const SharedLabels& Composition::labels() const {
  return components_[0]->labels();
}

State Composition::initial() {
  for (std::size_t i = 0; i < components_.size(); ++i) {
    next_[i] = components_[i]->initial();
  }
  return intern_next();
}

State Composition::intern_next() {
  for (std::size_t i = 0; i < components_.size(); ++i) {
    if (components_[i]->kind(next_[i]) != StateKind::Error) continue;
    if (!error_.valid()) error_ = State(tuples_.reserve());
    return error_;
  }
  return State(tuples_.intern(next_));
}

State Composition::local(State state, std::size_t component) const {
  return tuples_[state.value()][component];
}

StateKind Composition::kind(State state) {
  if (state == error_) return StateKind::Error;
  if (!can_terminate_) return StateKind::Ordinary;
  for (std::size_t i = 0; i < components_.size(); ++i) {
    if (components_[i]->can_terminate() &&
        components_[i]->kind(local(state, i)) != StateKind::Terminated) {
      return StateKind::Ordinary;
    }
  }
  return StateKind::Terminated;
}

std::span<const Transition> Composition::expand(State state) {
  out_.clear();
  if (state == error_) return out_;
  std::ranges::copy(tuples_[state.value()], here_.begin());
  for (std::size_t i = 0; i < components_.size(); ++i) {
    moves_[i] = components_[i]->expand(here_[i]);
  }
  next_ = here_;
  for (std::size_t i = 0; i < components_.size(); ++i) {
    const auto moves = moves_[i];
    for (std::size_t k = 0; k < moves.size(); ++k) {
      const Label label = moves[k].label;
      if (label == kTau) {
        next_[i] = moves[k].target;
        out_.push_back({kTau, intern_next()});
        next_[i] = here_[i];
        continue;
      }
      if (k > 0 && moves[k - 1].label == label) continue;  // Already combined.
      const std::span<const std::uint32_t> sharing(
          participants_.data() + first_participant_[label.index()],
          participants_.data() + first_participant_[label.index() + 1]);
      if (sharing.front() == i) combine(label, sharing, 0);
    }
  }
  std::sort(out_.begin(), out_.end());
  out_.erase(std::unique(out_.begin(), out_.end()), out_.end());
  return out_;
}

/// Adds every joint move on `label`, the participants before `next` having
/// chosen theirs already.
void Composition::combine(Label label,
                          std::span<const std::uint32_t> participants,
                          std::size_t next) {
  if (next == participants.size()) {
    out_.push_back({label, intern_next()});
    return;
  }
  if (context_.exhausted()) return;
  const std::uint32_t i = participants[next];
  for (const Transition& move : moves_on(moves_[i], label)) {
    next_[i] = move.target;
    combine(label, participants, next + 1);
  }
  next_[i] = here_[i];
}

}  // namespace agon::lts
