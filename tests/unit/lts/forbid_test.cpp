// SPDX-License-Identifier: Apache-2.0
#include "lts/forbid.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace agon::lts {
namespace {

TEST(Forbid, OnlyTheAlphabetGrows) {
  LtsBuilder builder(std::make_shared<LabelTable>());
  const State first = builder.add_state();
  const State second = builder.add_state();
  builder.set_initial(second);
  builder.add_transition(second, builder.labels()->intern("a"), first);
  const Lts before = std::move(builder).build();
  const std::vector<std::string> labels{"b"};
  const Lts after = forbid(before, labels);
  EXPECT_EQ(after.num_states(), 2U);
  EXPECT_EQ(after.initial(), second);
  ASSERT_EQ(after.out(second).size(), 1U);
  EXPECT_EQ(after.out(second)[0], before.out(second)[0]);
  EXPECT_TRUE(after.out(first).empty());
  const auto added = after.labels()->find("b");
  ASSERT_TRUE(added.has_value());
  EXPECT_EQ(std::ranges::count(after.alphabet(), *added), 1);
  EXPECT_EQ(std::ranges::count(before.alphabet(), *added), 0);
}

}  // namespace
}  // namespace agon::lts
