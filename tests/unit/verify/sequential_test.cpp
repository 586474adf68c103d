// SPDX-License-Identifier: Apache-2.0
// The loop, on the running example of the papers.
#include "verify/sequential.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "abstraction/abstract_program.h"
#include "abstraction/predicate_inference.h"
#include "game/simulation.h"
#include "helpers/build_program.h"
#include "lts/explore.h"
#include "smt/z3_solver.h"
#include "verify/start.h"

namespace agon::verify {
namespace {

using abstraction::BlockMode;
using support::Verdict;
using term::Term;

/// Programs of actions, and systems with the same.
class SequentialTest : public testing::Test {
 protected:
  SequentialTest() : program(ir::DataModel::LP64) {
    program.files = {"c"};
    type = test::add_integer(program, "int", 4);
    entry = test::add_function(program, "proc");
    body.emplace(program, entry);
  }

  void perform(const std::string& action) {
    const auto [at, is_new] = actions.try_emplace(action);
    if (is_new) {
      at->second = test::add_function(program, action, {}, false);
      program.functions[at->second.index()].is_action = true;
    }
    body->add(ir::Call{at->second, {}, {}, {}, {}});
  }

  Term number(unsigned n) { return program.pool->bits(n, 32); }
  Term value(ir::VariableId v) { return program[v].term; }

  /// SIM Fig. 6 and TWO Fig. 2, where y starts as 8.
  void write_example(unsigned start) {
    const ir::VariableId x = body->local("x", type);
    y = body->local("y", type);
    body->add(ir::Havoc{x, ir::HavocReason::Uninitialised, ""});
    body->assign(y, number(start));
    const auto other = body->branch(program.pool->equal(value(x), number(0)));
    perform("a");
    finish_arm(program.pool->signed_less(value(y), number(10)), "0", "1");
    body->here = other;
    perform("b");
    finish_arm(program.pool->signed_less(number(5), value(y)), "2", "3");
    body->finish();
  }

  void finish_arm(Term condition, const char* yes, const char* no) {
    const auto other = body->branch(condition);
    perform(std::string("return ") + yes);
    body->leave();
    body->here = other;
    perform(std::string("return ") + no);
    body->leave();
  }

  /// s = 0; flag = 0;
  /// while (1) switch (s) {
  ///   case 0: s = 1; break;
  ///   case 1: first; s = 2; break;
  ///   case 2: second; s = flag == 0 ? 0 : 3; break;
  ///   case 3: bad; return;
  /// }
  void write_machine(const char* first, const char* second) {
    const ir::VariableId s = body->local("s", type);
    const ir::VariableId flag = body->local("flag", type);
    body->assign(s, number(0));
    body->assign(flag, number(0));
    const ir::LocationId loop = body->here;
    const Term is_off = program.pool->equal(value(flag), number(0));
    const std::vector<std::pair<const char*, Term>> cases{
        {nullptr, number(1)},
        {first, number(2)},
        {second, program.pool->ite(is_off, number(0), number(3))}};
    for (unsigned i = 0; i < cases.size(); ++i) {
      const auto other = body->branch(program.pool->equal(value(s), number(i)));
      if (cases[i].first != nullptr) perform(cases[i].first);
      body->assign(s, cases[i].second);
      body->go_to(loop);
      body->here = other;
    }
    const auto other = body->branch(program.pool->equal(value(s), number(3)));
    perform("bad");
    body->leave();
    body->here = other;
    body->leave();
    body->finish();
  }

  /// Words, each from the initial state.
  lts::Lts words(const std::vector<std::vector<std::string>>& all) {
    lts::LtsBuilder builder(std::make_shared<lts::LabelTable>());
    builder.set_initial(builder.add_state());
    for (const auto& word : all) {
      lts::State at(0);
      for (const std::string& letter : word) {
        const lts::State next = builder.add_state();
        builder.add_transition(at, builder.labels()->intern(letter), next);
        at = next;
      }
    }
    for (const auto& [name, id] : actions) {
      builder.extend_alphabet(builder.labels()->intern(name));
    }
    return std::move(builder).build();
  }
  lts::Lts example_spec() {
    return words({{"a", "return 0"}, {"b", "return 2"}});
  }

  /// a, b, a, b, …, and nothing bad.
  static lts::Lts alternation() {
    lts::LtsBuilder builder(std::make_shared<lts::LabelTable>());
    const lts::State before = builder.add_state();
    const lts::State after = builder.add_state();
    builder.set_initial(before);
    builder.add_transition(before, builder.labels()->intern("a"), after);
    builder.add_transition(after, builder.labels()->intern("b"), before);
    builder.extend_alphabet(builder.labels()->intern("bad"));
    return std::move(builder).build();
  }

  evidence::Result decide(const lts::Lts& spec, const Options& options = {}) {
    return verify::decide({program, entry, spec}, options, *solver, context);
  }

  ir::Program program;
  ir::TypeId type;
  ir::FunctionId entry;
  std::optional<test::Body> body;
  std::map<std::string, ir::FunctionId> actions;
  ir::VariableId y;
  std::unique_ptr<smt::Solver> solver = smt::make_z3_solver();
  support::Context context;
};

// SIM Example 6.
TEST_F(SequentialTest, TheExampleNeedsBothPredicates) {
  write_example(8);
  const lts::Lts spec = example_spec();
  abstraction::Blocks blocks(program, entry, BlockMode::Single);
  abstraction::SymbolicExecution execution(blocks);
  abstraction::Solutions solutions(*program.pool, *solver, context);
  abstraction::AbstractSteps steps(blocks, execution, solutions);
  const abstraction::Start start = start_of(program);
  const Term less = program.pool->signed_less(value(y), number(10));
  const Term more = program.pool->signed_less(number(5), value(y));
  const auto verdict = [&](const std::vector<Term>& seeds) {
    const auto precision =
        abstraction::PredicateInference(blocks, execution.liveness())
            .infer(seeds);
    abstraction::AbstractProgram model(steps, start, precision, spec.labels(),
                                       spec.alphabet());
    lts::ExplicitSuccessors right(spec);
    return game::simulate(model, right, game::Semantics::Weak, {}, context)
        .verdict;
  };
  EXPECT_EQ(verdict({}), Verdict::Violated);
  EXPECT_EQ(verdict({less}), Verdict::Violated);
  EXPECT_EQ(verdict({more}), Verdict::Violated);
  EXPECT_EQ(verdict({less, more}), Verdict::Holds);
}

std::vector<Options> all_options() {
  std::vector<Options> result;
  for (const auto conformance :
       {Conformance::Auto, Conformance::Simulation, Conformance::Trace}) {
    for (const auto blocks : {BlockMode::Single, BlockMode::Large}) {
      for (const auto predicates :
           {refine::PredicateSource::WeakestPreconditions,
            refine::PredicateSource::Branches}) {
        Options options;
        options.conformance = conformance;
        options.blocks = blocks;
        options.refinement.predicates = predicates;
        options.unrolling = 0;
        result.push_back(options);
      }
    }
  }
  return result;
}

TEST_F(SequentialTest, FindsThePredicatesOfTheExample) {
  write_example(8);
  for (const Options& options : all_options()) {
    const evidence::Result result = decide(example_spec(), options);
    EXPECT_EQ(result.verdict, Verdict::Holds) << result.reason;
    EXPECT_GT(result.iterations, 1U);
    for (const char* const needed : {"y < 10", "y > 5"}) {
      EXPECT_EQ(std::ranges::count(result.predicates, needed), 1) << needed;
    }
    EXPECT_FALSE(result.counterexample.has_value());
    EXPECT_TRUE(result.never_performed.empty());
  }
}

TEST_F(SequentialTest, LeavesOutStatesThatDoNotMatter) {
  write_machine(nullptr, nullptr);
  const evidence::Result result = decide(words({}));
  ASSERT_EQ(result.verdict, Verdict::Holds) << result.reason;
  EXPECT_EQ(result.predicates,
            (std::vector<std::string>{"flag == 0", "s == 3"}));
}

TEST_F(SequentialTest, KeepsStatesThatMatter) {
  write_machine("a", "b");
  const evidence::Result result = decide(alternation());
  ASSERT_EQ(result.verdict, Verdict::Holds) << result.reason;
  for (const char* const needed : {"s == 0", "s == 1", "s == 2"}) {
    EXPECT_EQ(std::ranges::count(result.predicates, needed), 1) << needed;
  }
  // One of the others is true at each state.
  EXPECT_EQ(std::ranges::count(result.predicates, "s == 3"), 0);
}

TEST_F(SequentialTest, LeavesOutStatesThatAViolationNeverMet) {
  write_machine("a", "b");
  Options options;
  options.unrolling = 0;
  const evidence::Result result = decide(words({{"a", "b"}}), options);
  ASSERT_EQ(result.verdict, Verdict::Violated) << result.reason;
  for (const char* const needed : {"s == 0", "s == 1", "s == 2"}) {
    EXPECT_EQ(std::ranges::count(result.predicates, needed), 1) << needed;
  }
  EXPECT_EQ(std::ranges::count(result.predicates, "s == 3"), 0);
}

// s = 0;
// while (1) switch (s) {
//   case 0: a; s = any; if (s <= 9) return; break;
//   case 1: case 2: case 3: bad; return;
//   default: b; s = 0;
// }
TEST_F(SequentialTest, KeepsStatesThatNoOtherComparisonRulesOut) {
  const ir::VariableId s = body->local("s", type);
  body->assign(s, number(0));
  const ir::LocationId loop = body->here;
  auto other = body->branch(program.pool->equal(value(s), number(0)));
  perform("a");
  body->add(ir::Havoc{s, ir::HavocReason::Uninitialised, ""});
  const auto small =
      body->branch(program.pool->unsigned_less(number(9), value(s)));
  body->go_to(loop);
  body->here = small;
  body->leave();
  for (unsigned i = 1; i <= 3; ++i) {
    body->here = other;
    other = body->branch(program.pool->equal(value(s), number(i)));
    perform("bad");
    body->leave();
  }
  body->here = other;
  perform("b");
  body->assign(s, number(0));
  body->go_to(loop);
  body->finish();
  const evidence::Result result = decide(alternation());
  ASSERT_EQ(result.verdict, Verdict::Holds) << result.reason;
  for (const char* const needed : {"s == 1", "s == 2", "s == 3"}) {
    EXPECT_EQ(std::ranges::count(result.predicates, needed), 1) << needed;
  }
}

// Each arm of the example is one way to win, and needs one predicate.
TEST_F(SequentialTest, RefinesOnSeveralStrategiesAtOnce) {
  write_example(8);
  for (const auto minimise : {refine::Minimise::None, refine::Minimise::Greedy,
                              refine::Minimise::Optimal}) {
    Options options;
    options.refinement.minimise = minimise;
    EXPECT_EQ(decide(example_spec(), options).iterations, 3U);
    for (const std::size_t count : {2U, 15U}) {
      options.counterexamples = count;
      const evidence::Result result = decide(example_spec(), options);
      EXPECT_EQ(result.verdict, Verdict::Holds) << result.reason;
      EXPECT_EQ(result.iterations, 2U);
      EXPECT_EQ(result.predicates.size(), 2U);
    }
  }
}

TEST_F(SequentialTest, ThePublishedAlgorithmAsksForEverythingAgain) {
  write_example(8);
  const Options published = as_published({});
  Options reuses = published;
  reuses.reuses_answers = true;
  Options quick = published;
  quick.layers.set_quick(true);
  const auto calls = [&](const Options& options) {
    const evidence::Result result = decide(example_spec(), options);
    EXPECT_EQ(result.verdict, Verdict::Holds) << result.reason;
    return result.solver_calls;
  };
  const auto asked = calls(published);
  EXPECT_EQ(context.statistics()["abstraction.boundary_answers"], 0U);
  EXPECT_LT(calls(reuses), asked);
  EXPECT_LT(calls(quick), asked);
  EXPECT_GT(context.statistics()["abstraction.boundary_answers"], 0U);
}

TEST_F(SequentialTest, ThePublishedAlgorithmBuildsTheWholeModel) {
  write_example(8);
  const lts::Lts nothing = words({});
  Options lazy = as_published({});
  lazy.expansion = Expansion::Lazy;
  const evidence::Result part = decide(nothing, lazy);
  const evidence::Result whole = decide(nothing, as_published({}));
  EXPECT_EQ(part.verdict, Verdict::Violated);
  EXPECT_EQ(whole.verdict, Verdict::Violated);
  EXPECT_LT(part.states, whole.states);
}

TEST_F(SequentialTest, FindsWhatIsWrongWithAnotherStart) {
  write_example(12);
  for (const Options& options : all_options()) {
    const evidence::Result result = decide(example_spec(), options);
    ASSERT_EQ(result.verdict, Verdict::Violated) << result.reason;
    EXPECT_EQ(result.counterexample->actions,
              (std::vector<std::string>{"a", "return 1"}));
  }
}

TEST_F(SequentialTest, SaysWhatNeverHappens) {
  write_example(8);
  const auto result =
      decide(words({{"a", "return 0"}, {"b", "return 2"}, {"c"}}));
  EXPECT_EQ(result.verdict, Verdict::Holds);
  EXPECT_EQ(result.never_performed, std::vector<std::string>{"c"});
  EXPECT_FALSE(result.is_vacuous);
}

TEST_F(SequentialTest, GivesUpAfterSomeIterations) {
  write_example(8);
  const std::size_t needed = decide(example_spec()).iterations;
  for (std::size_t limit = 1; limit <= needed; ++limit) {
    Options options;
    options.max_iterations = limit;
    const evidence::Result result = decide(example_spec(), options);
    EXPECT_EQ(result.iterations, limit);
    EXPECT_EQ(result.verdict,
              limit < needed ? Verdict::Unknown : Verdict::Holds);
    EXPECT_EQ(result.reason.empty(), limit == needed);
  }
}

TEST_F(SequentialTest, PlaysEachModelAsTheGameOfAFalsifier) {
  write_example(8);
  const evidence::Result result = decide(example_spec());
  ASSERT_GT(result.iterations, 1U);
  // The last one needs no game: it proves that nothing is wrong.
  EXPECT_EQ(context.statistics()["falsification.models"],
            result.iterations - 1);
}

TEST_F(SequentialTest, StopsWhenItIsTold) {
  write_example(8);
  context.request_stop();
  const evidence::Result result = decide(example_spec());
  EXPECT_EQ(result.verdict, Verdict::Unknown);
  EXPECT_EQ(result.reason, "interrupted");
}

// The specification chooses too early to simulate, but has the traces.
TEST_F(SequentialTest, AsksForTracesWhereSimulationFails) {
  const ir::VariableId x = body->local("x", type);
  perform("a");
  body->add(ir::Havoc{x, ir::HavocReason::Input, "?"});
  finish_arm(program.pool->equal(value(x), number(0)), "0", "1");
  body->finish();
  const lts::Lts spec = words({{"a", "return 0"}, {"a", "return 1"}});
  const std::map<Conformance, Verdict> expected{
      {Conformance::Auto, Verdict::Holds},
      {Conformance::Simulation, Verdict::Violated},
      {Conformance::Trace, Verdict::Holds}};
  for (const Options& options : all_options()) {
    const evidence::Result result = decide(spec, options);
    EXPECT_EQ(result.verdict, expected.at(options.conformance));
    const bool by_game = options.conformance == Conformance::Simulation;
    EXPECT_EQ(result.decided_by, by_game ? "simulation" : "trace");
    if (!by_game) continue;
    // After a both answers lead to a loss, each to another.
    ASSERT_TRUE(result.counterexample.has_value());
    EXPECT_TRUE(std::ranges::any_of(
        result.counterexample->strategy,
        [](const auto& node) { return node.children.size() == 2; }));
  }
}

/// All transitions of a system, as (source, label, target).
using Edges = std::set<std::tuple<std::uint32_t, std::string, std::uint32_t>>;

TEST_F(SequentialTest, ShowsTheModelThatTheAnswerWasFoundOn) {
  write_example(8);
  const lts::Lts spec = example_spec();
  for (Options options : all_options()) {
    Edges expected;
    options.on_model = [&](lts::Successors& model) {
      const lts::Lts whole = lts::explore(model, context);
      for (std::uint32_t s = 0; s < whole.num_states(); ++s) {
        for (const lts::Transition t : whole.out(lts::State(s))) {
          expected.emplace(s, whole.labels()->name(t.label), t.target.value());
        }
      }
    };
    options.detail = evidence::Detail::Model;
    const evidence::Result result = decide(spec, options);
    ASSERT_EQ(result.verdict, Verdict::Holds);
    ASSERT_EQ(result.models.size(), 1U);
    const evidence::Model& model = result.models[0];
    EXPECT_EQ(model.states.size(), result.states);
    Edges shown;
    for (const auto& t : model.transitions) {
      shown.emplace(t.from, model.labels[t.label], t.to);
      EXPECT_TRUE(model.states[t.from].is_explored);
    }
    EXPECT_EQ(shown.size(), expected.size());
    for (const evidence::Model::State& state : model.states) {
      EXPECT_EQ(state.values.size(), model.cuts[state.cut].predicates.size());
    }
  }
}

TEST_F(SequentialTest, TellsWhereItsPredicatesCameFrom) {
  write_example(8);
  const lts::Lts spec = example_spec();
  for (Options options : all_options()) {
    EXPECT_TRUE(decide(spec, options).history.empty());
    options.detail = evidence::Detail::History;
    const evidence::Result result = decide(spec, options);
    EXPECT_TRUE(result.models.empty());
    ASSERT_EQ(result.history.size(), result.iterations);
    EXPECT_EQ(result.history.front().predicates, 0U);
    EXPECT_EQ(result.history.back().predicates, result.predicates.size());
    EXPECT_EQ(result.history.back().states, result.states);
    EXPECT_TRUE(result.history.back().found.empty());
    std::set<std::string> found;
    std::uint64_t calls = 0;
    for (const evidence::Iteration& each : result.history) {
      for (const auto& predicate : each.found) found.insert(predicate.text);
      EXPECT_EQ(each.spurious.empty(), &each == &result.history.back());
      calls += each.solver_calls;
    }
    for (const std::string& predicate : result.predicates) {
      EXPECT_TRUE(found.contains(predicate)) << predicate;
    }
    EXPECT_EQ(calls, result.solver_calls);
  }
}

}  // namespace
}  // namespace agon::verify
