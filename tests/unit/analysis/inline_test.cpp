// SPDX-License-Identifier: Apache-2.0
#include "analysis/inline.h"

#include <gtest/gtest.h>

#include "analysis/call_graph.h"
#include "analysis/prune.h"
#include "random_calls.h"

namespace agon::analysis {
namespace {

using test::HashEnvironment;
using test::Observation;

constexpr std::uint64_t kSteps = 3000;

TEST(Inline, RunsLikeTheOriginalOnRandomPrograms) {
  unsigned finished = 0;
  unsigned actions = 0;
  for (unsigned seed = 0; seed < test::scaled(3000); ++seed) {
    SCOPED_TRACE(seed);
    test::RandomProgramOptions options;
    options.recursion = seed % 3 == 0;
    options.pointers = seed % 4 == 1;
    options.mismatches = seed % 5 == 2;
    const ir::Program program = test::RandomProgram(seed, options).program;
    const ir::FunctionId entry = *program.find_function("f0");
    const Inlined inlined = inline_calls(program, entry);
    ASSERT_TRUE(inlined.program.has_value());
    const ir::Program pruned = prune(*inlined.program, {entry}).program;
    for (unsigned run = 0; run < 3; ++run) {
      const HashEnvironment environment(run * 1000 + seed, true);
      const Observation before = observe(program, "f0", environment, kSteps);
      if (before.outcome == ir::Outcome::StepLimit ||
          before.outcome == ir::Outcome::DepthLimit) {
        continue;
      }
      ++finished;
      actions += static_cast<unsigned>(before.actions.size());
      for (const ir::Program* other : {&*inlined.program, &pruned}) {
        const Observation after =
            observe(*other, "f0", environment, 10 * kSteps);
        ASSERT_EQ(before.outcome, after.outcome);
        ASSERT_EQ(before.results, after.results);
        ASSERT_EQ(before.actions, after.actions);
      }
    }
  }
  EXPECT_GT(finished, test::scaled(3000));
  EXPECT_GT(actions, finished);
}

}  // namespace
}  // namespace agon::analysis
