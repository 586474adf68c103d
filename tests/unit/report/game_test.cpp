// SPDX-License-Identifier: Apache-2.0
#include "report/game.h"

#include <gtest/gtest.h>

#include <functional>

#include "support/error.h"

namespace agon::report {
namespace {

/// A violation of a -> b | a -> c by the actions a, b, b.
std::string recorded() {
  return R"({"results": [{"target": "t", "spec": "S", "verdict": "violated",
    "counterexample": {"actions": ["a", "b", "b"], "tree": null},
    "specification": {"initial": 0, "states": 4, "alphabet": ["a"],
      "transitions": [[0, "a", 1], [0, "a", 2], [1, "b", 3], [2, "c", 3]]}}]})";
}

TEST(Game, EveryWayToPlayEndsStuck) {
  const auto results = read_results("r.json", recorded());
  ASSERT_EQ(results.size(), 1U);
  const Game& game = results[0].game.value();
  std::vector<std::string> ends;
  const std::function<void(const Game::Position&)> play =
      [&](const Game::Position& at) {
        const Game::Turn turn = game.turn(at);
        for (const Game::Response& each : turn.responses) play(each.after);
        if (turn.responses.empty()) {
          ends.push_back(turn.state + " " + turn.challenge + " " +
                         (turn.allowed.empty() ? "-" : turn.allowed[0]));
        }
      };
  play(game.start());
  EXPECT_EQ(ends, (std::vector<std::string>{"3 b -", "2 b c"}));
}

TEST(Game, CallsStatesByTheirNames) {
  const std::string graph = "\"transitions\"";
  std::string named = recorded();
  named.replace(named.find(graph), graph.size(),
                R"("names": ["Start", null, "Other", "End"], "transitions")");
  const auto results = read_results("r.json", named);
  const Game& game = results.at(0).game.value();
  const Game::Turn first = game.turn(game.start());
  EXPECT_EQ(first.state, "Start");
  ASSERT_EQ(first.responses.size(), 2U);
  EXPECT_EQ(first.responses[0].state, "1");
  EXPECT_EQ(first.responses[1].state, "Other");
  EXPECT_EQ(game.turn(first.responses[1].after).state, "Other");
}

TEST(Game, RefusesWhatIsNotARecord) {
  for (const char* const text :
       {"", "[]", "{\"results\": 3}",
        "{\"results\": [{\"counterexample\": {}}]}",
        "{\"results\": [{\"counterexample\": {\"tree\": {\"nodes\": []}}}]}"}) {
    EXPECT_THROW(read_results("r.json", text), support::InputError) << text;
  }
}

TEST(Game, ReadsDamagedRecordsWithoutHarm) {
  const std::string whole = recorded();
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (const char c : {'9', '"', '-', '}'}) {
      std::string damaged = whole;
      damaged[i] = c;
      try {
        for (const auto& result : read_results("r.json", damaged)) {
          if (result.game) result.game->turn(result.game->start());
        }
      } catch (const support::InputError&) {
        continue;
      }
    }
  }
}

}  // namespace
}  // namespace agon::report
