// SPDX-License-Identifier: Apache-2.0
// Blocks run on terms, against running them on all values.
#include "abstraction/symbolic.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "unit/abstraction/all_values.h"
#include "unit/abstraction/random_body.h"

namespace agon::abstraction {
namespace {

using term::Assignment;
using term::Term;

/// One program and its blocks.
class Subject {
 public:
  Subject(ir::Program made, BlockMode mode)
      : program(std::move(made)),
        blocks(program, ir::FunctionId(0), mode),
        execution(blocks),
        stepper_(program) {
    for (std::size_t i = 0; i < blocks.body().edges().size(); ++i) {
      const auto* const havoc =
          std::get_if<ir::Havoc>(&blocks.body().edges()[i].statement);
      if (havoc == nullptr) continue;
      choices_[ir::EdgeId::at(i)] =
          program.pool->fresh("choice", program[havoc->target].term.sort());
    }
  }

  Term choice(ir::EdgeId edge) const { return choices_.at(edge); }
  SymbolicExecution::Choice choose() {
    return [this](ir::EdgeId edge) { return choice(edge); };
  }

  /// All values of variables and choices; some of them if there are too many.
  std::vector<Assignment> worlds(test::Random& random) {
    std::vector<Term> inputs = test::variables_of(program);
    for (const auto& [edge, term] : choices_) inputs.push_back(term);
    std::vector<Assignment> all = test::all_assignments(inputs);
    constexpr std::size_t kEnough = 128;
    while (all.size() > kEnough) {
      std::swap(all[test::below(random, all.size())], all.back());
      all.pop_back();
    }
    return all;
  }

  struct Run {
    std::vector<ir::EdgeId> path;  ///< Ends with the exit, if it leaves.
    bool leaves = false;
    Assignment after;
  };

  Run run(ir::LocationId cut, const Assignment& world) {
    test::Stepper::Chosen chosen;
    for (const auto& [edge, term] : choices_) chosen[edge] = world.at(term);
    Run result;
    result.after = world;
    for (ir::LocationId at = cut;;) {
      const auto edge = stepper_.step(at, result.after, chosen);
      if (!edge) return result;
      result.path.push_back(*edge);
      at = blocks.body().edge(*edge).to;
      if (blocks.is_cut(at) || std::holds_alternative<ir::Call>(
                                   blocks.body().edge(*edge).statement)) {
        result.leaves = true;
        return result;
      }
    }
  }

  /// What is live after an exit must have the values of the run.
  void compare(const Exit& exit, const Run& run, const Assignment& world) {
    const ir::LocationId to = blocks.body().edge(exit.edge).to;
    for (std::size_t i = 0; i < program.variables.size(); ++i) {
      const auto v = ir::VariableId::at(i);
      const Term own = program[v].term;
      if (own.sort().is_array() || !execution.liveness().is_live(to, v)) {
        EXPECT_FALSE(exit.values.find(v).valid());
        continue;
      }
      const Term value =
          exit.values.find(v).valid() ? exit.values.find(v) : own;
      EXPECT_TRUE(term::evaluate(value, world) == run.after.at(own));
    }
  }

  ir::Program program;
  Blocks blocks;
  SymbolicExecution execution;

 private:
  test::Stepper stepper_;
  std::map<ir::EdgeId, Term> choices_;
};

Subject random_subject(test::Random& random, std::size_t i) {
  test::BodyShape shape;
  shape.locations = 4 + static_cast<unsigned>(test::below(random, 20));
  shape.width = 2 + static_cast<unsigned>(test::below(random, 2));
  shape.depth = static_cast<unsigned>(test::below(random, 3));
  shape.actions = i % 2 == 0 ? 1 : 2;
  shape.loops = i % 3 == 2;
  return {test::RandomBody(random, shape).build(),
          i % 7 == 6 ? BlockMode::Single : BlockMode::Large};
}

/// The exits that a world takes: none, or the one that its run takes.
void check_world(Subject& subject, const std::vector<Exit>& exits,
                 const Subject::Run& run, const Assignment& world) {
  const Exit* taken = nullptr;
  for (const Exit& exit : exits) {
    if (!test::hold(exit.guard, world)) continue;
    EXPECT_EQ(taken, nullptr) << "two exits at once";
    taken = &exit;
  }
  ASSERT_EQ(taken != nullptr, run.leaves);
  if (taken == nullptr) return;
  ASSERT_EQ(taken->edge, run.path.back());
  subject.compare(*taken, run, world);
}

TEST(Symbolic, ExitsAreThoseOfAllRuns) {
  test::Random random(4);
  std::size_t taken = 0;
  std::size_t long_guards = 0;
  for (std::size_t i = 0; i < test::scaled(150); ++i) {
    Subject subject = random_subject(random, i);
    const auto worlds = subject.worlds(random);
    for (const Block& block : subject.blocks.all()) {
      SCOPED_TRACE(testing::Message() << i << " at " << block.start.value());
      const auto exits =
          subject.execution.run(block.start, {}, subject.choose());
      for (const Exit& exit : exits) long_guards += exit.guard.size() > 1;
      for (const Assignment& world : worlds) {
        const auto run = subject.run(block.start, world);
        taken += run.leaves ? 1 : 0;
        check_world(subject, exits, run, world);
        if (testing::Test::HasFailure()) return;
      }
    }
  }
  EXPECT_GT(taken, 1000U);
  EXPECT_GT(long_guards, 100U);
}

TEST(Symbolic, ConstantsAtTheStartChangeNothingElse) {
  test::Random random(5);
  std::size_t fewer = 0;
  for (std::size_t i = 0; i < test::scaled(100); ++i) {
    Subject subject = random_subject(random, i);
    const auto worlds = subject.worlds(random);
    for (const Block& block : subject.blocks.all()) {
      SCOPED_TRACE(testing::Message() << i << " at " << block.start.value());
      // Some variables hold what they hold in some world.
      const Assignment& like = worlds[test::below(random, worlds.size())];
      Values start;
      std::vector<Term> fixed;
      for (const Term v : test::variables_of(subject.program)) {
        if (test::below(random, 2) == 0) continue;
        const Term value = subject.program.pool->bits(
            static_cast<term::Bits>(like.at(v).number), v.width());
        start.set(subject.program.variable_of(v), value);
        fixed.push_back(subject.program.pool->equal(v, value));
      }
      const auto exits =
          subject.execution.run(block.start, start, subject.choose());
      fewer += exits.size() < block.exits.size() ? 1 : 0;
      for (const Assignment& world : worlds) {
        if (!test::hold(fixed, world)) continue;
        check_world(subject, exits, subject.run(block.start, world), world);
        if (testing::Test::HasFailure()) return;
      }
    }
  }
  EXPECT_GT(fewer, 10U);
}

TEST(Symbolic, OneExitIsTheSameAlone) {
  test::Random random(6);
  for (std::size_t i = 0; i < test::scaled(80); ++i) {
    Subject subject = random_subject(random, i);
    const auto worlds = subject.worlds(random);
    for (const Block& block : subject.blocks.all()) {
      for (const ir::EdgeId only : block.exits) {
        SCOPED_TRACE(testing::Message() << i << " " << only.value());
        const auto exits =
            subject.execution.run(block.start, {}, subject.choose(), only);
        ASSERT_LE(exits.size(), 1U);
        for (const Assignment& world : worlds) {
          Subject::Run run = subject.run(block.start, world);
          run.leaves = run.leaves && run.path.back() == only;
          check_world(subject, exits, run, world);
          if (testing::Test::HasFailure()) return;
        }
      }
    }
  }
}

TEST(Symbolic, APathIsFollowedByThoseWhoTakeIt) {
  test::Random random(7);
  std::size_t followed = 0;
  for (std::size_t i = 0; i < test::scaled(60); ++i) {
    Subject subject = random_subject(random, i);
    const auto worlds = subject.worlds(random);
    for (const Block& block : subject.blocks.all()) {
      SCOPED_TRACE(testing::Message() << i << " at " << block.start.value());
      std::map<std::vector<ir::EdgeId>, std::vector<const Assignment*>> paths;
      for (const Assignment& world : worlds) {
        const auto run = subject.run(block.start, world);
        if (run.leaves) paths[run.path].push_back(&world);
      }
      for (const auto& [path, takers] : paths) {
        ++followed;
        const Exit exit = subject.execution.follow(path, {}, subject.choose());
        EXPECT_EQ(exit.edge, path.back());
        for (const Assignment& world : worlds) {
          const bool takes = std::ranges::count(takers, &world) > 0;
          EXPECT_EQ(test::hold(exit.guard, world), takes);
          if (!takes) continue;
          subject.compare(exit, subject.run(block.start, world), world);
        }
        if (testing::Test::HasFailure()) return;
      }
    }
  }
  EXPECT_GT(followed, 100U);
}

}  // namespace
}  // namespace agon::abstraction
