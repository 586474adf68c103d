// SPDX-License-Identifier: Apache-2.0
// Abstract programs as the game of FALS.
#include "verify/model_game.h"

#include <gtest/gtest.h>

#include "abstraction/predicate_inference.h"
#include "helpers/build_program.h"
#include "smt/z3_solver.h"

namespace agon::verify {
namespace {

using term::Term;

/// Answers a few questions, and no more.
class Tired final : public smt::Solver {
 public:
  explicit Tired(std::size_t answers) : left_(answers) {}

  void push() override { inner_->push(); }
  void pop() override { inner_->pop(); }
  void add(Term formula) override { inner_->add(formula); }
  smt::Answer check(std::span<const Term> assumptions) override {
    if (left_ == 0) return smt::Answer::Unknown;
    --left_;
    return inner_->check(assumptions);
  }
  term::Assignment model() override { return inner_->model(); }
  std::vector<Term> core() override { return inner_->core(); }
  std::string reason() const override { return "tired"; }
  void set_limits(const smt::CheckLimits& limits) override {
    inner_->set_limits(limits);
  }
  void interrupt() override { inner_->interrupt(); }

 private:
  std::unique_ptr<smt::Solver> inner_ = smt::make_z3_solver();
  std::size_t left_;
};

/// Programs with the actions `a`, which is allowed at any time, and `error`.
class ModelGameTest : public testing::Test {
 protected:
  static constexpr unsigned kUnbounded = 1;

  ModelGameTest() : program(ir::DataModel::LP64) {
    program.files = {"c"};
    type = test::add_integer(program, "int", 4);
    entry = test::add_function(program, "f");
    for (const char* name : {"a", "error"}) {
      const ir::FunctionId id = test::add_function(program, name, {}, false);
      program.functions[id.index()].is_action = true;
    }
    body.emplace(program, entry);
    n = body->local("n", type);
    i = body->local("i", type);
  }

  Term number(unsigned value) { return program.pool->bits(value, 32); }
  Term above(ir::VariableId variable, unsigned bound) {
    return program.pool->signed_less(number(bound), program[variable].term);
  }
  void perform(const char* action) {
    body->add(ir::Call{*program.find_function(action), {}, {}, {}, {}});
  }
  void choose(ir::VariableId variable,
              ir::HavocReason reason = ir::HavocReason::Input) {
    body->add(ir::Havoc{variable, reason, ""});
  }
  /// The rest of the body: an error if the condition holds.
  void fail_if(Term condition) {
    const ir::LocationId fine = body->branch(condition);
    perform("error");
    body->leave();
    body->here = fine;
    body->leave();
    body->finish();
  }
  /// n is chosen, and later compared with 5.
  void compare_later(ir::HavocReason reason) {
    choose(n, reason);
    perform("a");
    fail_if(above(n, 5));
  }
  /// An error behind 1,000 rounds, which nothing tells apart.
  void count() {
    for (unsigned k = 0; k < 100; ++k) body->assign(n, number(k));
    body->assign(i, number(0));
    const ir::LocationId head = body->here;
    const ir::LocationId after =
        body->branch(program.pool->negation(above(i, 999)));
    body->assign(i, program.pool->add(program[i].term, number(1)));
    body->go_to(head);
    body->here = after;
    fail_if(above(i, 3));
  }

  lts::Lts only_a() {
    lts::LtsBuilder builder(std::make_shared<lts::LabelTable>());
    const lts::State state = builder.add_state();
    builder.set_initial(state);
    builder.add_transition(state, builder.labels()->intern("a"), state);
    builder.extend_alphabet(builder.labels()->intern("error"));
    return std::move(builder).build();
  }

  static constexpr std::size_t kNone = ~std::size_t{0};

  /// With all states, or all but one and what is behind it.
  std::optional<ModelGame::Won> play(const std::vector<Term>& predicates,
                                     std::size_t unexplored = kNone,
                                     unsigned share = kUnbounded,
                                     std::uint64_t work = 0) {
    const lts::Lts spec = only_a();
    const Task task{program, entry, spec};
    const Options options;
    Component component(task, options, options.blocks, *solver, context);
    const auto precision =
        abstraction::PredicateInference(
            component.blocks(), component.steps().execution().liveness())
            .infer(predicates);
    abstraction::AbstractProgram model(component.steps(), component.start(),
                                       precision, spec.labels(),
                                       spec.alphabet());
    for (std::size_t s = 0; s < model.num_states(); ++s) {
      if (s != unexplored) model.expand(lts::State::at(s));
    }
    Tired tired(answers);
    ModelGame game(task, component, share, tired, context);
    auto won = game.play(model, work);
    EXPECT_EQ(context.statistics()["falsification.unconfirmed"], 0U);
    return won;
  }

  ir::Program program;
  std::size_t answers = 1000;  // Of the solver, during the game.
  ir::TypeId type;
  ir::FunctionId entry;
  std::optional<test::Body> body;
  ir::VariableId n;
  ir::VariableId i;
  std::unique_ptr<smt::Solver> solver = smt::make_z3_solver();
  support::Context context;
};

TEST_F(ModelGameTest, ChoosesWhatLeadsToTheError) {
  compare_later(ir::HavocReason::Input);
  const auto won = play({above(n, 5)});
  ASSERT_TRUE(won);
  ASSERT_EQ(won->execution.choices.size(), 1U);
  EXPECT_GT(term::as_signed(won->execution.choices[0].value, 32), 5);
  EXPECT_TRUE(won->strategy.back().ends_with(": the error is reached"));
}

TEST_F(ModelGameTest, NeedsToKnowWhatMatters) {
  compare_later(ir::HavocReason::Input);
  EXPECT_FALSE(play({}));
  EXPECT_FALSE(play({above(n, 4)}));
}

TEST_F(ModelGameTest, DoesNotOwnWhatIsOnlyUnknown) {
  compare_later(ir::HavocReason::Float);
  EXPECT_FALSE(play({above(n, 5)}));
}

TEST_F(ModelGameTest, ChoosesByTheState) {
  choose(n, ir::HavocReason::Float);
  perform("a");
  choose(i);
  fail_if(program.pool->equal(above(n, 5), above(i, 5)));
  EXPECT_TRUE(play({}));
}

TEST_F(ModelGameTest, DoesNotChooseTheState) {
  choose(n, ir::HavocReason::Float);
  perform("a");
  choose(i);
  fail_if(program.pool->conjunction({above(n, 5), above(i, 5)}));
  EXPECT_FALSE(play({}));
}

// Not to know is to lose, whenever the solver stops to answer.
TEST_F(ModelGameTest, DoesNotChooseTheStateWithoutAnswers) {
  choose(n, ir::HavocReason::Float);
  perform("a");
  choose(i);
  fail_if(program.pool->conjunction({above(n, 5), above(i, 5)}));
  for (answers = 0; answers < 8; ++answers) EXPECT_FALSE(play({}));
}

TEST_F(ModelGameTest, DoesNotPassAssumptionsThatMayFail) {
  choose(n, ir::HavocReason::Float);
  body->add(ir::Assume{above(n, 5)});
  perform("error");
  body->leave();
  body->finish();
  for (const std::size_t some : {0, 1, 2, 3, 1000}) {
    answers = some;
    EXPECT_FALSE(play({}));
  }
}

TEST_F(ModelGameTest, PlaysOnlyWhatIsThere) {
  compare_later(ir::HavocReason::Input);
  EXPECT_FALSE(play({above(n, 5)}, /*unexplored=*/0));
}

// It goes on there, but nobody knows how.
TEST_F(ModelGameTest, DoesNotWinWhatIsNotThere) {
  choose(n, ir::HavocReason::Float);
  perform("a");
  const ir::LocationId fine = body->branch(above(n, 5));
  perform("error");
  body->leave();
  body->here = fine;
  perform("a");
  body->leave();
  body->finish();
  for (const std::size_t unexplored : {1U, 2U}) {
    EXPECT_FALSE(play({above(n, 5)}, unexplored));
  }
}

TEST_F(ModelGameTest, PassesLoopsThatEnd) {
  count();
  const auto won = play({above(i, 3)});
  ASSERT_TRUE(won);
  EXPECT_GT(won->execution.steps, 2000U);
}

TEST_F(ModelGameTest, StopsAtTheBoundOfItsWork) {
  count();
  EXPECT_FALSE(play({above(i, 3)}, kNone, 20, 0));
  EXPECT_EQ(context.statistics()["falsification.stopped"], 1U);
  EXPECT_TRUE(play({above(i, 3)}, kNone, 20, 1'000'000));
  EXPECT_EQ(context.statistics()["falsification.stopped"], 1U);
  EXPECT_EQ(context.statistics()["falsification.models"], 2U);
}

}  // namespace
}  // namespace agon::verify
