// SPDX-License-Identifier: Apache-2.0
/// The game on systems that change at random, against the definition.
#include "game/revisable_game.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "helpers/naive_preorders.h"
#include "helpers/random_lts.h"

namespace agon::test {
namespace {

using game::RevisableGame;
using game::RevisableSystem;
using lts::Label;
using lts::State;
using lts::Transition;
using support::Verdict;

/// Keeps count of who was expanded.
class Changing final : public RevisableSystem {
 public:
  explicit Changing(const lts::Lts& start)
      : labels_(start.labels()),
        alphabet_(start.alphabet().begin(), start.alphabet().end()),
        initial_(start.initial()),
        rows_(start.num_states()) {
    for (std::size_t s = 0; s < rows_.size(); ++s) {
      const auto out = start.out(State::at(s));
      rows_[s] = {out.begin(), out.end()};
    }
  }

  State initial() override { return initial_; }
  std::span<const Transition> expand(State state) override {
    ++expanded[state];
    row_.assign(rows_[state.index()].begin(), rows_[state.index()].end());
    return row_;
  }
  lts::StateKind kind(State) override { return lts::StateKind::Ordinary; }
  bool can_terminate() const override { return false; }
  std::span<const Label> alphabet() const override { return alphabet_; }
  const lts::SharedLabels& labels() const override { return labels_; }
  Revision take_revision() override { return std::exchange(revision_, {}); }

  void add(State from, Transition move) {
    rows_[from.index()].insert(move);
    revision_.extended.push_back(from);
  }

  /// Takes all moves from and to a state away. Answers with those to it.
  std::vector<std::pair<State, Transition>> forget(State state) {
    std::vector<std::pair<State, Transition>> result;
    revision_.forgotten.push_back(state);
    for (std::size_t s = 0; s < rows_.size(); ++s) {
      for (const Transition t : rows_[s]) {
        if (t.target == state) result.emplace_back(State::at(s), t);
      }
      const bool leads_there = std::erase_if(rows_[s], [&](Transition t) {
                                 return t.target == state;
                               }) > 0;
      if (leads_there) revision_.extended.push_back(State::at(s));
    }
    rows_[state.index()].clear();
    return result;
  }

  const std::set<Transition>& row(State state) const {
    return rows_[state.index()];
  }

  lts::Lts now() const {
    lts::LtsBuilder builder(labels_);
    builder.ensure_states(rows_.size());
    builder.set_initial(initial_);
    for (std::size_t s = 0; s < rows_.size(); ++s) {
      for (const Transition t : rows_[s]) {
        builder.add_transition(State::at(s), t.label, t.target);
      }
    }
    return std::move(builder).build();
  }

  std::map<State, int> expanded;

 private:
  lts::SharedLabels labels_;
  std::vector<Label> alphabet_;
  State initial_;
  std::vector<std::set<Transition>> rows_;
  std::vector<Transition> row_;
  Revision revision_;
};

lts::SharedLabels three_labels() {
  const auto labels = std::make_shared<lts::LabelTable>();
  for (const char* name : {"a", "b", "c"}) labels->intern(name);
  return labels;
}

void change_at_random(Random& random, Changing& system, std::size_t size) {
  const auto any = [&] { return State::at(below(random, size)); };
  const auto add = [&](State from) {
    system.add(from, {Label::at(below(random, 4)), any()});
  };
  if (below(random, 2) == 0) return add(any());
  const State gone = any();
  for (const auto& [from, move] : system.forget(gone)) {
    // The rest of a class that was divided may be anywhere.
    if (from != gone) system.add(from, {move.label, any()});
  }
  for (std::size_t i = below(random, 3); i > 0; --i) add(gone);
}

// What the game says, and the strategy that it gives, have to be right after
// every change, whatever it was before.
TEST(RevisableGame, IsRightAfterEachChange) {
  Random random(71);
  std::map<Verdict, std::size_t> count;
  const std::size_t cases = scaled(600);
  for (std::size_t round = 0; round < cases; ++round) {
    const auto labels = three_labels();
    support::Context context;
    const lts::Lts start = random_lts(random, labels, {9, 3, 0.25, 2.0});
    const lts::Lts spec = random_lts(random, labels, {5, 3, 0.25, 5.0});
    Changing system(start);
    lts::ExplicitSuccessors responder(spec);
    RevisableGame game(system, responder, context);
    for (std::size_t turn = 0; turn < 15; ++turn) {
      const lts::Lts now = system.now();
      const bool is = naive_simulation(now, spec, /*weak=*/true)
                          .contains({now.initial(), spec.initial()});
      const Verdict verdict = game.decide();
      ++count[verdict];
      ASSERT_EQ(verdict, is ? Verdict::Holds : Verdict::Violated)
          << "round " << round << ", turn " << turn;
      if (!is) {
        lts::ExplicitSuccessors impl(now);
        const auto strategy = game.strategy();
        ASSERT_TRUE(strategy.has_value());
        ASSERT_EQ(game::refute(*strategy, {now.initial(), spec.initial()}, impl,
                               responder, game::Semantics::Weak),
                  std::nullopt)
            << "round " << round << ", turn " << turn;
      }
      change_at_random(random, system, now.num_states());
    }
  }
  EXPECT_GT(count[Verdict::Holds], cases);
  EXPECT_GT(count[Verdict::Violated], cases);
}

/// Allows everything, and has one way to do it.
lts::Lts generous(Random& random, const lts::SharedLabels& labels) {
  lts::LtsBuilder builder(labels);
  builder.ensure_states(3);
  builder.set_initial(State(0));
  for (std::size_t s = 0; s < 3; ++s) {
    for (std::size_t l = 1; l < labels->size(); ++l) {
      builder.add_transition(State::at(s), Label::at(l),
                             State::at(below(random, 3)));
    }
  }
  return std::move(builder).build();
}

// Where a state gets back the moves that it had, nobody is asked again but it
// and those who lead there.
TEST(RevisableGame, AsksOnlyThoseThatAChangeConcerns) {
  Random random(72);
  std::size_t spared = 0;
  const std::size_t cases = scaled(1500);
  for (std::size_t round = 0; round < cases; ++round) {
    const auto labels = three_labels();
    support::Context context;
    const lts::Lts start = random_lts(random, labels, {12, 3, 0.2, 2.5});
    const lts::Lts spec = generous(random, labels);
    Changing system(start);
    lts::ExplicitSuccessors responder(spec);
    RevisableGame game(system, responder, context);
    ASSERT_EQ(game.decide(), Verdict::Holds) << "round " << round;
    system.expanded.clear();
    const State gone = State::at(below(random, start.num_states()));
    const std::set<Transition> row = system.row(gone);
    std::set<State> concerned{gone};
    for (const auto& [from, move] : system.forget(gone)) {
      system.add(from, move);
      concerned.insert(from);
    }
    for (const Transition move : row) system.add(gone, move);
    ASSERT_EQ(game.decide(), Verdict::Holds) << "round " << round;
    for (const auto& [state, times] : system.expanded) {
      ASSERT_TRUE(concerned.contains(state)) << "round " << round;
    }
    spared += game.num_states() - system.expanded.size();
  }
  EXPECT_GT(spared, cases);
}

// Two branches are lost on their own; the one that is not concerned stays so.
TEST(RevisableGame, KeepsWhatIsLostForAnotherReason) {
  const auto labels = three_labels();
  const auto label = [&](const char* name) { return *labels->find(name); };
  lts::LtsBuilder builder(labels);
  builder.ensure_states(5);
  builder.set_initial(State(0));
  builder.add_transition(State(0), label("a"), State(1));
  builder.add_transition(State(1), label("a"), State(2));
  builder.add_transition(State(2), label("b"), State(3));
  builder.add_transition(State(3), label("c"), State(4));
  const lts::Lts start = std::move(builder).build();
  lts::LtsBuilder allowed(labels);  // At first a, then a and b, and no more.
  allowed.ensure_states(4);
  allowed.set_initial(State(0));
  allowed.add_transition(State(0), label("a"), State(1));
  allowed.add_transition(State(1), label("a"), State(2));
  allowed.add_transition(State(2), label("b"), State(3));
  const lts::Lts spec = std::move(allowed).build();
  support::Context context;
  Changing system(start);
  lts::ExplicitSuccessors responder(spec);
  RevisableGame game(system, responder, context);
  EXPECT_EQ(game.decide(), Verdict::Violated);

  // It is lost by c, far from the start, which is found out anew.
  system.expanded.clear();
  system.forget(State(1));
  EXPECT_EQ(game.decide(), Verdict::Holds);
  system.add(State(0), {label("a"), State(1)});
  system.add(State(1), {label("a"), State(2)});
  EXPECT_EQ(game.decide(), Verdict::Violated);
  EXPECT_FALSE(system.expanded.contains(State(2)));
  EXPECT_FALSE(system.expanded.contains(State(3)));
  EXPECT_EQ(game.strategy()->nodes.size(), 4U);
}

}  // namespace
}  // namespace agon::test
