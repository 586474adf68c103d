// SPDX-License-Identifier: Apache-2.0
/// What is certain behind a line, and executions that get there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/falsify/falsify_fixture.h"

namespace agon::falsify {
namespace {

using term::Term;
using testing::HasSubstr;

TEST_F(Falsify, FromALine) {
  input("n", ir::HavocReason::Undefined);
  const ir::LocationId good =
      body->branch(program.pool->equal(value("n"), number(12345)));
  set("x", 1);
  const std::uint32_t line = body->position.line - 1;
  fail_if(less(number(0), value("x")));
  body->leave();
  body->here = good;
  EXPECT_FALSE(wins());
  options.from = From{line, "test.c"};
  const Result result = run();
  EXPECT_TRUE(result.wins);
  EXPECT_TRUE(result.is_conditional);
  options.from = From{line, "other.c"};
  EXPECT_THAT(run().reason, HasSubstr("nothing at this line"));
  options.from = From{1, ""};
  EXPECT_FALSE(wins());
}

/// if (condition) { x = 1; if (x > 0) error } and the line of `x = 1`.
class FalsifyFrom : public Falsify {
 protected:
  Result run_from(Term condition) {
    const ir::LocationId good = body->branch(condition);
    set("x", 1);
    const std::uint32_t line = body->position.line - 1;
    fail_if(less(number(0), value("x")));
    body->leave();
    body->here = good;
    options.from = From{line, ""};
    Result result = run();
    EXPECT_TRUE(result.wins);
    EXPECT_EQ(result.is_conditional, !result.execution);
    return result;
  }
};

TEST_F(FalsifyFrom, FindsAnExecutionByTrying) {
  input("n");
  EXPECT_FALSE(run_from(less(value("n"), number(3))).is_conditional);
}

TEST_F(FalsifyFrom, FindsAnExecutionWithTheSolver) {
  input("y");
  input("n");
  set("i", program.pool->multiply(value("n"), value("y")));
  const Result result =
      run_from(program.pool->equal(value("i"), number(1234 * 4321)));
  ASSERT_TRUE(result.execution);
  ASSERT_EQ(result.execution->choices.size(), 2U);
  EXPECT_EQ(term::truncate(result.execution->choices[0].value *
                               result.execution->choices[1].value,
                           32),
            1234U * 4321U);
}

// What is not known may have no value with which the line is reached.
TEST_F(FalsifyFrom, DoesNotChooseWhatIsNotItsOwn) {
  input("n", ir::HavocReason::Undefined);
  EXPECT_TRUE(run_from(less(value("n"), number(3))).is_conditional);
}

TEST_F(FalsifyFrom, NeedNotKnowWhatDoesNotMatter) {
  input("y", ir::HavocReason::Undefined);
  input("n");
  EXPECT_FALSE(
      run_from(program.pool->equal(value("n"), number(77777))).is_conditional);
}

// The error behind the line is certain, but the executions that have one do not
// get there.
TEST_F(FalsifyFrom, DoesNotTakeOtherErrors) {
  input("n", ir::HavocReason::Undefined);
  fail_if(less(value("n"), number(3)));
  EXPECT_TRUE(
      run_from(program.pool->equal(value("n"), number(77777))).is_conditional);
}

}  // namespace
}  // namespace agon::falsify
