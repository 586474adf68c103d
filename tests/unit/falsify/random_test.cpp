// SPDX-License-Identifier: Apache-2.0
/// Random programs: nothing is falsified that is not false.
#include <gtest/gtest.h>
#include <chrono>

#include "falsify/falsify.h"
#include "ir/print.h"
#include "smt/z3_solver.h"
#include "unit/falsify/random_body.h"

namespace agon::falsify {
namespace {

using test::Random;

struct Tally {
  std::size_t programs = 0;
  std::size_t falsified = 0;
  std::size_t by_loops = 0;  ///< Not without the rule for loops.
  std::size_t unreplayed = 0;
  double t = 0;
};

TEST(RandomFalsification, NeverFalsifiesWhatIsSafe) {
  const char* const domains[] = {"sign",          "interval",
                                 "sign+interval", "predicates",
                                 "sign",          "interval+predicates"};
  std::map<std::string, Tally> tallies;
  std::size_t safe = 0;
  for (std::size_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const ir::Program program = test::RandomFalsifiable(random).build();
    const auto start = test::RandomFalsifiable::start(random, program);
    const bool is_false = test::ConcreteGame(program, start).falsifier_wins();
    safe += is_false ? 0 : 1;
    const auto solver = smt::make_z3_solver();
    support::Context context;
    Options options;
    options.domain = domains[seed % std::size(domains)];
    options.choices = seed % 7 == 0 ? Choices::Generators : Choices::Values;
    options.model.values_per_location = 1 + test::below(random, 30);
    for (const bool must : {false, true}) {
      options.must = must;
      options.loops = true;
      options.max_steps = 10000;
      const Question question{program, ir::FunctionId(0), start};
      const auto t0 = std::chrono::steady_clock::now();
      const Result result = falsify(question, options, *solver, context);
      tallies[options.domain + (must ? " must" : "")].t += std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count();
      ASSERT_TRUE(is_false || !result.wins)
          << options.domain << must << "\n"
          << ir::print_function(program, ir::FunctionId(0));
      if (!is_false) continue;
      Tally& tally = tallies[options.domain + (must ? " must" : "")];
      ++tally.programs;
      tally.falsified += result.wins ? 1 : 0;
      if (!result.wins) continue;
      tally.unreplayed += result.execution ? 0 : 1;
      if (!result.execution) std::printf("UNREPLAYED %zu %s %d: %s\n", seed, options.domain.c_str(), must, result.reason.c_str());
      options.loops = false;
      const Result plain = falsify(question, options, *solver, context);
      tally.by_loops += plain.wins ? 0 : 1;
    }
  }
  EXPECT_GT(safe, test::scaled(1500) / 5);
  for (const auto& [name, tally] : tallies) {
    if (std::getenv("AGON_TEST_SCALE") != nullptr) {
      std::printf("%-28s %zu of %zu falsified, %zu by loops, %zu unreplayed %f s\n",
                  name.c_str(), tally.falsified, tally.programs, tally.by_loops,
                  tally.unreplayed, tally.t);
    }
    EXPECT_GT(tally.falsified, tally.programs / 4) << name;
    EXPECT_GT(tally.by_loops, 0U) << name;
  }
}

}  // namespace
}  // namespace agon::falsify
