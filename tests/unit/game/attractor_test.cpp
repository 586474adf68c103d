// SPDX-License-Identifier: Apache-2.0
#include "game/attractor.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "helpers/random_lts.h"

namespace agon::game {
namespace {

constexpr auto kFirst = Player::First;
constexpr auto kSecond = Player::Second;

TEST(Attractor, LeavesOutAnOpponentWhoCanEscape) {
  Arena arena;
  const Place start = arena.add(kSecond);
  const Place bad = arena.add(kFirst);
  const Place safe = arena.add(kFirst);
  arena.connect(start, bad);
  arena.connect(start, safe);
  arena.connect(safe, start);

  // A repeated target must not be mistaken for a second closed escape.
  const Attractor won = attract(arena, kFirst, std::vector{bad, bad});

  EXPECT_TRUE(won.wins(bad));
  EXPECT_FALSE(won.wins(start));
  EXPECT_FALSE(won.wins(safe));
}

TEST(Attractor, DoesNotAttractDeadEnds) {
  Arena arena;
  const Place stuck = arena.add(kSecond);
  const Place target = arena.add(kFirst);
  const Attractor won = attract(arena, kFirst, std::vector{target});
  EXPECT_FALSE(won.wins(stuck));
}

/// The definition, round by round: a place enters in round k if its owner's
/// rule holds for the places of earlier rounds.
std::vector<std::uint32_t> naive_ranks(const Arena& arena, Player player,
                                       const std::vector<Place>& target) {
  std::vector<std::uint32_t> rank(arena.size(), Attractor::kNever);
  for (const Place place : target) rank[place.index()] = 0;
  for (std::uint32_t round = 1; round <= arena.size(); ++round) {
    for (std::size_t i = 0; i < arena.size(); ++i) {
      if (rank[i] != Attractor::kNever) continue;
      const auto next = arena.successors(Place::at(i));
      const auto is_earlier = [&](Place p) { return rank[p.index()] < round; };
      const bool enters =
          arena.owner(Place::at(i)) == player
              ? std::ranges::any_of(next, is_earlier)
              : !next.empty() && std::ranges::all_of(next, is_earlier);
      if (enters) rank[i] = round;
    }
  }
  return rank;
}

TEST(Attractor, AgreesWithTheDefinitionOnRandomArenas) {
  for (std::size_t seed = 0; seed < test::scaled(20000); ++seed) {
    SCOPED_TRACE(seed);
    test::Random random(seed);
    Arena arena;
    const std::size_t places = 1 + test::below(random, 9);
    for (std::size_t i = 0; i < places; ++i) {
      arena.add(test::below(random, 2) == 0 ? kFirst : kSecond);
    }
    for (std::size_t i = test::below(random, 3 * places); i > 0; --i) {
      arena.connect(Place::at(test::below(random, places)),
                    Place::at(test::below(random, places)));
    }
    const std::vector<Place> target{Place::at(test::below(random, places))};
    for (const Player player : {kFirst, kSecond}) {
      const Attractor won = attract(arena, player, target);
      ASSERT_EQ(won.rank, naive_ranks(arena, player, target));
      for (std::size_t i = 0; i < places; ++i) {
        const Place place = Place::at(i);
        const bool has_move =
            won.wins(place) && won.rank[i] > 0 && arena.owner(place) == player;
        ASSERT_EQ(won.move[i].valid(), has_move);
        if (!has_move) continue;
        const auto next = arena.successors(place);
        ASSERT_NE(std::ranges::find(next, won.move[i]), next.end());
        ASSERT_EQ(won.rank[won.move[i].index()] + 1, won.rank[i]);
      }
    }
  }
}

}  // namespace
}  // namespace agon::game
