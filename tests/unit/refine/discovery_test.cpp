// SPDX-License-Identifier: Apache-2.0
// Predicates against plays that are not real.
#include "refine/discovery.h"

#include <gtest/gtest.h>

#include "helpers/build_program.h"
#include "refine/feasibility.h"
#include "term/substitute.h"
#include "unit/refine/subject.h"

namespace agon::refine {
namespace {

using abstraction::Answers;
using abstraction::Precision;
using smt::Answer;
using term::Term;
using test::Subject;

/// Whether the abstraction allows a play (SIM Fig. 11, CanPlay), and then what
/// it claims on the way.
class Admission {
 public:
  Admission(Subject& subject, const Precision& precision, Play& play)
      : subject_(subject), precision_(precision), play_(play) {}

  bool admits() {
    return any_step(0, subject_.steps.from(subject_.start, precision_),
                    subject_.start.constraints);
  }

 private:
  bool admits(std::uint32_t node, const Answers& values) {
    const ir::LocationId cut = play_.nodes[node].cut;
    return any_step(node, subject_.steps.from(cut, values, precision_),
                    subject_.steps.literals(cut, values, precision_));
  }

  bool any_step(std::uint32_t node, const std::vector<abstraction::Step>& steps,
                const std::vector<Term>& before) {
    for (const abstraction::Step& step : steps) {
      if (step.edge != play_.nodes[node].exit) continue;
      const ir::LocationId to = subject_.blocks.body().edge(step.edge).to;
      play_.nodes[node].before = before;
      play_.nodes[node].after =
          subject_.steps.literals(to, step.values, precision_);
      if (std::ranges::all_of(play_.nodes[node].children, [&](auto child) {
            return admits(child, step.values);
          })) {
        return true;
      }
    }
    return false;
  }

  Subject& subject_;
  const Precision& precision_;
  Play& play_;
};

/// Adds the first group that brings something new.
bool refine(Discovery& discovery, const Subject& subject, const Play& play,
            Precision& precision) {
  const auto& liveness = subject.execution.liveness();
  return discovery.propose(play, [&](const auto& group) {
    bool is_new = false;
    for (const Proposal& p : group) {
      EXPECT_TRUE(subject.blocks.is_cut(p.location));
      EXPECT_TRUE(p.predicate.sort().is_bool());
      EXPECT_FALSE(term::variables_of(p.predicate).empty());
      for (const Term v : term::variables_of(p.predicate)) {
        const ir::VariableId id = subject.program.variable_of(v);
        EXPECT_TRUE(id.valid() && liveness.is_live(p.location, id));
      }
      is_new |= precision.add(p.location, p.predicate);
    }
    return is_new;
  });
}

struct Counts {
  std::size_t ruled_out = 0;
  std::size_t at_once = 0;
  std::size_t trees = 0;
};

/// Refines until the play is not possible any more.
void rule_out(Subject& subject, Play play, bool families, Counts& counts) {
  Discovery discovery(subject.steps, subject.solutions, *subject.solver,
                      subject.start, {.families = families});
  Precision precision(subject.blocks.body().num_locations());
  if (!Admission(subject, precision, play).admits()) return;
  if (decide(play, subject.steps, subject.start, {}, *subject.solver).answer !=
      Answer::Unsat) {
    return;
  }
  constexpr int kEnough = 60;
  for (int round = 1; round < kEnough; ++round) {
    ASSERT_TRUE(refine(discovery, subject, play, precision))
        << "round " << round;
    if (testing::Test::HasFailure()) return;
    if (Admission(subject, precision, play).admits()) continue;
    ++counts.ruled_out;
    counts.at_once += round == 1 ? 1 : 0;
    counts.trees += play.is_linear() ? 0 : 1;
    return;
  }
  FAIL() << "not ruled out";
}

TEST(Discovery, RulesOutWhatIsNotReal) {
  test::Random random(19);
  Counts counts;
  for (std::size_t i = 0; counts.ruled_out < test::scaled(80); ++i) {
    const auto subject = test::random_subject(random, i);
    for (int k = 0; k < 4; ++k) {
      SCOPED_TRACE(testing::Message() << i << " " << k);
      const auto play = test::random_play(random, subject->blocks, 7);
      if (!play) break;
      rule_out(*subject, *play, i % 3 != 0, counts);
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(counts.trees, counts.ruled_out / 10);
  EXPECT_GT(counts.at_once, counts.ruled_out / 2);
}

/// Statements one after the other, each a block of its own, that cannot be run
/// to the end.
class Straight : public testing::Test {
 protected:
  Straight() : program(ir::DataModel::LP64) {
    program.files = {"c"};
    const ir::TypeId type = test::add_integer(program, "unsigned", 4);
    const ir::FunctionId f = test::add_function(program, "f");
    body.emplace(program, f);
    for (const char* const name : {"x", "y", "input"}) {
      variables.push_back(test::add_global(program, name, type));
    }
  }

  term::Pool& pool() { return *program.pool; }
  Term number(unsigned n) { return pool().bits(n, 32); }
  Term value(std::size_t i) { return program[variables[i]].term; }

  void rule_out_the_whole(const abstraction::Start& start) {
    body->leave();
    body->finish();
    Subject subject(std::move(program), abstraction::BlockMode::Single, start);
    Play play;
    ir::LocationId at = subject.blocks.body().entry();
    while (!subject.blocks.block(at).exits.empty()) {
      Play::Node node;
      node.cut = at;
      node.is_start = play.nodes.empty();
      node.exit = subject.blocks.block(at).exits.front();
      at = subject.blocks.body().edge(node.exit).to;
      play.nodes.push_back(node);
    }
    for (std::uint32_t i = 1; i < play.nodes.size(); ++i) {
      play.nodes[i - 1].children = {i};
    }
    Counts counts;
    rule_out(subject, play, true, counts);
    EXPECT_EQ(counts.ruled_out, 1U);
  }

  ir::Program program;
  std::optional<test::Body> body;
  std::vector<ir::VariableId> variables;
};

// What is needed is that y is less than 3, and no statement says so.
TEST_F(Straight, ComparesWhatAnInputIsComparedWith) {
  body->assign(variables[1], pool().bit_and(value(0), number(2)));
  body->add(ir::Havoc{variables[2], ir::HavocReason::Input, "?"});
  body->add(
      ir::Assume{pool().binary(term::Kind::ULessEqual, value(2), value(1))});
  body->add(ir::Assume{pool().equal(value(2), number(3))});
  rule_out_the_whole({});
}

// The sum is small because both parts are, and no statement names a bound.
TEST_F(Straight, FindsBoundsOfWhatMeetsAnInput) {
  body->assign(variables[1], pool().bit_and(value(1), number(3)));
  body->assign(variables[0], number(7));
  body->add(ir::Havoc{variables[2], ir::HavocReason::Input, "?"});
  body->assign(variables[2], pool().bit_and(value(2), number(3)));
  body->add(ir::Assume{
      pool().unsigned_less(number(6), pool().add(value(1), value(2)))});
  rule_out_the_whole({});
}

// Nothing is below y, but only as long as it is still 0.
TEST_F(Straight, RemembersWhatHeldAtTheStart) {
  body->assign(variables[0], number(7));
  body->add(ir::Havoc{variables[2], ir::HavocReason::Input, "?"});
  body->add(ir::Assume{pool().unsigned_less(value(2), value(1))});
  abstraction::Start start;
  start.values.set(variables[1], number(0));
  rule_out_the_whole(start);
}

}  // namespace
}  // namespace agon::refine
