// SPDX-License-Identifier: Apache-2.0
#include "ir/waiting.h"

#include <gtest/gtest.h>

#include "helpers/build_program.h"
#include "ir/fragment.h"

namespace agon::ir {
namespace {

constexpr const char* kStop = "stops";

class WaitingTest : public testing::Test {
 protected:
  WaitingTest() : program(DataModel::LP64) {
    type = test::add_integer(program, "int", 4);
    choice = test::add_global(program, "choice", type);
    for (const char* name : {"a", "b", "ends", kStop}) {
      const FunctionId id = test::add_function(program, name, {}, false);
      program.functions[id.index()].is_action = true;
    }
  }

  LocationId at() { return body.add_location(); }
  void edge(LocationId from, LocationId to, Statement statement) {
    body.add_edge({from, to, std::move(statement), {}, {}});
  }
  void act(LocationId from, LocationId to, const char* name) {
    Call call;
    call.callee = *program.find_function(name);
    edge(from, to, std::move(call));
  }
  term::Term is(std::uint64_t value) {
    return program.pool->equal(program[choice].term,
                               program.pool->bits(value, 32));
  }
  /// What is done at the places that edges with an action lead to or start at.
  std::vector<Resting> rests() {
    body.finish();
    return find_rests(program, body, {"ends"}, kStop);
  }
  /// Behind the only edge with an action.
  Resting behind(const std::vector<Resting>& all, const char* name) const {
    for (const Edge& each : body.edges()) {
      const auto* const call = std::get_if<Call>(&each.statement);
      if (call != nullptr && program[call->callee].name == name) {
        return all[each.to.index()];
      }
    }
    ADD_FAILURE() << name;
    return {};
  }

  Program program;
  TypeId type;
  VariableId choice;
  Cfa body;
};

TEST_F(WaitingTest, AnActionIsWaitedForWhereItStands) {
  const LocationId entry = at(), before = at(), after = at(), exit = at();
  body.set_entry(entry);
  body.set_exit(exit);
  edge(entry, before, Havoc{choice, HavocReason::Input, {}});
  act(before, after, "a");
  edge(after, exit, Return{});
  const std::vector<Resting> all = rests();
  EXPECT_EQ(all[0].rest, Rest::None);
  EXPECT_EQ(all[1].rest, Rest::Waiting);
  EXPECT_EQ(all[1].offers, std::set<std::string>{"a"});
  EXPECT_EQ(behind(all, "a").rest, Rest::None);
}

TEST_F(WaitingTest, AChoiceOfAProcessIsOfferedAsAWhole) {
  const LocationId entry = at(), chosen = at(), first = at(), second = at(),
                   exit = at();
  body.set_entry(entry);
  body.set_exit(exit);
  edge(entry, chosen,
       Havoc{choice, HavocReason::Input, std::string(kProcessChoice)});
  edge(chosen, first, Assume{is(0)});
  edge(chosen, second, Assume{program.pool->negation(is(0))});
  act(first, exit, "a");
  act(second, exit, "b");
  const std::vector<Resting> all = rests();
  EXPECT_EQ(all[0].rest, Rest::Waiting);
  EXPECT_EQ(all[0].offers, (std::set<std::string>{"a", "b"}));
}

TEST_F(WaitingTest, WhatTheCodeDecidesIsWaitedForApart) {
  const LocationId entry = at(), chosen = at(), first = at(), second = at(),
                   exit = at();
  body.set_entry(entry);
  body.set_exit(exit);
  edge(entry, chosen, Havoc{choice, HavocReason::Input, {}});
  edge(chosen, first, Assume{is(0)});
  edge(chosen, second, Assume{program.pool->negation(is(0))});
  act(first, exit, "a");
  act(second, exit, "b");
  const std::vector<Resting> all = rests();
  EXPECT_EQ(all[0].rest, Rest::None);
  std::size_t waiting = 0;
  for (const Resting& each : all) waiting += each.offers.size() == 1 ? 1 : 0;
  EXPECT_EQ(waiting, 2U);
}

TEST_F(WaitingTest, WhoHasEndedAndWhoIsStuckAreToldApart) {
  const LocationId entry = at(), ended = at(), exit = at();
  body.set_entry(entry);
  body.set_exit(exit);
  act(entry, ended, "ends");
  edge(ended, exit, Return{});
  const std::vector<Resting> all = rests();
  EXPECT_EQ(behind(all, "ends").rest, Rest::Ended);
  EXPECT_EQ(all[body.exit().index()].rest, Rest::Ended);
}

TEST_F(WaitingTest, BehindAStopNothingIsOffered) {
  const LocationId entry = at(), stuck = at(), exit = at();
  body.set_entry(entry);
  body.set_exit(exit);
  act(entry, stuck, kStop);
  edge(stuck, exit, Assume{program.pool->boolean(false)});
  const Resting resting = behind(rests(), kStop);
  EXPECT_EQ(resting.rest, Rest::Waiting);
  EXPECT_TRUE(resting.offers.empty());
}

TEST_F(WaitingTest, AnEndThatIsNotSureIsNone) {
  const LocationId entry = at(), first = at(), second = at(), exit = at();
  body.set_entry(entry);
  body.set_exit(exit);
  edge(entry, first, Assume{is(0)});
  edge(entry, second, Assume{program.pool->negation(is(0))});
  act(first, exit, "ends");
  act(second, exit, kStop);
  const Resting resting = behind(rests(), "ends");
  EXPECT_EQ(resting.rest, Rest::Waiting);
  EXPECT_TRUE(resting.offers.empty());
}

TEST_F(WaitingTest, WhereNothingFollowsItIsStuck) {
  const LocationId entry = at(), dead = at(), exit = at();
  body.set_entry(entry);
  body.set_exit(exit);
  act(entry, dead, "a");
  EXPECT_EQ(behind(rests(), "a").rest, Rest::Waiting);
}

}  // namespace
}  // namespace agon::ir
