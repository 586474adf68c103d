// SPDX-License-Identifier: Apache-2.0
// Orders of random graphs against reachability, found naively; and loops inside
// of loops.
#include "ir/loop_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "helpers/random_lts.h"
#include "term/pool.h"

namespace agon::ir {
namespace {

using testing::ElementsAre;

class LoopOrderTest : public testing::Test {
 protected:
  using Arcs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

  Cfa graph(std::uint32_t size, const Arcs& arcs) {
    Cfa cfa;
    for (std::uint32_t i = 0; i < size; ++i) cfa.add_location();
    cfa.set_entry(LocationId(0));
    cfa.set_exit(LocationId(size - 1));
    for (const auto& [from, to] : arcs) {
      cfa.add_edge({LocationId(from), LocationId(to),
                    Assume{pool.boolean(true)}, Position{}, InlineId()});
    }
    cfa.finish_unchanged();
    return cfa;
  }

  term::Pool pool;
};

std::vector<std::uint32_t> numbers(std::span<const LocationId> locations) {
  std::vector<std::uint32_t> result;
  for (const LocationId location : locations)
    result.push_back(location.value());
  return result;
}

/// By location, those that a way without forbidden edges leads to.
std::vector<std::vector<bool>> reachable(const Cfa& cfa,
                                         const std::vector<bool>& ends) {
  std::vector reach(cfa.num_locations(),
                    std::vector<bool>(cfa.num_locations()));
  for (std::size_t i = 0; i < reach.size(); ++i) reach[i][i] = true;
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (std::size_t e = 0; e < cfa.edges().size(); ++e) {
      if (ends[e]) continue;
      const Edge& edge = cfa.edges()[e];
      for (auto& row : reach) {
        if (!row[edge.from.index()] || row[edge.to.index()]) continue;
        row[edge.to.index()] = is_changed = true;
      }
    }
  }
  return reach;
}

TEST_F(LoopOrderTest, PassesAllThatIsReachedAndGoesBackInCyclesOnly) {
  test::Random random(17);
  std::size_t backwards = 0;
  for (std::size_t i = 0; i < test::scaled(500); ++i) {
    SCOPED_TRACE(i);
    const auto size = static_cast<std::uint32_t>(2 + test::below(random, 12));
    const auto some = [&] {
      return static_cast<std::uint32_t>(test::below(random, size));
    };
    Arcs arcs;
    for (std::size_t n = test::below(random, 3 * size); n > 0; --n) {
      const std::uint32_t from = some();
      arcs.emplace_back(from, some());
    }
    const Cfa cfa = graph(size, arcs);
    std::vector<bool> ends(arcs.size());
    for (std::size_t e = 0; e < ends.size(); ++e) {
      ends[e] = test::below(random, 6) == 0;
    }
    const LocationId start(some());
    const auto order =
        LoopOrder(cfa)
            .from(start, [&](EdgeId edge) { return ends[edge.index()]; })
            .locations;
    const auto reach = reachable(cfa, ends);
    ASSERT_EQ(order.front(), start);
    std::map<LocationId, std::size_t> at;
    for (std::size_t k = 0; k < order.size(); ++k) at[order[k]] = k;
    ASSERT_EQ(at.size(), order.size()) << "a location twice";
    const auto& all = reach[start.index()];
    ASSERT_EQ(static_cast<std::ptrdiff_t>(order.size()),
              std::ranges::count(all, true));
    for (std::size_t e = 0; e < ends.size(); ++e) {
      const Edge& edge = cfa.edges()[e];
      if (ends[e] || !all[edge.from.index()]) continue;
      ASSERT_TRUE(all[edge.to.index()] && at.contains(edge.to));
      if (at[edge.to] > at[edge.from]) continue;
      ++backwards;
      ASSERT_TRUE(reach[edge.to.index()][edge.from.index()]);
    }
  }
  EXPECT_GT(backwards, test::scaled(500));
}

// Loops at 1 and, inside of it, at 2; behind them 5 and 6. Whichever edge was
// added first, all of a loop comes before what follows it.
TEST_F(LoopOrderTest, LoopsStayTogether) {
  Arcs arcs = {{0, 1}, {1, 2}, {1, 5}, {2, 3}, {2, 4}, {3, 2}, {4, 1}, {5, 6}};
  const auto nothing = [](EdgeId) { return false; };
  do {
    const Cfa cfa = graph(7, arcs);
    const LoopOrder order(cfa);
    ASSERT_THAT(numbers(order.from(LocationId(0), nothing).locations),
                ElementsAre(0, 1, 2, 3, 4, 5, 6));
    ASSERT_THAT(numbers(order.loop(LocationId(1))), ElementsAre(1, 2, 3, 4));
    ASSERT_THAT(numbers(order.loop(LocationId(2))), ElementsAre(2, 3));
    for (const std::uint32_t other : {0u, 3u, 4u, 5u, 6u}) {
      ASSERT_TRUE(order.loop(LocationId(other)).empty());
    }
  } while (std::ranges::next_permutation(arcs).found);
}

/// What is passed on all ways from a start, each location at most so often.
std::vector<std::uint32_t> passed(const Cfa& cfa, LocationId start,
                                  std::size_t rounds) {
  const LoopOrder order(cfa);
  const LoopOrder::Part part = order.from(start, [](EdgeId) { return false; });
  Agenda agenda(part, cfa.num_locations());
  std::map<LocationId, std::size_t> times;
  std::vector<std::uint32_t> result;
  while (!agenda.empty()) {
    const LocationId at = agenda.take();
    ++times[at];
    result.push_back(at.value());
    for (const EdgeId edge : cfa.out_edges(at)) {
      const LocationId to = cfa.edge(edge).to;
      if (times[to] < rounds) agenda.add(at, to);
    }
  }
  return result;
}

// From 0 into the middle of the loop 1, 2, 3 or 4; behind it 5. The ways over 3
// and 4 meet before the next round.
TEST_F(LoopOrderTest, RoundsArePassedOneAfterTheOther) {
  Arcs arcs = {{0, 1}, {1, 2}, {2, 3}, {2, 4}, {3, 1}, {4, 1}, {2, 5}};
  std::ranges::sort(arcs);
  do {
    const auto order = passed(graph(6, arcs), LocationId(0), 2);
    ASSERT_EQ(order.size(), 10);
    ASSERT_THAT(std::vector(order.begin(), order.begin() + 3),
                ElementsAre(0, 1, 2));
    ASSERT_THAT(std::vector(order.begin() + 3, order.begin() + 5),
                testing::AnyOf(ElementsAre(3, 4), ElementsAre(4, 3)));
    ASSERT_THAT(std::vector(order.begin() + 5, order.begin() + 7),
                ElementsAre(1, 2));
    ASSERT_THAT(std::vector(order.begin() + 7, order.begin() + 9),
                testing::AnyOf(ElementsAre(3, 4), ElementsAre(4, 3)));
    ASSERT_EQ(order.back(), 5);
  } while (std::ranges::next_permutation(arcs).found);
}

// A loop at 2 inside of one at 1: both rounds of the inner one, then the next
// of the outer one.
TEST_F(LoopOrderTest, RoundsOfInnerLoopsComeFirst) {
  const Arcs arcs = {{0, 1}, {1, 2}, {2, 3}, {3, 2}, {2, 1}, {1, 4}};
  ASSERT_THAT(passed(graph(5, arcs), LocationId(0), 2),
              ElementsAre(0, 1, 2, 3, 2, 3, 1, 4));
}

}  // namespace
}  // namespace agon::ir
