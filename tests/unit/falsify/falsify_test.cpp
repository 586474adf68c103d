// SPDX-License-Identifier: Apache-2.0
/// The programs of the paper, and loops, assumptions and choices one by one.
#include "falsify/falsify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "falsify/steer.h"
#include "support/error.h"
#include "unit/falsify/falsify_fixture.h"
#include "unit/falsify/small_solver.h"

namespace agon::falsify {
namespace {

using term::Term;
using testing::HasSubstr;

// FALS Fig. 1, left: the signs do not tell which value x has at the error.
TEST_F(Falsify, UncertainValue) {
  set("x", 0);
  set("x", plus("x", 1));
  set("x", plus("x", -1));
  fail();
  EXPECT_TRUE(wins());
  options.model.inputs = Player::Preventer;
  EXPECT_TRUE(wins());  // There is nothing to choose.
}

// FALS Fig. 1, right: nor which way execution takes to it.
TEST_F(Falsify, UncertainWay) {
  input("n");
  assume(less(number(0), value("n")));
  set("x", plus("n", -1));
  const ir::LocationId other = body->branch(less(value("x"), number(7)));
  set("y", 1);
  const ir::LocationId join = body->here;
  body->here = other;
  set("y", 2);
  body->go_to(join);
  body->here = join;
  fail_if(less(number(0), value("y")));
  EXPECT_TRUE(wins());
  options.model.inputs = Player::Preventer;
  EXPECT_FALSE(wins());  // n need not be positive.
}

// FALS Fig. 2: a square root whose loop has the wrong condition.
class SquareRoot : public Falsify {
 protected:
  SquareRoot() {
    input("n");
    assume(program.pool->negation(less(value("n"), number(0))));
    set("y", plus("n", -1));
    set("x", 0);
    set("i", 1);
    loop(less(value("y"), number(0)), [&] {
      set("x", plus("x", 1));
      set("i", plus("i", 2));
      set("y", program.pool->subtract(value("y"), value("i")));
    });
    // x * x <= n < (x + 1) * (x + 1)
    const Term next = plus("x", 1);
    fail_if(program.pool->disjunction(
        {less(value("n"), program.pool->multiply(value("x"), value("x"))),
         program.pool->negation(
             less(value("n"), program.pool->multiply(next, next)))}));
  }
};

TEST_F(SquareRoot, FailsForPositiveNumbers) {
  const Result result = run();
  EXPECT_TRUE(result.wins);
  ASSERT_FALSE(result.strategy.empty());
  EXPECT_EQ(result.strategy.front().text, "choose n > 0");
  ASSERT_TRUE(result.execution);
  ASSERT_EQ(result.execution->choices.size(), 1U);
  EXPECT_EQ(result.execution->choices[0].value, 1U);
}

TEST_F(SquareRoot, FailsByGenerators) {
  options.choices = Choices::Generators;
  const Result result = run();
  EXPECT_TRUE(result.wins);
  ASSERT_TRUE(result.execution);
  ASSERT_EQ(result.execution->choices.size(), 1U);
  EXPECT_EQ(result.execution->choices[0].value, 1U);
}

TEST_F(SquareRoot, IsNotHopelessForEveryNumber) {
  options.model.inputs = Player::Preventer;
  EXPECT_FALSE(wins());
  options.choices = Choices::Generators;
  EXPECT_FALSE(wins());
}

TEST_F(Falsify, NeedsNoChoiceIfEveryInputFails) {
  input("n");
  set("x", 5);
  fail_if(less(number(0), value("x")));
  options.model.inputs = Player::Preventer;
  EXPECT_TRUE(wins());
}

TEST_F(Falsify, WrapsAround) {
  input("n");
  assume(less(number(0), value("n")));
  set("x", plus("n", 1));
  fail_if(less(value("x"), number(0)));
  EXPECT_FALSE(wins());  // The sign of n + 1 is not known.
  options.domain = "interval";
  EXPECT_FALSE(wins());
  options.domain = "predicates";
  const Result result = run();
  ASSERT_TRUE(result.execution);
  EXPECT_EQ(result.execution->choices[0].value, 0x7fffffffU);
}

TEST_F(Falsify, LeavesUndefinedValuesToThePreventer) {
  input("x", ir::HavocReason::Undefined);
  fail_if(less(number(0), value("x")));
  EXPECT_FALSE(wins());
}

TEST_F(Falsify, OwnsUninitialisedVariables) {
  input("x", ir::HavocReason::Uninitialised);
  fail_if(less(number(0), value("x")));
  EXPECT_TRUE(wins());
}

TEST_F(Falsify, DoesNotPassAssumptionsThatMayFail) {
  set("x", 1);
  set("x", plus("x", 3));
  assume(less(value("x"), number(3)));
  fail();
  EXPECT_FALSE(wins());
  options.must = true;
  EXPECT_FALSE(wins());
}

/// A solver that does not know about 32 bits.
std::unique_ptr<smt::Solver> ignorant() {
  return std::make_unique<test::SmallSolver>();
}

// No square has 2 as its lowest two bits, but neither the signs nor this solver
// know.
TEST_F(Falsify, DoesNotPassAssumptionsWithoutAnAnswer) {
  input("x", ir::HavocReason::Undefined);
  const Term square = program.pool->multiply(value("x"), value("x"));
  const Term low = program.pool->bit_and(square, number(3));
  assume(program.pool->negation(program.pool->equal(low, number(2))));
  fail();
  EXPECT_TRUE(wins());
  solver = ignorant();
  EXPECT_FALSE(wins());
}

// It need not end, and without an answer that is not known.
TEST_F(Falsify, DoesNotPassLoopsWithoutAnAnswer) {
  input("n", ir::HavocReason::Undefined);
  set("i", 0);
  loop(program.pool->negation(less(value("n"), value("i"))),
       [&] { set("i", plus("i", 1)); });
  fail();
  EXPECT_FALSE(wins());
  solver = ignorant();
  EXPECT_FALSE(wins());
}

TEST_F(Falsify, DoesNotWinWhatItDidNotLookAt) {
  input("x", ir::HavocReason::Undefined);
  set("y", 1);
  set("y", 2);
  options.model.max_nodes = 2;
  const Result result = run();
  EXPECT_FALSE(result.wins);
  EXPECT_THAT(result.reason, HasSubstr("too large"));
}

TEST_F(Falsify, ChoosesWhatAssumptionsAllow) {
  input("x");
  input("y");
  assume(less(value("x"), value("y")));
  fail();
  EXPECT_TRUE(wins());  // One negative, the other positive.
}

// A greater number is there only because x is known to be less than 10.
TEST_F(Falsify, ChoosesByWhatIsKnownBefore) {
  options.domain = "predicates";
  input("x", ir::HavocReason::Undefined);
  const ir::LocationId other = body->branch(less(value("x"), number(10)));
  input("n");
  fail_if(less(value("x"), value("n")));
  body->leave();
  body->here = other;
  fail();
  EXPECT_TRUE(wins());
}

TEST_F(Falsify, ReachesBehindDeepLoops) {
  for (const std::int64_t k : {10, 1000, 100'000}) {
    SCOPED_TRACE(k);
    body.emplace(program, entry);
    is_finished = false;
    set("i", 0);
    set("x", 1);
    loop(less(value("i"), number(k)), [&] {
      set("i", plus("i", 1));
      set("x", program.pool->multiply(value("x"), value("x")));
    });
    fail_if(program.pool->negation(less(value("i"), number(k))));
    options.domain = "interval";
    const Result result = run();
    EXPECT_TRUE(result.wins);
    EXPECT_LT(result.nodes, 200U);
    options.loops = false;
    EXPECT_EQ(wins(), k == 10);  // Few rounds are told apart.
    options.loops = true;
  }
}

TEST_F(Falsify, ReachesBehindNestedLoops) {
  input("n");
  set("i", 0);
  loop(less(value("i"), value("n")), [&] {
    set("x", 0);
    loop(less(value("x"), value("n")), [&] {
      set("y", program.pool->multiply(value("y"), value("x")));
      set("x", plus("x", 1));
    });
    fail_if(program.pool->equal(value("y"), number(12)));
    set("i", plus("i", 1));
  });
  fail_if(less(number(0), value("n")));
  EXPECT_TRUE(wins());
  options.loops = false;
  EXPECT_FALSE(wins());
}

TEST_F(Falsify, PassesLoopsWithOtherSteps) {
  set("i", 0);
  set("x", 1);
  loop(less(value("i"), number(100'000)), [&] {
    set("i", plus("i", 6));
    set("x", program.pool->multiply(value("x"), value("x")));
  });
  fail();
  options.domain = "interval";
  EXPECT_TRUE(wins());
}

TEST_F(Falsify, PassesLoopsThatCountDifferently) {
  set("i", 0);
  loop(less(value("i"), number(100'000)), [&] {
    input("n", ir::HavocReason::Undefined);
    const ir::LocationId other = body->branch(less(value("n"), number(0)));
    set("i", plus("i", 1));
    const ir::LocationId join = body->here;
    body->here = other;
    set("i", plus("i", 2));
    body->go_to(join);
    body->here = join;
  });
  fail();
  options.domain = "interval";
  EXPECT_TRUE(wins());
}

// The Falsifier may leave the loop when it likes, and has to stay long enough.
class LeavesWhenItLikes : public Falsify {
 protected:
  void build(Term condition) {
    set("i", 0);
    input("n");
    loop(less(number(0), value("n")), [&] {
      set("i", plus("i", 1));
      input("n");
    });
    fail_if(condition);
    options.domain = "predicates";
  }
};

TEST_F(LeavesWhenItLikes, StaysForManyRounds) {
  build(less(number(1000), value("i")));
  const Result result = run();
  ASSERT_TRUE(result.execution);
  EXPECT_GT(result.execution->choices.size(), 1000U);
  options.loops = false;
  EXPECT_FALSE(wins());
}

TEST_F(LeavesWhenItLikes, LeavesAfterSomeRounds) {
  build(program.pool->equal(value("i"), number(1000)));
  const Result result = run();
  ASSERT_TRUE(result.execution);
  EXPECT_EQ(result.execution->choices.size(), 1001U);
}

// In a product, values grow together only if they say the same about i == 1000.
TEST_F(LeavesWhenItLikes, KeepsPredicatesWhereIntervalsGrow) {
  build(program.pool->equal(value("i"), number(1000)));
  options.domain = "interval+predicates";
  EXPECT_TRUE(wins());
}

TEST_F(LeavesWhenItLikes, CannotStayIfThePreventerChooses) {
  build(program.pool->equal(value("i"), number(1000)));
  options.model.inputs = Player::Preventer;
  EXPECT_FALSE(wins());
}

TEST_F(Falsify, PassesLoopsThatAFlagEnds) {
  set("i", 0);
  set("x", 0);
  loop(program.pool->equal(value("x"), number(0)), [&] {
    set("i", plus("i", 1));
    const ir::LocationId on = body->branch(less(value("i"), number(1000)));
    const ir::LocationId join = body->here;
    body->here = on;
    set("x", 1);
    body->go_to(join);
    body->here = join;
  });
  fail_if(less(number(999), value("i")));
  options.domain = "predicates";
  EXPECT_TRUE(wins());
}

// The flag x says in which of the many rounds things go wrong.
TEST_F(Falsify, KeepsFlagsWhereIntervalsGrow) {
  set("i", 0);
  set("x", 0);
  loop(less(value("i"), number(20'000)), [&] {
    fail_if(less(number(0), value("x")));
    set("x", 1);
    const ir::LocationId late = body->branch(less(value("i"), number(15'000)));
    set("x", 0);
    body->go_to(late);
    body->here = late;
    set("i", plus("i", 1));
  });
  options.domain = "interval";
  EXPECT_TRUE(wins());
}

// What is known inside of the outer loop is i < 300, and not only i <= 300.
TEST_F(Falsify, StopsGrowingNextToBounds) {
  set("i", 0);
  set("y", 1);
  loop(less(value("i"), number(300)), [&] {
    set("x", 0);
    loop(less(value("x"), number(300)), [&] {
      set("y", program.pool->add(program.pool->multiply(value("y"), number(5)),
                                 value("x")));
      set("x", plus("x", 1));
    });
    set("i", plus("i", 1));
  });
  fail_if(program.pool->negation(program.pool->equal(value("y"), number(0))));
  fail_if(program.pool->equal(value("i"), number(300)));
  options.domain = "interval";
  EXPECT_TRUE(wins());
}

// i <= n goes on forever if n is the greatest number; so choose another.
TEST_F(Falsify, ChoosesABoundForWhichTheLoopEnds) {
  input("n");
  set("i", 0);
  loop(program.pool->negation(less(value("n"), value("i"))),
       [&] { set("i", plus("i", 1)); });
  fail_if(less(number(1000), value("n")));
  options.domain = "interval";
  const Result result = run();
  ASSERT_TRUE(result.execution);
  EXPECT_LT(result.execution->choices[0].value, 0x7fffffffU);
  options.model.inputs = Player::Preventer;
  EXPECT_FALSE(wins());
}

TEST_F(Falsify, DoesNotPassALoopWhoseBoundMayBeTheGreatest) {
  input("n");
  assume(less(number(0x7ffffffd), value("n")));
  set("i", 0);
  loop(less(value("i"), value("n")), [&] { set("i", plus("i", 4)); });
  fail();
  options.domain = "interval";
  EXPECT_FALSE(wins());
}

TEST_F(Falsify, PassesLoopsThatDivide) {
  input("n", ir::HavocReason::Undefined);
  loop(less(number(0), value("n")), [&] {
    set("n", program.pool->binary(term::Kind::SDivide, value("n"), number(10)));
  });
  fail();
  EXPECT_TRUE(wins());
}

TEST_F(Falsify, StaysBeforeLoopsThatNeedNotEnd) {
  input("n");
  assume(less(number(10), value("n")));
  set("i", 0);
  loop(program.pool->negation(program.pool->equal(value("i"), value("n"))),
       [&] { set("i", plus("i", 2)); });
  fail();
  EXPECT_FALSE(wins());  // Not if n is odd.
}

// The inner loop ends each time, the outer one does not.
TEST_F(Falsify, DoesNotTakeInnerLoopsForOuterOnes) {
  set("x", 1);
  loop(less(number(0), value("x")), [&] {
    set("i", 0);
    loop(less(value("i"), number(5)), [&] { set("i", plus("i", 1)); });
  });
  fail();
  EXPECT_FALSE(wins());
}

// What the loop does at the end decides, not how often.
TEST_F(Falsify, EscapesFromLoopsCount) {
  input("n");
  set("i", 0);
  loop(less(value("i"), value("n")), [&] {
    set("i", plus("i", 1));
    set("x", program.pool->multiply(value("x"), number(3)));
    const ir::LocationId on =
        body->branch(program.pool->equal(value("x"), number(7)));
    body->leave();
    body->here = on;
  });
  fail();
  const Result result = run();
  EXPECT_TRUE(result.wins);  // By not entering the loop.
  options.model.inputs = Player::Preventer;
  EXPECT_FALSE(wins());
}

TEST_F(Falsify, DoesNotReplayWhenTimeIsUp) {
  set("i", 0);
  set("x", 1);
  loop(less(value("i"), number(1'000'000'000)), [&] {
    set("i", plus("i", 1));
    // Or the rounds would only count, and be passed at once.
    set("x", program.pool->multiply(value("x"), number(3)));
  });
  fail();
  body->leave();
  body->finish();
  options.domain = "interval";
  options.max_steps = 1'000'000'000'000;
  support::Limits limits;
  limits.time = std::chrono::milliseconds(300);
  support::Context context(limits);
  const Result result = falsify({program, entry}, options, *solver, context);
  EXPECT_TRUE(result.wins);
  EXPECT_FALSE(result.execution);
}

TEST_F(Falsify, StopsWhenTimeIsUp) {
  input("n");
  fail_if(less(number(0), value("n")));
  body->leave();
  body->finish();
  support::Context context;
  context.request_stop();
  const Result result = falsify({program, entry}, options, *solver, context);
  EXPECT_FALSE(result.wins);
  EXPECT_FALSE(result.reason.empty());
}

TEST(Escapes, AreNotWonWhateverLoopsEnd) {
  // 0 is the Preventer's; 1 the Falsifier's, who chooses the error or an end.
  Model model;
  model.nodes.resize(4);
  model.nodes[0].moves = {{0, {}, Certainty::Unsure},
                          {1, {}, Certainty::Unsure}};
  model.nodes[1].owner = Player::Falsifier;
  model.nodes[1].moves = {{2, {}, Certainty::Open}, {3, {}, Certainty::Open}};
  model.nodes[2].kind = NodeKind::Bad;
  model.nodes[3].kind = NodeKind::End;
  EXPECT_EQ(escapes(model), (std::vector<bool>{false, false, false, true}));
  model.nodes[1].moves[0].certainty = Certainty::Unsure;
  EXPECT_EQ(escapes(model), (std::vector<bool>{true, true, false, true}));
  model.nodes[1].moves = {{2, {}, Certainty::Unsure}};
  EXPECT_EQ(escapes(model), (std::vector<bool>{false, false, false, true}));
  model.nodes[1].may_block = true;
  EXPECT_EQ(escapes(model), (std::vector<bool>{true, true, false, true}));
}

class Steer : public Falsify {
 protected:
  std::vector<Term> values(Term from, Term to) {
    support::Context context;
    return steer(*program.pool, *solver, context, from, value("n"), to);
  }
};

// What was true of the old value need not be of the new one.
TEST_F(Steer, ChoosesAnewWhatWasKnown) {
  const Term known = less(value("n"), number(-5));
  const auto chosen = values(known, known);
  ASSERT_EQ(chosen.size(), 1U);
  EXPECT_EQ(chosen[0], number(-6));
}

TEST_F(Steer, ChoosesSmallNumbersAlsoWithoutSign) {
  const auto above = [&](std::int64_t bound) {
    return program.pool->binary(term::Kind::ULess, number(bound), value("n"));
  };
  const Term to = program.pool->conjunction({above(1000), above(0)});
  EXPECT_THAT(values(program.pool->boolean(true), to),
              testing::ElementsAre(number(1001)));
}

TEST_F(Steer, NeedsAnAnswer) {
  const Term from = less(value("x"), number(10));
  const Term to = less(value("x"), value("n"));
  EXPECT_FALSE(values(from, to).empty());
  solver = ignorant();
  EXPECT_TRUE(values(from, to).empty());
}

TEST_F(Falsify, KnowsItsDomains) {
  fail();
  options.domain = "magic";
  EXPECT_THROW(run(), support::InputError);
}

}  // namespace
}  // namespace agon::falsify
