// SPDX-License-Identifier: Apache-2.0
#include "algol/term_game.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "support/error.h"

namespace agon::algol {

TermGame::TermGame(const Tree& tree, lts::SharedLabels labels,
                   support::Context& context)
    : tree_(tree),
      labels_(std::move(labels)),
      context_(context),
      precision_(make_precision(tree, Partition::Start::Exact)),
      machine_(tree, precision_, {}) {
  machine_.record(&play_, nullptr);
}

lts::State TermGame::initial() {
  machine_.start();
  return state_of_choice(intern_choice());
}

std::span<const lts::Transition> TermGame::expand(lts::State state) {
  transitions_.clear();
  const Position position = positions_[state.index()];
  switch (position.kind) {
    case Position::Kind::Choice:
      expand_choice(position.choice);
      break;
    case Position::Kind::Answer:
      if (position.choice != kNone) {
        transitions_.push_back(
            {position.label, state_of_choice(position.choice)});
        break;
      }
      if (!over_.valid()) over_ = add({});
      transitions_.push_back({position.label, over_});
      break;
    case Position::Kind::Silent:
    case Position::Kind::Over:
      break;
  }
  std::ranges::sort(transitions_);
  return transitions_;
}

lts::StateKind TermGame::kind(lts::State state) {
  return positions_[state.index()].kind == Position::Kind::Over
             ? lts::StateKind::Terminated
             : lts::StateKind::Ordinary;
}

lts::State TermGame::add(const Position& position) {
  positions_.push_back(position);
  return lts::State::at(positions_.size() - 1);
}

/// Numbers are given to states when they are returned for the first time.
lts::State TermGame::state_of_choice(std::uint32_t choice) {
  if (!choice_states_[choice].valid()) {
    choice_states_[choice] = add({Position::Kind::Choice, choice, {}});
  }
  return choice_states_[choice];
}

std::uint32_t TermGame::intern_choice() {
  machine_.save(words_);
  const std::uint32_t choice = choices_.intern(words_);
  if (choice == choice_states_.size()) choice_states_.emplace_back();
  return choice;
}

void TermGame::expand_choice(std::uint32_t choice) {
  machine_.load(choices_[choice]);
  const std::vector<OptionGroup> groups(machine_.options().begin(),
                                        machine_.options().end());
  for (const OptionGroup& group : groups) {
    for (std::uint64_t number = 0; number < group.count; ++number) {
      play_option(choice, group, number);
    }
  }
}

void TermGame::play_option(std::uint32_t choice, const OptionGroup& group,
                           std::uint64_t number) {
  machine_.load(choices_[choice]);
  play_.clear();
  machine_.choose(group, number);
  do {
    check_limits();
  } while (machine_.run() == Machine::Status::Running);
  // The environment's move, and the program's.
  AGON_ASSERT(play_.size() == 1 || play_.size() == 2);
  Position after{Position::Kind::Silent, kNone, {}};
  if (play_.size() == 2) {
    after.kind = Position::Kind::Answer;
    after.label = label(play_[1]);
    if (machine_.status() == Machine::Status::Choice) {
      after.choice = intern_choice();
    }
  }
  transitions_.push_back({label(play_[0]), add(after)});
}

void TermGame::check_limits() const {
  if (const auto& reason = context_.exhausted()) {
    throw support::InputError(*reason);
  }
  if (positions_.size() > context_.limits().max_states) {
    throw support::InputError(fmt::format("the model has more than {} states",
                                          context_.limits().max_states));
  }
}

lts::Label TermGame::label(const Move& move) {
  const lts::Label label = labels_->intern(to_string(move, tree_));
  if (label.index() >= moves_.size()) moves_.resize(label.index() + 1);
  moves_[label.index()] = move;
  return label;
}

}  // namespace agon::algol
