// SPDX-License-Identifier: Apache-2.0
// Is a counterexample real? Forward, backward, and by trying everything.
#include "refine/feasibility.h"

#include <gtest/gtest.h>

#include "refine/vercon.h"
#include "term/substitute.h"
#include "unit/refine/subject.h"

namespace agon::refine {
namespace {

using smt::Answer;
using term::Assignment;
using term::Term;
using test::Subject;

/// Backward, from the formula.
Answer by_vercon(Subject& subject, const Play& play) {
  term::Pool& pool = *subject.program.pool;
  smt::Solver& solver = *subject.solver;
  solver.push();
  solver.add(verification_condition(play, subject.blocks));
  for (const Term t : subject.start.constraints) solver.add(t);
  for (const auto& [variable, value] : subject.start.values.entries()) {
    solver.add(pool.equal(subject.program[variable].term, value));
  }
  const Answer answer = solver.check();
  solver.pop();
  return answer;
}

bool branches(const Play& play) { return !play.is_linear(); }

TEST(Feasibility, IsWhatTryingEverythingSays) {
  test::Random random(16);
  std::size_t plays = 0;
  std::size_t real[2] = {0, 0};
  std::size_t unreal[2] = {0, 0};
  for (std::size_t i = 0; plays < test::scaled(300); ++i) {
    const auto subject = test::random_subject(random, i);
    for (int k = 0; k < 4; ++k) {
      SCOPED_TRACE(testing::Message() << i << " " << k);
      const auto play = test::random_play(random, subject->blocks, 8);
      if (!play) break;
      ++plays;
      const test::Player player(subject->blocks, *play);
      const bool expected = std::ranges::any_of(
          subject->starts,
          [&](const Assignment& s) { return player.can_play(0, s); });
      ++(expected ? real : unreal)[branches(*play) ? 1 : 0];
      const Answer answer = expected ? Answer::Sat : Answer::Unsat;
      const auto found =
          decide(*play, subject->steps, subject->start, {}, *subject->solver);
      ASSERT_EQ(found.answer, answer);
      ASSERT_EQ(by_vercon(*subject, *play), answer);
    }
  }
  for (const std::size_t b : {0U, 1U}) {
    EXPECT_GT(real[b], 20U);
    EXPECT_GT(unreal[b], 20U);
  }
}

// More than whether there is a start: which ones do.
TEST(Vercon, DescribesTheStatesFromWhichAPlayCanBePlayed) {
  test::Random random(17);
  std::size_t some = 0;
  for (std::size_t i = 0; i < test::scaled(100); ++i) {
    SCOPED_TRACE(i);
    const auto subject = test::random_subject(random, i);
    const auto play = test::random_play(random, subject->blocks, 6);
    if (!play) continue;
    const Term condition = verification_condition(*play, subject->blocks);
    const test::Player player(subject->blocks, *play);
    // What it has besides variables are inputs.
    std::vector<Term> inputs;
    for (const Term v : term::variables_of(condition)) {
      if (!subject->program.variable_of(v).valid()) inputs.push_back(v);
    }
    if (inputs.size() > 4) continue;
    const auto choices = test::all_assignments(inputs);
    std::size_t count = 0;
    for (const Assignment& state :
         test::all_assignments(test::variables_of(subject->program))) {
      const bool holds = std::ranges::any_of(choices, [&](Assignment world) {
        world.insert(state.begin(), state.end());
        return test::holds(condition, world);
      });
      ASSERT_EQ(holds, player.can_play(0, state));
      count += holds ? 1 : 0;
    }
    some += count > 0 && count < 64 ? 1 : 0;
  }
  EXPECT_GT(some, 10U);
}

/// The exits of the nodes on the way to each leaf, in order of the leaves.
std::vector<std::vector<ir::EdgeId>> branches_of(const Play& play) {
  std::vector<std::vector<ir::EdgeId>> way(play.nodes.size());
  std::vector<std::vector<ir::EdgeId>> result;
  for (std::size_t i = 0; i < play.nodes.size(); ++i) {
    way[i].push_back(play.nodes[i].exit);
    for (const std::uint32_t child : play.nodes[i].children) {
      way[child] = way[i];
    }
    if (play.nodes[i].children.empty()) result.push_back(way[i]);
  }
  return result;
}

/// Follows an execution step by step; the exits that it takes.
std::vector<ir::EdgeId> follow(const Subject& subject, Assignment state,
                               const Execution& execution) {
  const test::Stepper stepper(subject.program);
  const ir::Cfa& body = subject.blocks.body();
  std::vector<ir::EdgeId> exits;
  ir::LocationId at = body.entry();
  for (const auto& [id, value] : execution.steps) {
    const ir::Statement& statement = body.edge(id).statement;
    const auto* const havoc = std::get_if<ir::Havoc>(&statement);
    const auto* const assign = std::get_if<ir::Assign>(&statement);
    const bool is_used =
        assign != nullptr &&
        subject.execution.liveness().is_live(body.edge(id).to, assign->target);
    EXPECT_EQ(value.has_value(), havoc != nullptr || is_used);
    test::Stepper::Chosen chosen;
    if (havoc != nullptr) chosen[id] = *value;
    EXPECT_EQ(stepper.step(at, state, chosen), id);
    if (is_used) {
      EXPECT_TRUE(state.at(subject.program[assign->target].term) == *value);
    }
    at = body.edge(id).to;
    if (subject.blocks.is_cut(at) || subject.blocks.action(id).valid()) {
      exits.push_back(id);
    }
  }
  return exits;
}

TEST(Feasibility, GivesExecutionsThatCanBeRun) {
  test::Random random(18);
  std::size_t real = 0;
  for (std::size_t i = 0; real < test::scaled(60); ++i) {
    SCOPED_TRACE(i);
    const auto subject = test::random_subject(random, i);
    const auto play = test::random_play(random, subject->blocks, 8);
    if (!play) continue;
    const auto found =
        decide(*play, subject->steps, subject->start, {}, *subject->solver);
    if (found.answer != Answer::Sat) continue;
    ++real;
    Assignment state;
    for (const Term v : test::variables_of(subject->program)) {
      const Term known =
          subject->start.values.find(subject->program.variable_of(v));
      state[v] = term::evaluate(known.valid() ? known : v, found.initial);
    }
    ASSERT_TRUE(subject->may_start(state));
    const auto expected = branches_of(*play);
    ASSERT_EQ(found.executions.size(), expected.size());
    for (std::size_t k = 0; k < expected.size(); ++k) {
      ASSERT_EQ(follow(*subject, state, found.executions[k]), expected[k]);
    }
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace agon::refine
