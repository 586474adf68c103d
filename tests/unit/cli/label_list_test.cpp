// SPDX-License-Identifier: Apache-2.0
#include "cli/label_list.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/load.h"
#include "support/error.h"

namespace agon::cli {
namespace {

using Labels = std::vector<std::string>;

TEST(LabelList, SplitsAtCommas) {
  EXPECT_EQ(split_labels("a"), (Labels{"a"}));
  EXPECT_EQ(split_labels("a,b.x, c "), (Labels{"a", "b.x", "c"}));
}

TEST(LabelList, KeepsWhatBracketsAndQuotesHoldTogether) {
  EXPECT_EQ(split_labels("f(1,2),g[1,{2,3}]"),
            (Labels{"f(1,2)", "g[1,{2,3}]"}));
  EXPECT_EQ(split_labels("\"a,b\",c"), (Labels{"a,b", "c"}));
  EXPECT_EQ(split_labels("\"a(\",c"), (Labels{"a(", "c"}));
  EXPECT_EQ(split_labels("a),b"), (Labels{"a)", "b"}));
}

TEST(LabelList, RefusesWhatIsEmptyOrUnclosed) {
  for (const char* const list : {"", ",", "a,", "a,,b", "\"\"", "f(1", "\"a"}) {
    EXPECT_THROW(split_labels(list), support::InputError) << list;
  }
}

TEST(LabelList, MatchesWholeParts) {
  EXPECT_TRUE(matches_any("a.x", {"b", "a"}));
  EXPECT_FALSE(matches_any("ab", {"b", "a"}));
}

TEST(Input, TakesTheProcessFromTheNameOrTheOption) {
  EXPECT_EQ(parse_input("d/m.lts:P").path, "d/m.lts");
  EXPECT_EQ(parse_input("d/m.lts:P").process, "P");
  EXPECT_EQ(parse_input("m.lts:P(1, 'a:b)").process, "P(1, 'a:b)");
  EXPECT_EQ(parse_input("m.lts", "Q").process, "Q");
  EXPECT_EQ(parse_input("m.lts:Q", "Q").process, "Q");
  EXPECT_EQ(parse_input("c:/m.aut").path, "c:/m.aut");
  EXPECT_THROW(parse_input("m.lts:P", "Q"), support::InputError);
  EXPECT_THROW(parse_input("m.lts:"), support::InputError);
}

}  // namespace
}  // namespace agon::cli
