// SPDX-License-Identifier: Apache-2.0
// The six models of tests/data/fsp, with the numbers that LTSA gives for them.
#include <gtest/gtest.h>

#include "lts/bisimulation.h"
#include "unit/fsp/fixture.h"

namespace agon::fsp {
namespace {

using test::compile_file;
using test::size;
using test::trace_to_deadlock;
using test::trace_to_error;

struct Case {
  const char* file;
  const char* process;
  const char* size;
  const char* deadlock;
  const char* error;
};

constexpr const char* kNone = "unreachable";

class Examples : public testing::TestWithParam<Case> {};

TEST_P(Examples, HaveTheNumbersOfLtsa) {
  const Case& expected = GetParam();
  const lts::Lts lts = compile_file(expected.file, expected.process);
  if (expected.size != nullptr) {
    EXPECT_EQ(size(lts), expected.size);
  }
  EXPECT_EQ(trace_to_deadlock(lts), expected.deadlock);
  EXPECT_EQ(trace_to_error(lts), expected.error);
}

INSTANTIATE_TEST_SUITE_P(
    Fsp, Examples,
    testing::Values(Case{"ex1_crossing.lts", "CROSSING", "5/6", kNone, kNone},
                    Case{"ex1_crossing.lts", "CHECKED", "5/6", kNone, kNone},
                    Case{"ex1_crossing.lts", "NOCTRL", nullptr, kNone,
                         "near clear"},
                    Case{"ex2_pipeline.lts", "PIPE", "27/48", kNone, kNone},
                    Case{"ex2_pipeline.lts", "FIFO", "15/28", kNone, kNone},
                    Case{"ex2_pipeline.lts", "MIN", "15/28", kNone, kNone},
                    Case{"ex3_priority.lts", "EAGER", "7/8", kNone, kNone},
                    Case{"ex3_priority.lts", "LAZY", "13/20", kNone, kNone},
                    Case{"ex3_priority.lts", "URGENT", "6/6", kNone, kNone},
                    Case{"ex4_mutex.lts", "MUTEX", "10/12", kNone, kNone},
                    Case{"ex4_mutex.lts", "BROKEN", nullptr, kNone,
                         "u.1.acquire u.1.enter u.3.acquire u.3.enter"},
                    Case{"ex4_mutex.lts", "STARVE", "4/4", kNone, kNone},
                    Case{"ex5_sequence.lts", "ONCE", "7/7", kNone, kNone},
                    Case{"ex5_sequence.lts", "TWO", "49/98", kNone, kNone},
                    Case{"ex5_sequence.lts", "CLIENT", "7/7", kNone, kNone},
                    Case{"ex5_sequence.lts", "CLIENT2", "10/12",
                         "probe.0 probe.1 quit flush poweroff bye", kNone},
                    Case{"ex5_sequence.lts", "RESTART", "5/6", kNone, kNone},
                    Case{"ex6_router.lts", "ROUTER", "4/6", kNone, kNone},
                    Case{"ex6_router.lts", "LOSSY", "4/9", kNone, kNone},
                    Case{"ex6_router.lts", "DET", "4/15", kNone, kNone},
                    Case{"ex6_router.lts", "VIEW", "4/6", kNone, kNone},
                    Case{"ex6_router.lts", "DUP", "4/9", kNone, kNone},
                    Case{"ex6_router.lts", "BOTH", "7/9", "in.data", kNone}),
    [](const auto& test) { return std::string(test.param.process); });

TEST(FspExamples, BothDeadlocksInAnyOfThreeWays) {
  const lts::Lts both = compile_file("ex6_router.lts", "BOTH");
  EXPECT_EQ(lts::info(both).deadlocks, 3U);
}

TEST(FspExamples, ThePipelineIsMinimisedToTheQueue) {
  const lts::Lts min = compile_file("ex2_pipeline.lts", "MIN");
  const lts::Lts fifo = compile_file("ex2_pipeline.lts", "FIFO");
  EXPECT_EQ(test::show(min), test::show(fifo));
}

TEST(FspExamples, TheMachineEnds) {
  for (const char* process : {"ONCE", "TWO", "CLIENT"}) {
    SCOPED_TRACE(process);
    const lts::Lts lts = compile_file("ex5_sequence.lts", process);
    EXPECT_EQ(lts::info(lts).terminated, 1U);
  }
  EXPECT_EQ(lts::info(compile_file("ex5_sequence.lts", "CLIENT2")).terminated,
            0U);
}

TEST(FspExamples, TheLastCompositeIsTheDefault) {
  support::Context context;
  const Model model = Model::parse(
      support::Source::open(AGON_SOURCE_DIR "/tests/data/fsp/ex4_mutex.lts"),
      context);
  EXPECT_EQ(model.default_process(), "STARVE");
  ASSERT_EQ(model.processes().size(), 6U);
  EXPECT_EQ(model.processes()[2].name, "ONE");
  EXPECT_TRUE(model.processes()[2].is_property);
  EXPECT_FALSE(model.processes()[2].is_composite);
  EXPECT_TRUE(model.processes()[3].is_composite);
}

TEST(FspExamples, ProgressTestsAreExpanded) {
  support::Context context;
  const Model model = Model::parse(
      support::Source::open(AGON_SOURCE_DIR "/tests/data/fsp/ex4_mutex.lts"),
      context);
  const auto tests = model.progress_tests(context);
  ASSERT_EQ(tests.size(), 3U);
  EXPECT_EQ(tests[1].name, "FAIR.2");
  EXPECT_EQ(tests[1].actions, std::vector<std::string>{"u.2.enter"});
  EXPECT_FALSE(tests[1].conditional);
}

TEST(FspExamples, ParametersCanBeGiven) {
  EXPECT_EQ(size(compile_file("ex2_pipeline.lts", "PIPE(2)")), "9/14");
  EXPECT_EQ(size(compile_file("ex2_pipeline.lts", "PIPE")),
            size(compile_file("ex2_pipeline.lts", "PIPE(Cap)")));
}

}  // namespace
}  // namespace agon::fsp
