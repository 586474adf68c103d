// SPDX-License-Identifier: Apache-2.0
/// A loop without effects is sliced away exactly if it surely ends.
#include <gtest/gtest.h>

#include "analysis/slice.h"
#include "small_program.h"

namespace agon::analysis {
namespace {

class TerminatingLoop : public testing::Test, public test::SmallProgram {
 protected:
  TerminatingLoop() : g(global("g")), top(function("main", {"i", "n", "x"})) {
    i = program[top].parameters[0];
    n = program[top].parameters[1];
    x = program[top].parameters[2];
    begin(top, 10);  // Locations 0 to 9; 9 returns.
    ret(9);
  }

  /// Ends the body; whether nothing but the return is left of it.
  bool is_dropped() {
    end();
    const ir::Program sliced = slice(program, top);
    return sliced[*sliced.find_function("main")].body.edges().size() == 1;
  }

  void add(unsigned from, unsigned to, ir::VariableId to_what, unsigned step) {
    edge(from, to, ir::Assign{to_what, plus(to_what, step)});
  }
  Term signed_less(ir::VariableId a, ir::VariableId b) {
    return program.pool->signed_less(value(a), value(b));
  }
  Term equal(ir::VariableId a, ir::VariableId b) {
    return program.pool->equal(value(a), value(b));
  }
  Term negation(Term a) { return program.pool->negation(a); }

  ir::VariableId g;
  ir::FunctionId top;
  ir::VariableId i;
  ir::VariableId n;
  ir::VariableId x;
};

TEST_F(TerminatingLoop, CountsUpToABound) {
  branch(0, signed_less(i, n), 1, 9);
  add(1, 0, i, 1);
  EXPECT_TRUE(is_dropped());
}

TEST_F(TerminatingLoop, CountsDown) {
  branch(0, program.pool->signed_less(number(0), value(i)), 1, 9);
  add(1, 0, i, 0xffffffff);
  EXPECT_TRUE(is_dropped());
}

TEST_F(TerminatingLoop, CountsTowardsAValue) {
  branch(0, equal(i, n), 9, 1);
  add(1, 0, i, 3);
  EXPECT_TRUE(is_dropped());
}

TEST_F(TerminatingLoop, CountsWhileABranchInsideStays) {
  branch(0, is_zero(x), 1, 2);
  add(1, 3, x, 1);
  edge(2, 3, ir::Assign{x, value(g)});
  branch(3, less(i, 7), 4, 9);
  add(4, 0, i, 1);
  EXPECT_TRUE(is_dropped());
}

TEST_F(TerminatingLoop, MayMissABoundWithAnEvenStep) {
  branch(0, signed_less(i, n), 1, 9);
  add(1, 0, i, 2);
  EXPECT_FALSE(is_dropped());
}

TEST_F(TerminatingLoop, MeetsALowBoundWithAnEvenStep) {
  branch(0, less(i, 1000), 1, 9);
  add(1, 0, i, 6);
  EXPECT_TRUE(is_dropped());
}

TEST_F(TerminatingLoop, ShiftsEverythingOut) {
  branch(0, is_zero(i), 9, 1);
  edge(1, 0,
       ir::Assign{i, program.pool->binary(term::Kind::ShiftRight, value(i),
                                          number(3))});
  EXPECT_TRUE(is_dropped());
}

TEST_F(TerminatingLoop, MayBeInsideTheGreatestBound) {
  branch(0, negation(signed_less(n, i)), 1, 9);
  add(1, 0, i, 1);
  EXPECT_FALSE(is_dropped());
}

TEST_F(TerminatingLoop, IsOutsideABoundThatIsNotTheGreatest) {
  branch(0, negation(program.pool->signed_less(number(9), value(i))), 1, 9);
  add(1, 0, i, 1);
  EXPECT_TRUE(is_dropped());
}

TEST_F(TerminatingLoop, MayHaveAMovingBound) {
  branch(0, signed_less(i, n), 1, 9);
  add(1, 2, i, 1);
  add(2, 0, n, 1);
  EXPECT_FALSE(is_dropped());
}

TEST_F(TerminatingLoop, MayNotCountInEachRound) {
  branch(0, signed_less(i, n), 1, 9);
  branch(1, is_zero(x), 2, 0);
  add(2, 0, i, 1);
  EXPECT_FALSE(is_dropped());
}

TEST_F(TerminatingLoop, MayNotLookInEachRound) {
  branch(0, is_zero(x), 1, 2);
  branch(1, signed_less(i, n), 2, 9);
  add(2, 0, i, 1);
  EXPECT_FALSE(is_dropped());
}

TEST_F(TerminatingLoop, MayCountTwice) {
  branch(0, equal(i, n), 9, 1);
  add(1, 2, i, 1);
  add(2, 0, i, 1);
  EXPECT_FALSE(is_dropped());
}

// The loop inside ends, since it counts x, but may add any number to i.
TEST_F(TerminatingLoop, MayCountInsideAnotherLoop) {
  branch(0, equal(i, n), 9, 1);
  edge(1, 2, ir::Assign{x, number(0)});
  add(2, 3, i, 1);
  add(3, 4, x, 1);
  branch(4, less(x, 2), 2, 0);
  EXPECT_FALSE(is_dropped());
}

// Two cycles through one head: one counts, and the other can be entered at 3.
TEST_F(TerminatingLoop, MayShareItsHeadWithACycleThatDoesNotCount) {
  branch(0, is_zero(x), 1, 3);
  branch(1, signed_less(i, n), 2, 3);
  add(2, 1, i, 1);
  branch(3, equal(x, n), 1, 9);
  EXPECT_FALSE(is_dropped());
}

TEST_F(TerminatingLoop, MayCallAFunctionThatResetsTheCounter) {
  branch(0, less(g, 5), 1, 9);
  add(1, 2, g, 1);
  const auto reset = function("reset");
  call(2, 0, reset);
  end();
  begin(reset, 2);
  edge(0, 1, ir::Assign{g, number(0)});
  ret(1);
  EXPECT_FALSE(is_dropped());
}

TEST_F(TerminatingLoop, MayCallAFunctionThatMovesTheBound) {
  branch(0, signed_less(i, g), 1, 9);
  add(1, 2, i, 1);
  const auto move = function("move");
  call(2, 0, move);
  end();
  begin(move, 2);
  add(0, 1, g, 1);
  ret(1);
  EXPECT_FALSE(is_dropped());
}

}  // namespace
}  // namespace agon::analysis
