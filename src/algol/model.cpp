// SPDX-License-Identifier: Apache-2.0
#include "algol/model.h"

#include <algorithm>
#include <utility>

#include "algol/interpreter.h"
#include "algol/term_game.h"
#include "lts/explore.h"
#include "support/error.h"

namespace agon::algol {

Model build_model(const Tree& tree, const lts::SharedLabels& labels,
                  support::Context& context) {
  Model model;
  TermGame game(tree, labels, context);
  try {
    model.lts = lts::explore(game, context);
    model.moves = game.moves();
  } catch (const support::InputError& error) {
    model.reason = error.message();  // A limit is no mistake of the user.
  }
  return model;
}

namespace {

/// A breadth-first search.
class ModelSearch {
 public:
  ModelSearch(const Model& model, const std::vector<Pattern>& patterns)
      : model_(model),
        lts_(*model.lts),
        patterns_(patterns),
        arrivals_(lts_.num_states()) {}

  /// A shortest play to a move that matches.
  std::optional<Play> run() {
    std::vector<lts::State> queue{lts_.initial()};
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (const lts::Transition& transition : lts_.out(queue[i])) {
        if (matches(transition.label)) {
          return play_to(queue[i], transition.label);
        }
        auto& arrival = arrivals_[transition.target.index()];
        if (arrival || transition.target == lts_.initial()) continue;
        arrival = {queue[i], transition.label};
        queue.push_back(transition.target);
      }
    }
    return std::nullopt;
  }

 private:
  struct Arrival {
    lts::State from;
    lts::Label label;
  };

  const Move& move(lts::Label label) const {
    return model_.moves[label.index()];
  }

  bool matches(lts::Label label) const {
    return std::ranges::any_of(patterns_, [&](const Pattern& pattern) {
      return pattern.match(move(label)) != Pattern::Match::No;
    });
  }

  Play play_to(lts::State state, lts::Label last) const {
    Play play{move(last)};
    while (state != lts_.initial()) {
      const Arrival& arrival = *arrivals_[state.index()];
      play.push_back(move(arrival.label));
      state = arrival.from;
    }
    std::ranges::reverse(play);
    return play;
  }

  const Model& model_;
  const lts::Lts& lts_;
  const std::vector<Pattern>& patterns_;
  std::vector<std::optional<Arrival>> arrivals_;
};

}  // namespace

Decision decide_eagerly(const Judgement& judgement, const Model& model,
                        const std::vector<Pattern>& patterns) {
  Decision decision;
  if (!model.lts) {
    decision.reason = model.reason;
    return decision;
  }
  decision.iterations = 1;
  decision.states = model.lts->num_states();
  auto play = ModelSearch(model, patterns).run();
  if (!play) {
    decision.kind = Decision::Kind::Unreachable;
    return decision;
  }
  auto example = replay(judgement, *play);
  AGON_ASSERT(example.has_value());
  decision.kind = Decision::Kind::Reachable;
  decision.play = std::move(*play);
  decision.example = std::move(*example);
  return decision;
}

std::uint64_t count_loop_free_traces(const lts::Lts& lts) {
  // Every transition is on a branch of its own or leads to a new state.
  std::uint64_t transitions = 0;
  std::uint64_t ends = 0;
  const std::vector<lts::State> states = lts::reachable(lts);
  for (const lts::State state : states) {
    transitions += lts.out(state).size();
    if (lts.out(state).empty()) ++ends;
  }
  return transitions - (states.size() - 1) + ends;
}

}  // namespace agon::algol
