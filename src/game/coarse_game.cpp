// SPDX-License-Identifier: Apache-2.0
#include "game/coarse_game.h"

#include <limits>
#include <map>
#include <utility>

#include "game/simulation_game.h"

namespace agon::game {

using lts::Label;
using lts::State;

namespace {

/// Questions asked before the answers are judged, and the share of them that
/// has to be a yes.
constexpr std::size_t kTrial = 2000;
constexpr std::size_t kOneIn = 20;

constexpr std::size_t kEffortPerQuestion = 4096;

std::vector<Label> labels_at(const lts::Lts& lts, State state) {
  std::vector<Label> result;
  for (const lts::Transition& t : lts.out(state)) {
    if (result.empty() || result.back() != t.label) result.push_back(t.label);
  }
  return result;
}

}  // namespace

CoarseGame::CoarseGame(const lts::Lts& impl, lts::Successors& spec,
                       Semantics semantics, support::Context& context) {
  lts::LtsBuilder builder(impl.labels());
  std::map<std::vector<Label>, State> classes;
  for (std::size_t i = 0; i < impl.num_states(); ++i) {
    const auto [entry, is_new] =
        classes.try_emplace(labels_at(impl, State::at(i)), State());
    if (is_new) entry->second = builder.add_state();
    class_of_.push_back(entry->second);
  }
  for (std::size_t i = 0; i < impl.num_states(); ++i) {
    for (const lts::Transition& t : impl.out(State::at(i))) {
      builder.add_transition(class_of_[i], t.label,
                             class_of_[t.target.index()]);
    }
  }
  builder.set_initial(class_of_[impl.initial().index()]);
  abstraction_ = std::make_unique<lts::Lts>(std::move(builder).build());
  successors_ = std::make_unique<lts::ExplicitSuccessors>(*abstraction_);
  // The coarse game must not consult one in turn.
  game_ = std::make_unique<SimulationGame>(
      *successors_, spec, semantics, context,
      Tuning{.coarse_after = std::numeric_limits<std::size_t>::max()});
}

CoarseGame::~CoarseGame() = default;

bool CoarseGame::accepts(Position position) {
  ++asked_;
  const bool accepted =
      game_->decide({class_of_[position.impl.index()], position.spec},
                    kEffortPerQuestion) == support::Verdict::Holds;
  if (accepted) ++accepted_;
  return accepted;
}

std::size_t CoarseGame::effort() const { return game_->effort(); }

bool CoarseGame::is_useful() const {
  return asked_ < kTrial || accepted_ * kOneIn >= asked_;
}

}  // namespace agon::game
