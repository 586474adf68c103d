// SPDX-License-Identifier: Apache-2.0
#include "lts/simulation_quotient.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "helpers/naive_equivalences.h"
#include "helpers/random_lts.h"
#include "lts/simulation_preorder.h"
#include "support/error.h"

namespace agon::lts {
namespace {

using test::Kinds;
using test::Random;

TEST(SimulationPreorder, AgreesWithTheDefinitionOnRandomSystems) {
  Random random(21);
  const auto labels = std::make_shared<LabelTable>();
  support::Context context;
  for (std::size_t round = 0; round < test::scaled(20'000); ++round) {
    SCOPED_TRACE(round);
    Lts lts = test::random_lts(random, labels, test::shape_of_round(round));
    if (round % 3 == 0) lts = test::decorate(random, lts);
    const BitMatrix result = simulation_preorder(lts, context);
    const test::Relation expected = test::naive_simulation(lts, Kinds::Respect);
    for (std::size_t s = 0; s < lts.num_states(); ++s) {
      for (std::size_t t = 0; t < lts.num_states(); ++t) {
        ASSERT_EQ(result.test(s, t), expected[s][t] != 0);
      }
    }
  }
}

/// Large enough for states that lose candidates a few at a time.
TEST(SimulationPreorder, AgreesWithTheDefinitionOnLargerSystems) {
  Random random(22);
  const auto labels = std::make_shared<LabelTable>();
  support::Context context;
  for (std::size_t round = 0; round < test::scaled(60); ++round) {
    SCOPED_TRACE(round);
    const Lts lts =
        test::random_lts(random, labels, {150, 1 + round % 2, 0.2, 2.5});
    const BitMatrix result = simulation_preorder(lts, context);
    const test::Relation expected = test::naive_simulation(lts, Kinds::Respect);
    for (std::size_t s = 0; s < lts.num_states(); ++s) {
      for (std::size_t t = 0; t < lts.num_states(); ++t) {
        ASSERT_EQ(result.test(s, t), expected[s][t] != 0);
      }
    }
  }
}

TEST(SimulationQuotient, IsEquivalentAndMinimal) {
  Random random(23);
  const auto labels = std::make_shared<LabelTable>();
  support::Context context;
  for (std::size_t round = 0; round < test::scaled(20'000); ++round) {
    SCOPED_TRACE(round);
    Lts lts = test::random_lts(random, labels, test::shape_of_round(round));
    if (round % 3 == 0) lts = test::decorate(random, lts);
    const Lts small = minimise_by_simulation(lts, context);

    const Lts both = test::disjoint_union(lts, small);
    const test::Relation below = test::naive_simulation(both, Kinds::Respect);
    const std::size_t base = lts.num_states();
    ASSERT_TRUE(below[lts.initial().index()][base]);
    ASSERT_TRUE(below[base][lts.initial().index()]);
    ASSERT_EQ(small.initial(), State(0));
    ASSERT_EQ(reachable(small).size(), small.num_states());
    ASSERT_TRUE(std::ranges::equal(small.alphabet(), lts.alphabet()));
    for (std::size_t s = 0; s < small.num_states(); ++s) {
      for (std::size_t t = 0; t < s; ++t) {
        ASSERT_FALSE(below[base + s][base + t] && below[base + t][base + s]);
      }
      const auto out = small.out(State::at(s));
      for (const Transition& t : out) {
        for (const Transition& u : out) {
          if (t == u || t.label != u.label) continue;
          ASSERT_FALSE(below[base + t.target.index()][base + u.target.index()]);
        }
      }
    }
  }
}

TEST(SimulationQuotient, DropsLittleBrothers) {
  const auto labels = std::make_shared<LabelTable>();
  const Label a = labels->intern("a");
  const Label b = labels->intern("b");
  LtsBuilder builder(labels);
  builder.ensure_states(4);
  builder.set_initial(State(0));
  builder.add_transition(State(0), a, State(1));  // a.b + a, in which the
  builder.add_transition(State(0), a, State(2));  // second a is superfluous.
  builder.add_transition(State(1), b, State(3));
  support::Context context;
  const Lts small = minimise_by_simulation(std::move(builder).build(), context);
  EXPECT_EQ(small.num_states(), 3U);
  EXPECT_EQ(small.num_transitions(), 2U);
}

TEST(SimulationQuotient, RefusesWhatItHasNoMemoryFor) {
  const auto labels = std::make_shared<LabelTable>();
  const Label a = labels->intern("a");
  LtsBuilder builder(labels);
  builder.ensure_states(50'000);
  builder.set_initial(State(0));
  for (std::uint32_t s = 0; s + 1 < 50'000; ++s) {
    builder.add_transition(State(s), a, State(s + 1));
  }
  support::Context context;
  EXPECT_THROW(minimise_by_simulation(std::move(builder).build(), context),
               support::InputError);
}

}  // namespace
}  // namespace agon::lts
