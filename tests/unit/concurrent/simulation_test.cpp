// SPDX-License-Identifier: Apache-2.0
/// The game of simulation on quotients that are divided, against games that are
/// played anew and against the definition.
#include "concurrent/simulation.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "helpers/components.h"

namespace agon::test {
namespace {

using concurrent::Class;
using concurrent::Merging;
using concurrent::Quotient;
using concurrent::Simulated;
using concurrent::Simulation;
using lts::Label;
using lts::State;
using support::Verdict;

constexpr std::size_t kWithoutSymmetry = 1'000'000;
constexpr RandomShape kLively{4, 3, 0.3, 3.0};

bool simulates(const lts::Lts& spec, const lts::Lts& whole) {
  return naive_simulation(whole, spec, /*weak=*/true)
      .contains({whole.initial(), spec.initial()});
}

/// Strategies may be too large to be written down as trees.
bool is_unclear(Verdict verdict) { return verdict == Verdict::Unknown; }

/// Often like what the components do together.
lts::Lts random_spec(Random& random, const lts::SharedLabels& labels,
                     const std::vector<lts::Lts>& parts,
                     support::Context& context) {
  const std::size_t kind = below(random, 4);
  if (kind < 2) return random_part(random, labels, kLively);
  const lts::Lts whole =
      Side(parts, nullptr, Merging::None).whole(nullptr, context);
  if (whole.num_states() > 30) return random_part(random, labels, kLively);
  return kind == 2 ? whole : mutate(random, whole);
}

TEST(Simulation, IsDecidedAsDefined) {
  Random random(48);
  std::size_t simulated = 0;
  const std::size_t cases = scaled(2000);
  for (std::size_t round = 0; round < cases; ++round) {
    const auto labels = four_labels();
    support::Context context;
    const auto parts = random_parts(random, labels, kLively);
    const lts::Lts spec = random_spec(random, labels, parts, context);
    Side side(parts, &spec, Merging::None,
              round % 2 == 0 ? Moves::Visible : Moves::All);
    Simulation simulation(side.composer(), spec, context, kWithoutSymmetry);
    const Simulated played = simulation.run();
    const bool is = simulates(spec, side.whole(&spec, context));
    if (is_unclear(played.verdict)) continue;
    ASSERT_EQ(played.verdict == Verdict::Holds, is) << "round " << round;
    if (is) {
      ++simulated;
    } else {
      expect_winning(side.composer(), spec, played.tree);
    }
  }
  EXPECT_GT(simulated, cases / 10);
  EXPECT_LT(simulated, cases - cases / 10);
}

/// Makes all states of components known, so that quotients do not grow.
void explore(Side& side) {
  for (std::size_t m = 0; m < side.composition().model_of.size(); ++m) {
    Quotient& quotient = side.quotient(m);
    quotient.initial();
    std::size_t seen = 0;
    do {
      for (std::size_t c = 0; c < quotient.num_classes(); ++c) {
        const auto offers = quotient.offers(Class::at(c));
        for (const Label label : std::vector(offers.begin(), offers.end())) {
          quotient.targets(Class::at(c), label);
        }
      }
    } while (!quotient.grown_since(seen).empty());
  }
}

/// What quotients do together, place by place.
lts::Lts composed(const concurrent::Composer& composer, const lts::Lts& spec) {
  lts::LtsBuilder builder(spec.labels());
  std::map<concurrent::Place, State> known;
  std::vector<concurrent::Place> open;
  const auto state_of = [&](const concurrent::Place& place) {
    const auto [at, is_new] = known.try_emplace(place);
    if (is_new) {
      at->second = builder.add_state();
      open.push_back(place);
    }
    return at->second;
  };
  builder.set_initial(state_of(composer.initial()));
  while (!open.empty()) {
    const concurrent::Place here = open.back();
    open.pop_back();
    for (const auto& move : composer.moves(here, concurrent::kAllComponents)) {
      composer.outcomes(here, move, [&](const concurrent::Place& there) {
        builder.add_transition(known.at(here), composer.visible(move),
                               state_of(there));
      });
    }
  }
  return std::move(builder).build();
}

/// Larger, and with fewer labels, so that many states are alike.
constexpr RandomShape kMuchAlike{12, 2, 0.1, 6.0};

// The game goes on after every division, whatever was found, down to classes
// of one state; each time it must say what a new game on the same classes says.
TEST(Simulation, SaysTheSameAsANewGameAfterEachDivision) {
  Random random(61);
  std::size_t divisions = 0;
  std::size_t kept_visits = 0;
  std::size_t new_visits = 0;
  std::size_t turns = 0;
  std::size_t judged = 0;
  const std::size_t cases = scaled(250);
  for (std::size_t round = 0; round < cases; ++round) {
    const auto labels = four_labels();
    support::Context context;
    const auto parts = random_parts(random, labels, kMuchAlike);
    const lts::Lts spec = random_spec(random, labels, parts, context);
    Side side(parts, &spec, Merging::ByEnabledActions,
              round % 2 == 0 ? Moves::Visible : Moves::All);
    explore(side);
    Simulation kept(side.composer(), spec, context, kWithoutSymmetry);
    Verdict before = kept.run().verdict;
    while (const auto division = divide_one(random, side)) {
      ++divisions;
      kept_visits -= kept.num_visits();
      kept.forget(division->model, division->changed);
      const Simulated played = kept.run();
      kept_visits += kept.num_visits();
      Simulation anew(side.composer(), spec, context, kWithoutSymmetry);
      const Verdict other = anew.run().verdict;
      if (is_unclear(played.verdict) || is_unclear(other)) break;
      ASSERT_EQ(played.verdict, other) << "round " << round;
      const lts::Lts whole = composed(side.composer(), spec);
      if (whole.num_states() <= 40) {
        ++judged;
        ASSERT_EQ(played.verdict == Verdict::Holds, simulates(spec, whole))
            << "round " << round;
      }
      new_visits += anew.num_visits();
      if (played.verdict == Verdict::Violated) {
        expect_winning(side.composer(), spec, played.tree);
      }
      if (played.verdict != before) ++turns;
      before = played.verdict;
    }
  }
  EXPECT_GT(divisions, 3 * cases);
  EXPECT_GT(turns, cases / 40);
  EXPECT_GT(judged, cases);
  EXPECT_LT(kept_visits, new_visits);
}

// Here classes also grow while the game is played.
TEST(Simulation, StaysRightWhileClassesGrowAndAreDivided) {
  Random random(62);
  std::size_t too_coarse = 0;
  const std::size_t cases = scaled(2000);
  for (std::size_t round = 0; round < cases; ++round) {
    const auto labels = four_labels();
    support::Context context;
    const auto parts = random_parts(random, labels, kLively);
    const lts::Lts spec = random_spec(random, labels, parts, context);
    Side side(parts, &spec, Merging::ByEnabledActions,
              round % 2 == 0 ? Moves::Visible : Moves::All);
    Simulation simulation(side.composer(), spec, context, kWithoutSymmetry);
    const bool is = simulates(spec, side.whole(&spec, context));
    Simulated played = simulation.run();
    while (played.verdict == Verdict::Violated) {
      expect_winning(side.composer(), spec, played.tree);
      const auto division = divide_one(random, side);
      if (!division) break;
      if (is) ++too_coarse;
      simulation.forget(division->model, division->changed);
      played = simulation.run();
    }
    if (is_unclear(played.verdict)) continue;
    ASSERT_EQ(played.verdict == Verdict::Holds, is) << "round " << round;
  }
  EXPECT_GT(too_coarse, cases / 80);
}

// A class for each of the first eleven states and one for the last two, times
// the two of the other component. When the last two part, the places of their
// class are new, twice two, and those that lead there from before are looked at
// again. The twenty positions before that are not.
TEST(Simulation, LooksAgainOnlyAtWhatADivisionConcerns) {
  const auto labels = std::make_shared<lts::LabelTable>();
  const std::vector<lts::Lts> parts{slow_starter(labels), pendulum(labels)};
  const lts::Lts spec = all_allowed(labels);
  support::Context context;
  Side side(parts, &spec, Merging::ByEnabledActions, Moves::Visible);
  explore(side);
  Simulation simulation(side.composer(), spec, context, kWithoutSymmetry);
  EXPECT_EQ(simulation.run().verdict, Verdict::Holds);
  EXPECT_EQ(simulation.num_states(), 24U);
  EXPECT_EQ(simulation.num_visits(), 24U);

  const std::vector<std::vector<State>> last{{State(12)}};
  simulation.forget(0, side.quotient(0).divide(last));
  EXPECT_EQ(simulation.run().verdict, Verdict::Holds);
  EXPECT_EQ(simulation.num_states(), 26U);
  EXPECT_EQ(simulation.num_visits(), 24U + 6U);

  EXPECT_EQ(simulation.run().verdict, Verdict::Holds);
  EXPECT_EQ(simulation.num_visits(), 24U + 6U);
}

// The specification does not see eight components that go their own ways, each
// of them in one way. So they need not be looked at in all orders.
TEST(Simulation, LetsIndependentComponentsWait) {
  const auto labels = std::make_shared<lts::LabelTable>();
  const lts::Lts spec = chain(labels, {"seen"});
  std::vector<lts::Lts> parts;
  parts.push_back(chain(labels, {"seen"}));
  for (int i = 0; i < 8; ++i) {
    const std::string name = "own" + std::to_string(i);
    parts.push_back(chain(labels, {name + ".x", name + ".y", name + ".z"}));
  }
  support::Context context;
  Side side(std::move(parts), &spec, Merging::None);
  Simulation simulation(side.composer(), spec, context, kWithoutSymmetry);
  EXPECT_EQ(simulation.run().verdict, Verdict::Holds);
  EXPECT_EQ(simulation.num_states(), 8U * 3U + 2U);
}

// What is hidden and can end in two ways must not be done before what is seen:
// after a, the specification would know too early what comes.
TEST(Simulation, DoesNotPutHiddenChoicesFirst) {
  const auto labels = std::make_shared<lts::LabelTable>();
  for (const char* name : {"a", "b", "c", "h"}) labels->intern(name);
  const auto label = [&](const char* name) { return *labels->find(name); };
  lts::LtsBuilder chooser(labels);  // h leads to b or to c.
  chooser.ensure_states(4);
  chooser.set_initial(State(0));
  chooser.add_transition(State(0), label("h"), State(1));
  chooser.add_transition(State(0), label("h"), State(2));
  chooser.add_transition(State(1), label("b"), State(3));
  chooser.add_transition(State(2), label("c"), State(3));
  std::vector<lts::Lts> parts;
  parts.push_back(chain(labels, {"a"}));
  parts.push_back(std::move(chooser).build());
  lts::LtsBuilder builder(labels);  // With a, decides between b and c.
  builder.ensure_states(6);
  builder.set_initial(State(0));
  builder.add_transition(State(0), label("a"), State(1));
  builder.add_transition(State(0), label("a"), State(2));
  builder.add_transition(State(1), label("b"), State(5));
  builder.add_transition(State(2), label("c"), State(5));
  builder.add_transition(State(0), label("b"), State(3));
  builder.add_transition(State(0), label("c"), State(3));
  builder.add_transition(State(3), label("a"), State(5));
  const lts::Lts spec = std::move(builder).build();
  support::Context context;
  Side side(std::move(parts), &spec, Merging::None);
  Simulation simulation(side.composer(), spec, context, kWithoutSymmetry);
  const Simulated played = simulation.run();
  EXPECT_FALSE(simulates(spec, side.whole(&spec, context)));
  ASSERT_EQ(played.verdict, Verdict::Violated);
  expect_winning(side.composer(), spec, played.tree);
}

}  // namespace
}  // namespace agon::test
