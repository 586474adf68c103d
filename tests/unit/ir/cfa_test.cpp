// SPDX-License-Identifier: Apache-2.0
#include "ir/cfa.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "helpers/random_lts.h"
#include "support/hash.h"
#include "term/pool.h"

namespace agon::ir {
namespace {

const Assume* as_assume(const Edge& edge) {
  return std::get_if<Assume>(&edge.statement);
}

class CfaTest : public testing::Test {
 protected:
  term::Pool pool;
  std::uint32_t line = 0;

  void connect(Cfa& cfa, std::size_t from, std::size_t to, Statement s) {
    cfa.add_edge({LocationId::at(from), LocationId::at(to), std::move(s),
                  Position{FileId(0), ++line, 1}, InlineId()});
  }
  Statement always() { return Assume{pool.boolean(true)}; }
  Statement never() { return Assume{pool.boolean(false)}; }
  Statement work() { return Havoc{VariableId(0), HavocReason::Input, ""}; }

  Cfa with_locations(std::size_t count) {
    Cfa cfa;
    for (std::size_t i = 0; i < count; ++i) cfa.add_location();
    cfa.set_entry(LocationId(0));
    cfa.set_exit(LocationId::at(count - 1));
    return cfa;
  }

  /// What happens from the entry on: the lines of the statements that do
  /// something, and how it ends. Branches are decided by `seed`.
  std::vector<std::string> trace(const Cfa& cfa, std::uint64_t seed) {
    std::vector<std::string> result;
    LocationId here = cfa.entry();
    std::size_t silent = 0;
    while (result.size() < 25) {
      const Edge* next = nullptr;
      const std::uint64_t choice = support::mix(seed + 31 * result.size());
      for (const Edge& edge : cfa.edges()) {
        if (edge.from != here || !passes(edge, choice)) continue;
        next = &edge;
        break;
      }
      if (next == nullptr) {
        result.push_back(here == cfa.exit() ? "exit" : "stuck");
        return result;
      }
      const Assume* const assume = as_assume(*next);
      if (assume != nullptr && assume->condition.is_true()) {
        if (++silent > 100) {
          result.push_back("spins");
          return result;
        }
      } else {
        silent = 0;
        result.push_back(std::to_string(next->position.line));
      }
      here = next->to;
    }
    return result;
  }

  /// Whether an edge can be taken if the variable in conditions is `choice`.
  static bool passes(const Edge& edge, std::uint64_t choice) {
    const Assume* const assume = as_assume(edge);
    if (assume == nullptr || assume->condition.is_true()) return true;
    if (assume->condition.is_false()) return false;
    return (assume->condition.kind() == term::Kind::Variable) ==
           (choice % 2 == 0);
  }

  Cfa random_cfa(test::Random& random) {
    const std::size_t size = 2 + test::below(random, 9);
    const term::Term c = pool.variable("c", term::Sort::boolean());
    Cfa cfa = with_locations(size);
    cfa.set_entry(LocationId::at(test::below(random, size - 1)));
    for (std::size_t i = 0; i + 1 < size; ++i) {
      const auto target = [&] { return test::below(random, size); };
      switch (test::below(random, 7)) {
        case 0:
          connect(cfa, i, target(), Assume{c});
          connect(cfa, i, target(), Assume{pool.negation(c)});
          break;
        case 1:
          connect(cfa, i, target(), never());
          connect(cfa, i, target(), always());
          break;
        case 2:
          connect(cfa, i, target(), work());
          break;
        case 3:
          if (test::below(random, 3) == 0) connect(cfa, i, target(), never());
          break;
        default:
          connect(cfa, i, target(), always());
      }
    }
    return cfa;
  }
};

TEST_F(CfaTest, FinishUnchangedLeavesNothingOut) {
  Cfa cfa = with_locations(4);
  connect(cfa, 2, 3, work());
  connect(cfa, 0, 1, always());
  connect(cfa, 0, 2, never());
  cfa.finish_unchanged();
  ASSERT_EQ(cfa.num_locations(), 4u);
  ASSERT_EQ(cfa.edges().size(), 3u);
  ASSERT_EQ(cfa.out_edges(LocationId(0)).size(), 2u);
  EXPECT_EQ(cfa.edge(cfa.out_edges(LocationId(0))[0]).to, LocationId(1));
  EXPECT_EQ(cfa.edge(cfa.out_edges(LocationId(0))[1]).to, LocationId(2));
  EXPECT_EQ(cfa.edge(cfa.out_edges(LocationId(2))[0]).to, LocationId(3));
  EXPECT_TRUE(cfa.out_edges(LocationId(1)).empty());
}

TEST_F(CfaTest, KeepsTheRunsOfRandomAutomata) {
  test::Random random(1);
  std::set<std::string> ends;
  for (std::size_t i = 0; i < test::scaled(3000); ++i) {
    SCOPED_TRACE(i);
    const Cfa before = random_cfa(random);
    Cfa after = before;
    const std::vector<EdgeId> added = after.finish();
    ASSERT_EQ(added.size(), after.edges().size());
    for (std::size_t e = 0; e < added.size(); ++e) {
      const Edge& old = before.edge(added[e]);
      ASSERT_EQ(after.edges()[e].position, old.position);
      ASSERT_EQ(after.edges()[e].statement, old.statement);
    }
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const auto expected = trace(before, seed);
      ASSERT_EQ(trace(after, seed), expected);
      ends.insert(expected.back());
    }
    Cfa again = after;
    again.finish();
    ASSERT_EQ(again, after);
  }
  EXPECT_TRUE(ends.contains("exit"));
  EXPECT_TRUE(ends.contains("stuck"));
  EXPECT_TRUE(ends.contains("spins"));
}

TEST_F(CfaTest, LeavesOnlyWhatIsNeeded) {
  test::Random random(2);
  for (std::size_t i = 0; i < test::scaled(3000); ++i) {
    SCOPED_TRACE(i);
    Cfa cfa = random_cfa(random);
    cfa.finish();
    ASSERT_EQ(cfa.entry(), LocationId(0));
    std::set<LocationId> reached = {cfa.entry()};
    LocationId last;
    for (const Edge& edge : cfa.edges()) {
      const Assume* const assume = as_assume(edge);
      ASSERT_TRUE(assume == nullptr || !assume->condition.is_false());
      if (assume != nullptr && assume->condition.is_true()) {
        ASSERT_EQ(edge.from, edge.to);
      }
      ASSERT_TRUE(!last.valid() || last <= edge.from);
      last = edge.from;
      reached.insert(edge.to);
    }
    reached.insert(cfa.exit());
    ASSERT_EQ(reached.size(), cfa.num_locations());
    std::size_t indexed = 0;
    for (std::size_t k = 0; k < cfa.num_locations(); ++k) {
      for (const EdgeId id : cfa.out_edges(LocationId::at(k))) {
        ASSERT_EQ(cfa.edge(id).from, LocationId::at(k));
        ++indexed;
      }
    }
    ASSERT_EQ(indexed, cfa.edges().size());
  }
}

TEST_F(CfaTest, NumbersDepthFirst) {
  const term::Term c = pool.variable("c", term::Sort::boolean());
  Cfa cfa = with_locations(6);
  connect(cfa, 0, 4, Assume{c});
  connect(cfa, 0, 1, Assume{pool.negation(c)});
  connect(cfa, 1, 5, work());
  connect(cfa, 4, 2, work());
  connect(cfa, 2, 5, work());
  connect(cfa, 3, 2, work());  // Cannot be reached.
  cfa.finish();
  ASSERT_EQ(cfa.num_locations(), 5U);
  const std::vector<std::pair<std::uint32_t, std::uint32_t>> expected = {
      {0, 1}, {0, 4}, {1, 2}, {2, 3}, {4, 3}};
  ASSERT_EQ(cfa.edges().size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(cfa.edges()[i].from.value(), expected[i].first);
    EXPECT_EQ(cfa.edges()[i].to.value(), expected[i].second);
  }
  EXPECT_EQ(cfa.exit(), LocationId(3));
}

TEST_F(CfaTest, KeepsEmptyLoopsAndTheExit) {
  Cfa loop = with_locations(4);
  connect(loop, 0, 1, always());
  connect(loop, 1, 2, always());
  connect(loop, 2, 1, always());
  loop.finish();
  EXPECT_EQ(loop.num_locations(), 2U);
  EXPECT_EQ(loop.exit(), LocationId(1));
  EXPECT_TRUE(loop.out_edges(loop.exit()).empty());
  ASSERT_EQ(loop.edges().size(), 1U);
  EXPECT_EQ(loop.edges()[0].from, loop.entry());
  EXPECT_EQ(loop.edges()[0].to, loop.entry());

  Cfa empty = with_locations(2);
  connect(empty, 0, 1, always());
  empty.finish();
  EXPECT_EQ(empty.num_locations(), 1U);
  EXPECT_EQ(empty.entry(), empty.exit());

  Cfa none;
  none.finish();
  EXPECT_EQ(none.num_locations(), 0U);
}

TEST_F(CfaTest, IsNotLimitedByTheStack) {
  constexpr std::size_t kSize = 300'000;
  Cfa cfa = with_locations(kSize);
  for (std::size_t i = 0; i + 1 < kSize; ++i) {
    connect(cfa, i, i + 1, i % 3 == 0 ? work() : always());
  }
  cfa.finish();
  EXPECT_EQ(cfa.edges().size(), kSize / 3);
}

}  // namespace
}  // namespace agon::ir
