// SPDX-License-Identifier: Apache-2.0
#include "report/specification.h"

#include <gtest/gtest.h>

namespace agon::report {
namespace {

/// 0 does a to 1 or 2, silently; 1 then does b, and 2 does c.
lts::Lts choice() {
  lts::LtsBuilder builder(std::make_shared<lts::LabelTable>());
  builder.ensure_states(4);
  builder.set_initial(lts::State(0));
  const auto label = [&](const char* name) {
    return builder.labels()->intern(name);
  };
  builder.add_transition(lts::State(0), label("tau"), lts::State(3));
  builder.add_transition(lts::State(3), label("a"), lts::State(1));
  builder.add_transition(lts::State(3), label("a"), lts::State(2));
  builder.add_transition(lts::State(1), label("b"), lts::State(0));
  builder.add_transition(lts::State(2), label("c"), lts::State(0));
  return std::move(builder).build();
}

using States = Responder::States;
using Names = std::vector<std::string>;

TEST(Responder, SeesThroughSilentSteps) {
  const lts::Lts spec = choice();
  const Responder responder(spec);
  EXPECT_EQ(responder.closure({0}), (States{0, 3}));
  EXPECT_EQ(responder.after({0}, "a"), (States{1, 2}));
  EXPECT_EQ(responder.after({0}, "b"), States());
  EXPECT_EQ(responder.after({1, 2}, "c"), States{0});
  EXPECT_EQ(responder.after({0}, "unheard of"), States());
  EXPECT_EQ(responder.allowed({0}), Names{"a"});
  EXPECT_EQ(responder.allowed({1, 2}), (Names{"b", "c"}));
}

TEST(Specification, FollowsTheActionsOfACounterexample) {
  Result result;
  result.counterexample.emplace().actions = {"a", "b", "b"};
  result.counterexample->strategy.resize(1);
  result.counterexample->strategy[0].specification = 2;
  add_specification(choice(), {}, result);
  EXPECT_EQ(result.counterexample->specification_states,
            (std::vector<States>{{0, 3}, {1, 2}, {0, 3}, {}}));
  EXPECT_EQ(result.counterexample->strategy[0].allowed, Names{"c"});
  ASSERT_TRUE(result.specification);
  EXPECT_EQ(result.specification->transitions.size(), 5U);
}

TEST(Specification, KeepsTheNamesOfStates) {
  Result result;
  add_specification(choice(), Names{"S", "", "R", "T"}, result);
  EXPECT_EQ(result.specification->name(0), "S");
  EXPECT_EQ(result.specification->name(1), "1");
  EXPECT_EQ(result.specification->name(7), "7");
}

TEST(Specification, ComesBackFromItsDescription) {
  Result result;
  add_specification(choice(), {}, result);
  const lts::Lts again = to_lts(*result.specification);
  EXPECT_EQ(again.num_states(), 4U);
  EXPECT_EQ(Responder(again).after({0}, "a"), (States{1, 2}));
}

}  // namespace
}  // namespace agon::report
