// SPDX-License-Identifier: Apache-2.0
// Abstract steps against the steps of all states.
#include "abstraction/abstract_program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "smt/z3_solver.h"
#include "term/substitute.h"
#include "unit/abstraction/all_values.h"
#include "unit/abstraction/random_body.h"

namespace agon::abstraction {
namespace {

using term::Assignment;
using term::Term;

using Found = std::set<std::pair<ir::EdgeId, Answers>>;

/// A random program with random predicates.
class Subject {
 public:
  Subject(test::Random& random, std::size_t i)
      : program(test::RandomBody(random, shape(random, i)).build()),
        blocks(program, ir::FunctionId(0),
               i % 3 == 0 ? BlockMode::Single : BlockMode::Large),
        precision(blocks.body().num_locations()),
        solver_(smt::make_z3_solver()),
        execution_(blocks),
        solutions_(*program.pool, *solver_, context_),
        steps(blocks, execution_, solutions_),
        states(test::all_assignments(test::variables_of(program))) {
    test::RandomFormulas make(*program.pool, random);
    make.pairs = make.arithmetic = true;
    for (const Term v : test::variables_of(program)) make.add(v);
    for (const Block& block : blocks.all()) {
      std::vector<Term> some = make.formulas(3, 1);
      for (const Term v : test::variables_of(program)) {
        const Term number = program.pool->bits(random(), v.width());
        if (test::below(random, 3) > 0) continue;
        some.push_back(program.pool->equal(v, number));
      }
      for (const Term p : some) {
        const auto used = term::variables_of(p);
        const bool is_live = std::ranges::all_of(used, [&](Term v) {
          return execution_.liveness().is_live(block.start,
                                               program.variable_of(v));
        });
        if (is_live && !p.is_constant()) precision.add(block.start, p);
      }
    }
  }

  Answers values(ir::LocationId cut, const Assignment& state) const {
    Answers result;
    for (const Term p : precision.at(cut)) {
      result.push_back(test::holds(p, state));
    }
    return result;
  }

  /// All that can be done from a state up to the next cut.
  void run(ir::LocationId at, const Assignment& state, Found& found) const {
    for (const ir::EdgeId id : blocks.body().out_edges(at)) {
      const ir::Edge& edge = blocks.body().edge(id);
      for (const Assignment& after : results(edge, state)) {
        if (blocks.is_cut(edge.to)) {
          found.insert({id, values(edge.to, after)});
        } else {
          run(edge.to, after, found);
        }
      }
    }
  }

  ir::Program program;
  Blocks blocks;
  Precision precision;

 private:
  static test::BodyShape shape(test::Random& random, std::size_t i) {
    test::BodyShape result;
    result.locations = 4 + static_cast<unsigned>(test::below(random, 8));
    result.loops = i % 2 == 0;
    return result;
  }

  std::vector<Assignment> results(const ir::Edge& edge,
                                  const Assignment& state) const {
    std::vector<Assignment> result{state};
    if (const auto* test = std::get_if<ir::Assume>(&edge.statement)) {
      if (!test::holds(test->condition, state)) result.clear();
    } else if (const auto* assign = std::get_if<ir::Assign>(&edge.statement)) {
      result[0][program[assign->target].term] =
          term::evaluate(assign->value, state);
    } else if (const auto* havoc = std::get_if<ir::Havoc>(&edge.statement)) {
      const Term target = program[havoc->target].term;
      for (const auto& one : test::all_assignments(std::vector{target})) {
        result.push_back(state);
        result.back()[target] = one.at(target);
      }
    }
    return result;
  }

  support::Context context_;
  std::unique_ptr<smt::Solver> solver_;
  SymbolicExecution execution_;
  Solutions solutions_;

 public:
  AbstractSteps steps;
  std::vector<Assignment> states;
};

Found as_set(const std::vector<Step>& steps) {
  Found result;
  for (const Step& step : steps) {
    EXPECT_TRUE(result.insert({step.edge, step.values}).second) << "twice";
  }
  return result;
}

TEST(AbstractSteps, AreThoseOfTheStatesTheyStandFor) {
  test::Random random(22);
  std::size_t several = 0;
  for (std::size_t i = 0; i < test::scaled(60); ++i) {
    Subject subject(random, i);
    for (const Block& block : subject.blocks.all()) {
      SCOPED_TRACE(testing::Message() << i << " at " << block.start.value());
      std::map<Answers, Found> expected;
      for (const Assignment& state : subject.states) {
        subject.run(block.start, state,
                    expected[subject.values(block.start, state)]);
      }
      for (const auto& [values, found] : expected) {
        ASSERT_EQ(
            as_set(subject.steps.from(block.start, values, subject.precision)),
            found);
        several += found.size() > 1 ? 1 : 0;
      }
    }
  }
  EXPECT_GT(several, 20U);
}

TEST(AbstractSteps, BeginWhereTheProgramBegins) {
  test::Random random(23);
  std::size_t some = 0;
  for (std::size_t i = 0; i < test::scaled(60); ++i) {
    SCOPED_TRACE(i);
    Subject subject(random, i);
    Start start;
    std::vector<Term> known;
    for (const Term v : test::variables_of(subject.program)) {
      const Term constant = subject.program.pool->bits(random(), v.width());
      if (test::below(random, 2) == 0) {
        start.values.set(subject.program.variable_of(v), constant);
        known.push_back(subject.program.pool->equal(v, constant));
      } else if (test::below(random, 2) == 0) {
        start.constraints.push_back(subject.program.pool->negation(
            subject.program.pool->equal(v, constant)));
      }
    }
    Found expected;
    for (const Assignment& state : subject.states) {
      if (!test::hold(known, state) || !test::hold(start.constraints, state)) {
        continue;
      }
      subject.run(subject.blocks.body().entry(), state, expected);
    }
    ASSERT_EQ(as_set(subject.steps.from(start, subject.precision)), expected);
    some += expected.empty() ? 0 : 1;
  }
  EXPECT_GT(some, 20U);
}

// The system is what the steps say, with labels for actions.
TEST(AbstractProgram, ExpandsToAbstractSteps) {
  test::Random random(24);
  std::size_t actions = 0;
  for (std::size_t i = 0; i < test::scaled(60); ++i) {
    SCOPED_TRACE(i);
    Subject subject(random, i);
    const auto labels = std::make_shared<lts::LabelTable>();
    const std::vector<lts::Label> alphabet{labels->intern("a"),
                                           labels->intern("b")};
    const Start start;
    AbstractProgram model(subject.steps, start, subject.precision, labels,
                          alphabet);
    EXPECT_FALSE(model.location(model.initial()).valid());
    model.expand(model.initial());
    for (std::size_t s = 0; s < model.num_states() && s < 40; ++s) {
      const auto state = lts::State::at(s);
      const auto span = model.expand(state);
      const std::vector<lts::Transition> out(span.begin(), span.end());
      EXPECT_TRUE(std::ranges::is_sorted(out));
      EXPECT_EQ(std::ranges::adjacent_find(out), out.end());
      for (const lts::Transition t : out) {
        const ir::EdgeId edge = model.exit(state, t);
        EXPECT_EQ(model.location(t.target),
                  subject.blocks.body().edge(edge).to);
        const ir::FunctionId action = subject.blocks.action(edge);
        EXPECT_EQ(labels->name(t.label),
                  action.valid() ? subject.program[action].display : "tau");
        actions += action.valid() ? 1 : 0;
        EXPECT_EQ(model.literals(t.target).size(),
                  subject.precision.at(model.location(t.target)).size());
      }
    }
  }
  EXPECT_GT(actions, 20U);
}

}  // namespace
}  // namespace agon::abstraction
