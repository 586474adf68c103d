// SPDX-License-Identifier: Apache-2.0
#include "algol/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "algol/interpreter.h"
#include "algol/machine.h"
#include "algol/precision.h"
#include "support/error.h"
#include "support/sequence_table.h"

namespace agon::algol {
namespace {

class ModelBuilder {
 public:
  ModelBuilder(const Tree& tree, const lts::SharedLabels& labels,
               support::Context& context)
      : tree_(tree),
        context_(context),
        precision_(make_precision(tree, Partition::Start::Exact)),
        machine_(tree, precision_, {}),
        builder_(labels) {}

  Model run() && {
    machine_.record(&play_, nullptr);
    machine_.start();
    builder_.set_initial(state_of_choice());
    end_ = builder_.add_state(lts::StateKind::Terminated);
    for (std::size_t i = 0; i < choices_.size(); ++i) {
      if (!expand(static_cast<std::uint32_t>(i))) return std::move(model_);
    }
    model_.lts = std::move(builder_).build();
    return std::move(model_);
  }

 private:
  lts::State state_of_choice() {
    machine_.save(words_);
    const std::uint32_t number = states_.intern(words_);
    if (number == choices_.size()) choices_.push_back(builder_.add_state());
    return choices_[number];
  }

  bool expand(std::uint32_t choice) {
    machine_.load(states_[choice]);
    const std::vector<OptionGroup> groups(machine_.options().begin(),
                                          machine_.options().end());
    for (const OptionGroup& group : groups) {
      for (std::uint64_t number = 0; number < group.count; ++number) {
        machine_.load(states_[choice]);
        play_.clear();
        machine_.choose(group, number);
        do {
          if (must_stop()) return false;
        } while (machine_.run() == Machine::Status::Running);
        add_moves(choices_[choice]);
      }
    }
    return true;
  }

  bool must_stop() {
    if (const auto& reason = context_.exhausted()) {
      model_.reason = *reason;
    } else if (builder_.num_states() >= context_.limits().max_states) {
      model_.reason = fmt::format("the model has more than {} states",
                                  context_.limits().max_states);
    }
    return !model_.reason.empty();
  }

  /// The environment's move, and the program's, unless it never makes one.
  void add_moves(lts::State from) {
    for (std::size_t i = 0; i < play_.size(); ++i) {
      const bool is_last = i + 1 == play_.size() && play_.size() > 1;
      const lts::State to = !is_last ? builder_.add_state()
                            : machine_.status() == Machine::Status::Choice
                                ? state_of_choice()
                                : end_;
      builder_.add_transition(from, label(play_[i]), to);
      from = to;
    }
  }

  lts::Label label(const Move& move) {
    const lts::Label label = builder_.labels()->intern(to_string(move, tree_));
    if (label.index() >= model_.moves.size()) {
      model_.moves.resize(label.index() + 1);
    }
    model_.moves[label.index()] = move;
    return label;
  }

  const Tree& tree_;
  support::Context& context_;
  Precision precision_;
  Machine machine_;
  lts::LtsBuilder builder_;
  support::SequenceTable<StateWord> states_;
  std::vector<lts::State> choices_;  // The state of each interned one.
  std::vector<StateWord> words_;
  lts::State end_;
  Play play_;
  Model model_;
};

}  // namespace

Model build_model(const Tree& tree, const lts::SharedLabels& labels,
                  support::Context& context) {
  return ModelBuilder(tree, labels, context).run();
}

Decision decide_eagerly(const Judgement& judgement, const Model& model,
                        const std::vector<Pattern>& patterns) {
  Decision decision;
  if (!model.lts) {
    decision.reason = model.reason;
    return decision;
  }
  const lts::Lts& lts = *model.lts;
  decision.iterations = 1;
  decision.states = lts.num_states();
  struct Arrival {
    lts::State from;
    lts::Label label;
  };
  std::vector<std::optional<Arrival>> arrivals(lts.num_states());
  const auto matches = [&](lts::Label label) {
    return std::ranges::any_of(patterns, [&](const Pattern& pattern) {
      return pattern.match(model.moves[label.index()]) != Pattern::Match::No;
    });
  };
  const auto play_to = [&](lts::State state, lts::Label last) {
    Play play{model.moves[last.index()]};
    for (; state != lts.initial(); state = arrivals[state.index()]->from) {
      play.push_back(model.moves[arrivals[state.index()]->label.index()]);
    }
    std::ranges::reverse(play);
    return play;
  };
  std::vector<lts::State> queue{lts.initial()};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const lts::State state = queue[i];
    for (const lts::Transition& transition : lts.out(state)) {
      if (matches(transition.label)) {
        decision.kind = Decision::Kind::Reachable;
        decision.play = play_to(state, transition.label);
        auto example = replay(judgement, decision.play);
        AGON_ASSERT(example.has_value());
        decision.example = std::move(*example);
        return decision;
      }
      auto& arrival = arrivals[transition.target.index()];
      if (arrival || transition.target == lts.initial()) continue;
      arrival = {state, transition.label};
      queue.push_back(transition.target);
    }
  }
  decision.kind = Decision::Kind::Unreachable;
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
