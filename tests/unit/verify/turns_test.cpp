// SPDX-License-Identifier: Apache-2.0
#include "verify/turns.h"

#include <gtest/gtest.h>

namespace agon::verify {
namespace {

/// A system of two states with these moves from the first to the second.
lts::Lts moves(const std::vector<const char*>& labels) {
  lts::LtsBuilder builder(std::make_shared<lts::LabelTable>());
  const lts::State start = builder.add_state();
  builder.set_initial(start);
  for (const char* label : labels) {
    builder.add_transition(start, builder.labels()->intern(label),
                           builder.add_state());
  }
  return std::move(builder).build();
}

TEST(Turns, KnowsWhereTheGamesAreTheSame) {
  EXPECT_TRUE(is_deterministic(moves({"a", "b"})));
  EXPECT_FALSE(is_deterministic(moves({"a", "b", "a"})));
  EXPECT_FALSE(is_deterministic(moves({"a", "tau"})));
}

/// Whose turn it is after each unit of work.
std::string turns(Turns turns, std::uint64_t units) {
  std::string result;
  for (std::uint64_t i = 0; i < units; ++i) {
    result += turns.is_for_traces() ? 't' : 's';
    turns.note((i + 1) * Turns::kFirst);
  }
  return result;
}

TEST(Turns, GrowWhereBothGamesWouldDo) {
  const lts::Lts spec = moves({"a", "a"});
  EXPECT_EQ(turns({Conformance::Auto, spec}, 15), "stssttsssstttts");
  EXPECT_EQ(turns({Conformance::Simulation, spec}, 5), "sssss");
  EXPECT_EQ(turns({Conformance::Trace, spec}, 5), "ttttt");
}

TEST(Turns, AreNotNeededWhereTheGamesAreTheSame) {
  EXPECT_EQ(turns({Conformance::Auto, moves({"a", "b"})}, 5), "sssss");
}

TEST(Turns, EndWhenSimulationIsKnownToFail) {
  Turns lost(Conformance::Auto, moves({"a", "a"}));
  lost.leave_simulation();
  EXPECT_EQ(turns(lost, 5), "ttttt");
}

}  // namespace
}  // namespace agon::verify
