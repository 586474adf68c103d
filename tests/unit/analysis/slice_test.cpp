// SPDX-License-Identifier: Apache-2.0
#include "analysis/slice.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/inline.h"
#include "random_calls.h"

namespace agon::analysis {
namespace {

using test::HashEnvironment;
using test::Observation;

constexpr std::uint64_t kSteps = 500;

bool is_limit(ir::Outcome outcome) {
  return outcome == ir::Outcome::StepLimit ||
         outcome == ir::Outcome::DepthLimit;
}

std::size_t num_edges(const ir::Program& program) {
  std::size_t result = 0;
  for (const ir::Function& function : program.functions) {
    result += function.body.edges().size();
  }
  return result;
}

struct Statistics {
  std::size_t finished = 0;
  std::size_t endless = 0;
  std::size_t actions = 0;
  std::size_t edges_before = 0;
  std::size_t edges_after = 0;
};

/// Leaves only what the criterion observes.
Observation project(Observation observation, const ir::Program& program,
                    const Criterion& criterion) {
  std::erase_if(observation.actions, [&](const auto& action) {
    return criterion.routines &&
           !criterion.routines->contains(*program.find_function(action.first));
  });
  if (!criterion.arguments) {
    for (auto& [name, arguments] : observation.actions) arguments.clear();
  }
  if (criterion.returns == Returns::Fact) observation.results.clear();
  return observation;
}

void expect_same(const ir::Program& program, const ir::Program& sliced,
                 const Criterion& criterion, const HashEnvironment& environment,
                 Statistics& statistics) {
  const Observation before = project(
      observe(program, "f0", environment, 10 * kSteps), program, criterion);
  const Observation after = project(
      observe(sliced, "f0", environment, 11 * kSteps), program, criterion);
  if (is_limit(before.outcome)) {
    ++statistics.endless;
    // The slice may have got further, but it may not have come to an end.
    const std::size_t size =
        std::min(before.actions.size(), after.actions.size());
    ASSERT_TRUE(
        std::equal(before.actions.begin(),
                   before.actions.begin() + static_cast<std::ptrdiff_t>(size),
                   after.actions.begin()));
    if (criterion.loops == Loops::Keep) {
      ASSERT_TRUE(is_limit(after.outcome));
    }
    return;
  }
  ++statistics.finished;
  statistics.actions += before.actions.size();
  ASSERT_EQ(before.outcome, after.outcome);
  ASSERT_EQ(before.results, after.results);
  ASSERT_EQ(before.actions, after.actions);
  ASSERT_LE(after.steps, before.steps);
}

Criterion random_criterion(const ir::Program& program, unsigned seed) {
  Criterion criterion;
  criterion.loops = seed % 2 == 0 ? Loops::Keep : Loops::MayTerminate;
  criterion.returns = seed / 2 % 2 == 0 ? Returns::Value : Returns::Fact;
  criterion.prune = seed / 4 % 2 == 0;
  if (seed / 8 % 4 != 0) {
    criterion.routines.emplace();
    for (unsigned i = 0; i < 5; ++i) {
      const char* const names[] = {"u0", "u1", "u2", "u3", "poke"};
      if ((seed / 32 >> i) % 2 == 0) continue;
      criterion.routines->insert(*program.find_function(names[i]));
    }
  }
  criterion.arguments = seed % 5 != 0;
  return criterion;
}

TEST(Slice, DoesWhatTheProgramDoesOnRandomPrograms) {
  Statistics statistics;
  for (unsigned seed = 0; seed < test::scaled(1500); ++seed) {
    SCOPED_TRACE(seed);
    test::RandomProgramOptions options;
    options.recursion = seed % 3 == 0;
    options.pointers = seed % 7 == 1;
    ir::Program program = test::RandomProgram(seed, options).program;
    if (seed % 4 == 3) {
      program = *inline_calls(program, *program.find_function("f0")).program;
    }
    const Criterion criterion = random_criterion(program, seed);
    const ir::Program sliced =
        slice(program, *program.find_function("f0"), criterion);
    statistics.edges_before += num_edges(program);
    statistics.edges_after += num_edges(sliced);
    // Values may depend on how often they were asked for only where what asks
    // stays or goes as a whole.
    const bool counting = seed % 4 != 3 && !criterion.routines;
    for (unsigned run = 0; run < 3; ++run) {
      expect_same(program, sliced, criterion,
                  HashEnvironment(run * 1000 + seed, counting), statistics);
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(statistics.finished, test::scaled(1500));
  EXPECT_GT(statistics.actions, statistics.finished / 2);
  EXPECT_GT(statistics.endless, test::scaled(40));
  EXPECT_LT(statistics.edges_after, statistics.edges_before * 3 / 4);
  RecordProperty("edges_before", static_cast<int>(statistics.edges_before));
  RecordProperty("edges_after", static_cast<int>(statistics.edges_after));
}

}  // namespace
}  // namespace agon::analysis
