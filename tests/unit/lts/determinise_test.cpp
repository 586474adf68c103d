// SPDX-License-Identifier: Apache-2.0
#include "lts/determinise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <ostream>
#include <utility>

#include "helpers/naive_equivalences.h"
#include "helpers/random_lts.h"
#include "lts/simulation_quotient.h"
#include "support/error.h"

namespace agon::lts {

static void PrintTo(Silent silent, std::ostream* out) {
  *out << (silent == Silent::Visible ? "Visible" : "Hidden");
}

namespace {

using test::Random;

class Determinise : public testing::TestWithParam<Silent> {
 protected:
  bool hidden() const { return GetParam() == Silent::Hidden; }
  support::Context context;
};

INSTANTIATE_TEST_SUITE_P(All, Determinise,
                         testing::Values(Silent::Visible, Silent::Hidden),
                         testing::PrintToStringParamName());

bool is_deterministic(const Lts& lts) {
  for (std::size_t s = 0; s < lts.num_states(); ++s) {
    const auto out = lts.out(State::at(s));
    for (std::size_t i = 1; i < out.size(); ++i) {
      if (out[i].label == out[i - 1].label) return false;
    }
  }
  return true;
}

TEST_P(Determinise, KeepsTheTracesOfRandomSystems) {
  Random random(11);
  const auto labels = std::make_shared<LabelTable>();
  for (std::size_t round = 0; round < test::scaled(20'000); ++round) {
    SCOPED_TRACE(round);
    const Lts lts =
        test::random_lts(random, labels, test::shape_of_round(round % 99));
    const Lts result = determinise(lts, GetParam(), context);
    ASSERT_TRUE(is_deterministic(result));
    ASSERT_EQ(reachable(result).size(), result.num_states());
    ASSERT_EQ(result.initial(), State(0));
    ASSERT_TRUE(std::ranges::equal(result.alphabet(), lts.alphabet()));
    ASSERT_TRUE(test::naive_same_traces(lts, result, hidden()));
    for (std::size_t s = 0; hidden() && s < result.num_states(); ++s) {
      const auto out = result.out(State::at(s));
      ASSERT_TRUE(out.empty() || out.front().label != kTau);
    }
  }
}

TEST_P(Determinise, MinimisationKeepsTracesAndIsMinimal) {
  Random random(12);
  const auto labels = std::make_shared<LabelTable>();
  for (std::size_t round = 0; round < test::scaled(20'000); ++round) {
    SCOPED_TRACE(round);
    const Lts lts =
        test::random_lts(random, labels, test::shape_of_round(round % 99));
    const Lts result = minimise_by_traces(lts, GetParam(), context);
    ASSERT_TRUE(is_deterministic(result));
    ASSERT_TRUE(test::naive_same_traces(lts, result, hidden()));
    // Deterministic states have the same traces just if they are bisimilar.
    const auto related = test::naive_strong(result, test::Kinds::Ignore);
    for (std::size_t s = 0; s < result.num_states(); ++s) {
      for (std::size_t t = 0; t < s; ++t) ASSERT_FALSE(related[s][t]);
    }
  }
}

TEST_P(Determinise, TellsSystemsWithDifferentTracesApart) {
  Random random(13);
  const auto labels = std::make_shared<LabelTable>();
  std::size_t same = 0;
  const std::size_t rounds = test::scaled(20'000);
  for (std::size_t round = 0; round < rounds; ++round) {
    SCOPED_TRACE(round);
    const Lts left = test::random_lts(random, labels);
    const Lts right = test::mutate(random, left);
    const Lts small_left = minimise_by_traces(left, GetParam(), context);
    const Lts small_right = minimise_by_traces(right, GetParam(), context);
    const bool expected = test::naive_same_traces(left, right, hidden());
    // Both are numbered breadth-first, so equal means the same.
    bool equal = small_left.num_states() == small_right.num_states();
    for (std::size_t s = 0; equal && s < small_left.num_states(); ++s) {
      equal = std::ranges::equal(small_left.out(State::at(s)),
                                 small_right.out(State::at(s)));
    }
    ASSERT_EQ(equal, expected);
    if (expected) ++same;
  }
  EXPECT_GT(same, rounds / 10);
  EXPECT_LT(same, rounds * 9 / 10);
}

class Kinds : public testing::Test {
 protected:
  /// A choice by label a between a state of each given kind.
  Lts choice(std::initializer_list<StateKind> kinds) {
    LtsBuilder builder(labels);
    builder.set_initial(builder.add_state());
    for (const StateKind kind : kinds) {
      builder.add_transition(State(0), labels->intern("a"),
                             builder.add_state(kind));
    }
    return std::move(builder).build();
  }
  StateKind after_a(std::initializer_list<StateKind> kinds) {
    const Lts result = determinise(choice(kinds), Silent::Hidden, context);
    return result.kind(result.out(State(0)).front().target);
  }

  SharedLabels labels = std::make_shared<LabelTable>();
  support::Context context;
};

TEST_F(Kinds, OfASetComeFromItsMembers) {
  using enum StateKind;
  EXPECT_EQ(after_a({Ordinary}), Ordinary);
  EXPECT_EQ(after_a({Terminated}), Terminated);
  EXPECT_EQ(after_a({Terminated, Terminated}), Terminated);
  EXPECT_EQ(after_a({Terminated, Ordinary}), Ordinary);
  EXPECT_EQ(after_a({Error}), Error);
  EXPECT_EQ(after_a({Ordinary, Error, Terminated}), Error);
}

TEST_F(Kinds, ErrorHasNoTransitions) {
  LtsBuilder builder(labels);
  builder.set_initial(builder.add_state());
  const State on = builder.add_state();
  const State error = builder.add_state(StateKind::Error);
  const Label a = labels->intern("a");
  builder.add_transition(State(0), a, on);
  builder.add_transition(State(0), a, error);
  builder.add_transition(on, a, State(0));
  builder.add_transition(error, a, State(0));
  const Lts result =
      determinise(std::move(builder).build(), Silent::Visible, context);
  ASSERT_EQ(result.num_states(), 2U);
  EXPECT_EQ(result.kind(State(1)), StateKind::Error);
  EXPECT_TRUE(result.out(State(1)).empty());
}

TEST_F(Kinds, EndBehindASilentStepIsEnd) {
  LtsBuilder builder(labels);
  builder.set_initial(builder.add_state());
  const State end = builder.add_state(StateKind::Terminated);
  builder.add_transition(State(0), kTau, end);
  const Lts result =
      determinise(std::move(builder).build(), Silent::Hidden, context);
  ASSERT_EQ(result.num_states(), 1U);
  EXPECT_EQ(result.kind(State(0)), StateKind::Terminated);
}

/// The n-th letter from the end is an a: 2^n sets.
TEST(DeterminiseLimits, AreReportedWhenSetsExplode) {
  const auto labels = std::make_shared<LabelTable>();
  const Label a = labels->intern("a");
  const Label b = labels->intern("b");
  const auto make = [&](std::size_t n) {
    LtsBuilder builder(labels);
    builder.ensure_states(n + 1);
    builder.set_initial(State(0));
    for (const Label label : {a, b}) {
      builder.add_transition(State(0), label, State(0));
      for (std::size_t i = 1; i < n; ++i) {
        builder.add_transition(State::at(i), label, State::at(i + 1));
      }
    }
    builder.add_transition(State(0), a, State(1));
    return std::move(builder).build();
  };
  support::Context context;
  EXPECT_EQ(determinise(make(10), Silent::Hidden, context).num_states(), 1024U);
  support::Limits limits;
  limits.max_states = 1000;
  support::Context narrow(limits);
  EXPECT_THROW(determinise(make(10), Silent::Hidden, narrow),
               support::InputError);
}

}  // namespace
}  // namespace agon::lts
