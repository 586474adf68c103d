// SPDX-License-Identifier: Apache-2.0
#include "smt/limited_solver.h"

#include <gtest/gtest.h>

#include "smt/z3_solver.h"

namespace agon::smt {
namespace {

TEST(LimitedSolver, AnswersNothingOnceTheLimitIsReached) {
  term::Pool pool;
  support::Context context;
  const auto solver = make_limited_solver(make_z3_solver(), context);
  solver->add(pool.variable("x", term::Sort::boolean()));
  EXPECT_EQ(solver->check(), Answer::Sat);

  context.request_stop();
  EXPECT_TRUE(context.must_stop());
  EXPECT_EQ(solver->check(), Answer::Unknown);
  EXPECT_EQ(solver->reason(), *context.exhausted());
  solver->add(pool.boolean(false));
  EXPECT_EQ(solver->check(), Answer::Unknown);
}

}  // namespace
}  // namespace agon::smt
