// SPDX-License-Identifier: Apache-2.0
#include "horn/solver.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "helpers/random_lts.h"

namespace agon::horn {
namespace {

struct Formula {
  std::size_t variables;
  std::vector<std::pair<Variable, std::vector<Variable>>> clauses;
};

Formula random_formula(test::Random& random) {
  Formula formula{1 + test::below(random, 8), {}};
  const auto variable = [&] {
    return Variable::at(test::below(random, formula.variables));
  };
  for (std::size_t i = test::below(random, 16); i > 0; --i) {
    std::vector<Variable> body;
    for (std::size_t k = test::below(random, 4); k > 0; --k) {
      body.push_back(variable());  // Repeated literals are welcome.
    }
    formula.clauses.emplace_back(variable(), body);
  }
  return formula;
}

/// The least model with least ranks, by Kleene iteration.
std::vector<std::uint32_t> naive_ranks(const Formula& formula) {
  std::vector<std::uint32_t> rank(formula.variables, kNever);
  for (std::uint32_t round = 0; round <= formula.variables; ++round) {
    for (const auto& [head, body] : formula.clauses) {
      if (rank[head.index()] != kNever) continue;
      const auto is_earlier = [&](Variable v) {
        return rank[v.index()] < round;
      };
      if (std::ranges::all_of(body, is_earlier)) rank[head.index()] = round;
    }
  }
  return rank;
}

void expect_well_founded(const Solver& solver) {
  for (std::size_t i = 0; i < solver.num_variables(); ++i) {
    const Variable variable = Variable::at(i);
    if (!solver.is_true(variable)) continue;
    const Clause reason = solver.reason(variable);
    ASSERT_EQ(solver.head(reason), variable);
    std::uint32_t expected = 0;
    for (const Variable literal : solver.body(reason)) {
      ASSERT_TRUE(solver.is_true(literal));
      ASSERT_LT(solver.rank(literal), solver.rank(variable));
      expected = std::max(expected, solver.rank(literal) + 1);
    }
    ASSERT_EQ(solver.rank(variable), expected);
  }
}

TEST(Solver, FindsTheLeastModelWithLeastRanks) {
  for (std::size_t seed = 0; seed < test::scaled(20000); ++seed) {
    SCOPED_TRACE(seed);
    test::Random random(seed);
    const Formula formula = random_formula(random);
    Solver solver;
    for (std::size_t i = 0; i < formula.variables; ++i) solver.add_variable();
    for (const auto& [head, body] : formula.clauses) {
      solver.add_clause(head, body);
    }
    solver.solve();
    const auto expected = naive_ranks(formula);
    for (std::size_t i = 0; i < formula.variables; ++i) {
      ASSERT_EQ(solver.rank(Variable::at(i)), expected[i]);
    }
    expect_well_founded(solver);
  }
}

TEST(Solver, IsOnline) {
  for (std::size_t seed = 0; seed < test::scaled(20000); ++seed) {
    SCOPED_TRACE(seed);
    test::Random random(seed);
    const Formula formula = random_formula(random);
    Solver solver;
    Formula so_far{0, {}};
    for (const auto& [head, body] : formula.clauses) {
      // Variables arrive as late as possible.
      std::size_t needed = head.index() + 1;
      for (const Variable v : body) needed = std::max(needed, v.index() + 1);
      for (; so_far.variables < needed; ++so_far.variables) {
        solver.add_variable();
      }
      so_far.clauses.emplace_back(head, body);
      solver.add_clause(head, body);
      if (test::below(random, 2) == 0) continue;
      solver.solve();
      const auto expected = naive_ranks(so_far);
      for (std::size_t i = 0; i < so_far.variables; ++i) {
        ASSERT_EQ(solver.is_true(Variable::at(i)), expected[i] != kNever);
      }
      expect_well_founded(solver);
    }
  }
}

TEST(LazySolver, NeverReadsBeyondALiteralThatStaysFalse) {
  LazySolver solver;
  const Variable head = solver.add_variable();
  const Variable blocked = solver.add_variable();
  std::size_t literals_read = 0;
  const Clause clause = solver.add_clause(head);
  const auto next = [&](Clause) {
    ++literals_read;
    return blocked;
  };
  solver.start(clause, next);
  solver.propagate(next);
  EXPECT_EQ(literals_read, 1U);
  EXPECT_FALSE(solver.is_true(head));
  EXPECT_TRUE(solver.is_awaited(blocked));
}

TEST(LazySolver, KnowsWhoNoLongerWaits) {
  LazySolver solver;
  const Variable head = solver.add_variable();
  const Variable blocked = solver.add_variable();
  const Clause waiting = solver.add_clause(head);
  solver.start(waiting, [&](Clause) { return blocked; });
  const Clause fact = solver.add_clause(head);
  const auto none = [](Clause) { return Variable(); };
  solver.start(fact, none);
  solver.propagate(none);
  EXPECT_TRUE(solver.is_true(head));
  EXPECT_EQ(solver.reason(head), fact);
  EXPECT_FALSE(solver.is_awaited(blocked));
}

}  // namespace
}  // namespace agon::horn
