// SPDX-License-Identifier: Apache-2.0
#include "lts/bisimulation.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <ostream>
#include <utility>

#include "helpers/naive_equivalences.h"
#include "helpers/random_lts.h"
#include "support/error.h"

namespace agon::lts {
namespace {

using test::Kinds;
using test::Random;

struct Case {
  const char* name;
  std::function<Partition(const Lts&)> partition;
  std::function<test::Relation(const Lts&, Kinds)> oracle;
  Inert inert;
};

void PrintTo(const Case& test, std::ostream* out) { *out << test.name; }

Partition weak(const Lts& lts) {
  support::Context context;
  return weak_bisimulation(lts, context);
}

const Case kCases[] = {
    {"Strong", strong_bisimulation, test::naive_strong, Inert::Keep},
    {"Branching", branching_bisimulation, test::naive_branching, Inert::Drop},
    {"Weak", weak, test::naive_weak, Inert::Drop},
};

class Bisimulation : public testing::TestWithParam<Case> {
 protected:
  const Case& relation() const { return GetParam(); }
};

INSTANTIATE_TEST_SUITE_P(All, Bisimulation, testing::ValuesIn(kCases),
                         [](const auto& test) { return test.param.name; });

TEST_P(Bisimulation, AgreesWithTheDefinitionOnRandomSystems) {
  Random random(1);
  const auto labels = std::make_shared<LabelTable>();
  for (std::size_t round = 0; round < test::scaled(20'000); ++round) {
    SCOPED_TRACE(round);
    Lts lts = random_lts(random, labels, test::shape_of_round(round));
    const bool plain = round % 3 != 0;
    if (!plain) lts = test::decorate(random, lts);
    const auto kinds = plain ? Kinds::Ignore : Kinds::Respect;
    const Partition partition = relation().partition(lts);
    ASSERT_TRUE(test::agrees(partition, relation().oracle(lts, kinds)));
  }
}

/// Numbered densely, in order of first members.
TEST_P(Bisimulation, NumbersClassesByFirstMember) {
  Random random(2);
  const auto labels = std::make_shared<LabelTable>();
  for (std::size_t round = 0; round < test::scaled(1'000); ++round) {
    const Lts lts = random_lts(random, labels, test::shape_of_round(round));
    const Partition partition = relation().partition(lts);
    ASSERT_EQ(partition.class_of.size(), lts.num_states());
    std::uint32_t next = 0;
    for (const std::uint32_t c : partition.class_of) {
      ASSERT_LE(c, next);
      if (c == next) ++next;
    }
    ASSERT_EQ(next, partition.num_classes);
  }
}

TEST_P(Bisimulation, QuotientIsEquivalentAndMinimal) {
  Random random(3);
  const auto labels = std::make_shared<LabelTable>();
  for (std::size_t round = 0; round < test::scaled(10'000); ++round) {
    SCOPED_TRACE(round);
    Lts lts = random_lts(random, labels, test::shape_of_round(round));
    if (round % 3 == 0) lts = test::decorate(random, lts);
    const Lts small =
        quotient(lts, relation().partition(lts), relation().inert);

    const Lts both = test::disjoint_union(lts, small);
    const test::Relation related = relation().oracle(both, Kinds::Respect);
    const std::size_t base = lts.num_states();
    ASSERT_TRUE(related[lts.initial().index()][base]);
    ASSERT_EQ(small.initial(), State(0));
    ASSERT_EQ(reachable(small).size(), small.num_states());
    for (std::size_t s = 0; s < small.num_states(); ++s) {
      for (std::size_t t = 0; t < s; ++t) {
        ASSERT_FALSE(related[base + s][base + t]);
      }
      if (relation().inert == Inert::Keep) continue;
      for (const Transition& t : small.out(State::at(s))) {
        ASSERT_FALSE(t.label == kTau && t.target == State::at(s));
      }
    }
    ASSERT_TRUE(std::ranges::equal(small.alphabet(), lts.alphabet()));

    const Lts again =
        quotient(small, relation().partition(small), relation().inert);
    ASSERT_EQ(again.num_states(), small.num_states());
    ASSERT_EQ(again.num_transitions(), small.num_transitions());
  }
}

/// tau a1 + tau (tau a2 + tau (…)): no step is inert, and the closure is
/// quadratic.
TEST(WeakBisimulation, ReportsWhenSaturationExplodes) {
  const auto labels = std::make_shared<LabelTable>();
  LtsBuilder builder(labels);
  constexpr std::uint32_t kLength = 200;
  builder.ensure_states(kLength + 1);
  builder.set_initial(State(0));
  for (std::uint32_t s = 0; s < kLength; ++s) {
    builder.add_transition(State(s), kTau, State(s + 1));
    builder.add_transition(State(s), labels->intern(fmt::format("a{}", s)),
                           State(kLength));
  }
  const Lts lts = std::move(builder).build();
  support::Context generous;
  EXPECT_EQ(weak_bisimulation(lts, generous).num_classes, kLength + 1);
  support::Limits limits;
  limits.max_states = 1'000;
  support::Context narrow(limits);
  EXPECT_THROW(weak_bisimulation(lts, narrow), support::InputError);
}

}  // namespace
}  // namespace agon::lts
