// SPDX-License-Identifier: Apache-2.0
#include "game/simulation_game.h"

#include <gtest/gtest.h>

#include <set>

#include "helpers/naive_preorders.h"
#include "helpers/random_lts.h"
#include "lts/aut.h"

namespace agon::game {
namespace {

using lts::State;
using support::Verdict;

/// A system that is not there as a whole, and counts the states looked at.
class OnDemand final : public lts::Successors {
 public:
  explicit OnDemand(const lts::Lts& lts) : system_(lts) {}
  State initial() override { return system_.initial(); }
  std::span<const lts::Transition> expand(State state) override {
    expanded_.insert(state);
    return system_.expand(state);
  }
  lts::StateKind kind(State state) override { return system_.kind(state); }
  bool can_terminate() const override { return system_.can_terminate(); }
  std::span<const lts::Label> alphabet() const override {
    return system_.alphabet();
  }
  const lts::SharedLabels& labels() const override { return system_.labels(); }
  std::size_t num_expanded() const { return expanded_.size(); }

 private:
  lts::ExplicitSuccessors system_;
  std::set<State> expanded_;
};

// Expanding may be expensive, and one strategy is known when the game is lost.
TEST(SimulationGame, TellsAStrategyWithoutLookingFurther) {
  const test::RandomShape shape{
      .max_states = 12, .max_labels = 2, .silent = 0.3, .density = 3};
  std::size_t lost = 0;
  for (std::size_t seed = 0; seed < test::scaled(500); ++seed) {
    test::Random random(seed);
    const auto labels = std::make_shared<lts::LabelTable>();
    const lts::Lts spec = test::random_lts(random, labels, shape);
    const lts::Lts impl = test::mutate(random, spec);
    OnDemand i(impl);
    lts::ExplicitSuccessors s(spec);
    support::Context context;
    SimulationGame game(i, s, Semantics::Weak, context, {});
    const Position root{i.initial(), s.initial()};
    if (game.decide(root, 1'000'000) != Verdict::Violated) continue;
    ++lost;
    const std::size_t before = i.num_expanded();
    EXPECT_EQ(game.strategies(root, 1).size(), 1U) << "seed " << seed;
    EXPECT_EQ(i.num_expanded(), before) << "seed " << seed;
  }
  EXPECT_GT(lost, 0U);
}

// The game is stopped after every few steps and asked about every position.
// Whatever it claims to know by then has to be true.
TEST(SimulationGame, ClaimsNothingThatIsNotSo) {
  const test::RandomShape shape{
      .max_states = 7, .max_labels = 2, .silent = 0.3, .density = 3};
  for (std::size_t seed = 0; seed < test::scaled(4000); ++seed) {
    test::Random random(seed);
    const auto labels = std::make_shared<lts::LabelTable>();
    const lts::Lts spec = test::random_lts(random, labels, shape);
    const lts::Lts impl = test::mutate(random, spec);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + write_aut(impl) +
                 write_aut(spec));
    const Semantics semantics =
        seed % 2 == 0 ? Semantics::Strong : Semantics::Weak;
    const test::Relation truth =
        test::naive_simulation(impl, spec, semantics == Semantics::Weak);
    lts::ExplicitSuccessors i(impl);
    lts::ExplicitSuccessors s(spec);
    support::Context context;
    SimulationGame game(i, s, semantics, context,
                        {.look_ahead_after = seed % 7, .coarse_after = 2});
    const std::size_t states = impl.num_states() * spec.num_states();
    for (std::size_t round = 0; round < 12; ++round) {
      const std::size_t pick = test::below(random, states);
      game.decide({State::at(pick % impl.num_states()),
                   State::at(pick / impl.num_states())},
                  1 + round / 4);
      for (std::size_t k = 0; k < states; ++k) {
        const Position position{State::at(k % impl.num_states()),
                                State::at(k / impl.num_states())};
        const Verdict known = game.known(position);
        if (known == Verdict::Unknown) continue;
        ASSERT_EQ(known == Verdict::Holds,
                  truth.contains({position.impl, position.spec}));
      }
    }
  }
}

}  // namespace
}  // namespace agon::game
