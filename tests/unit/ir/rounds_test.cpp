// SPDX-License-Identifier: Apache-2.0
// Rounds that are skipped against rounds that are executed.
#include "ir/rounds.h"

#include <gtest/gtest.h>

#include "helpers/build_program.h"
#include "helpers/random_lts.h"
#include "helpers/random_term.h"
#include "ir/interpreter.h"

namespace agon::ir {
namespace {

using term::Bits;
using term::Kind;
using term::Sort;
using term::Term;
using test::below;
using test::Body;
using test::Random;

/// Loops over a few small variables, which are what the function returns.
class RandomLoop {
 public:
  explicit RandomLoop(Random& random) : random_(random) {}

  Program program{DataModel::LP64};

  FunctionId build() {
    const FunctionId function = test::add_function(program, "f");
    Body body(program, function);
    const std::size_t number = 2 + below(random_, 4);
    for (std::size_t i = 0; i < number; ++i) add_variable();
    add_loop(body, 1 + below(random_, 2));
    std::vector<Term> results;
    for (const VariableId v : variables_) results.push_back(term(v));
    body.leave(std::move(results));
    body.finish();
    return function;
  }

 private:
  Term term(VariableId v) const { return program[v].term; }
  term::Pool& pool() { return *program.pool; }

  void add_variable() {
    Variable variable;
    variable.name = variable.display = "v" + std::to_string(variables_.size());
    variable.kind = VariableKind::Global;
    const unsigned width = 3 + static_cast<unsigned>(below(random_, 8));
    variable.initial = pool().bits(random_(), width);
    variables_.push_back(program.add_variable(variable, Sort::bits(width)));
  }

  Term any_variable(unsigned width) {
    const Term found = term(variables_[below(random_, variables_.size())]);
    return pool().resize(found, width, below(random_, 2) == 0);
  }

  Term constant(unsigned width) {
    return pool().bits(below(random_, 3) == 0 ? random_() : below(random_, 4),
                       width);
  }

  Term value(Term target) {
    const unsigned width = target.width();
    const Term other = any_variable(width);
    switch (below(random_, 9)) {
      case 0:
        return constant(width);
      case 1:
        return other;
      case 2:
        return pool().add(other, constant(width));
      case 3:
        return pool().add(target, other);
      case 4:
        return pool().multiply(other, constant(width));
      case 5:
        return pool().binary(Kind::BitXor, other, any_variable(width));
      case 6:
        return pool().subtract(target, other);
      default:
        return pool().add(target, constant(width));
    }
  }

  Term condition() {
    static constexpr Kind kKinds[] = {Kind::ULess, Kind::ULessEqual,
                                      Kind::SLess, Kind::SLessEqual};
    const unsigned width = 3 + static_cast<unsigned>(below(random_, 10));
    const Term a = any_variable(width);
    const Term b =
        below(random_, 2) == 0 ? any_variable(width) : constant(width);
    const std::size_t kind = below(random_, 6);
    const Term result =
        kind < 4 ? pool().binary(kKinds[kind], a, b) : pool().equal(a, b);
    return kind == 5 ? pool().negation(result) : result;
  }

  void add_assignments(Body& body) {
    for (std::size_t i = below(random_, 4); i-- > 0;) {
      const VariableId target = variables_[below(random_, variables_.size())];
      body.assign(target, value(term(target)));
    }
  }

  void add_loop(Body& body, std::size_t depth) {
    const LocationId head = body.here;
    Term guard = condition();
    if (below(random_, 3) == 0)
      guard = pool().disjunction({guard, condition()});
    if (below(random_, 3) == 0)
      guard = pool().conjunction({guard, condition()});
    const LocationId end = body.branch(guard);
    add_assignments(body);
    if (below(random_, 3) == 0) {
      const LocationId other = body.branch(condition());
      add_assignments(body);
      const LocationId meet = body.new_location();
      body.go_to(meet);
      body.here = other;
      add_assignments(body);
      body.go_to(meet);
      body.here = meet;
    }
    if (depth > 1) add_loop(body, depth - 1);
    const VariableId counter = variables_[below(random_, variables_.size())];
    const Term number = term(counter);
    body.assign(counter, pool().add(number, constant(number.width())));
    body.go_to(head);
    body.here = end;
  }

  Random& random_;
  std::vector<VariableId> variables_;
};

TEST(RoundsTest, SkippedRoundsAreLikeOthers) {
  constexpr std::uint64_t kSteps = 30'000;
  std::size_t skipped = 0;
  std::size_t endless = 0;
  const std::size_t first = test::first_case();
  for (std::size_t seed = first; seed < first + test::scaled(4'000); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    RandomLoop loop(random);
    const FunctionId function = loop.build();
    ZeroEnvironment environment;
    InterpreterOptions options;
    options.max_steps = kSteps;
    options.skips_after = below(random, 20);
    const ir::Run quick =
        interpret(loop.program, function, environment, options);
    options.skips_after = InterpreterOptions::kNever;
    const ir::Run slow =
        interpret(loop.program, function, environment, options);
    EXPECT_EQ(slow.skipped, 0U);
    if (quick.skipped != 0) ++skipped;
    if (slow.outcome == Outcome::StepLimit) {
      // It may end later; if it does, not before the other one gave up.
      ++endless;
      if (quick.outcome == Outcome::Returned) {
        EXPECT_GE(quick.steps, kSteps);
      }
      continue;
    }
    ASSERT_EQ(quick.outcome, slow.outcome);
    EXPECT_EQ(quick.results, slow.results);
    EXPECT_EQ(quick.steps, slow.steps);
  }
  EXPECT_GT(skipped, test::scaled(500));
  EXPECT_LT(endless, test::scaled(3'500));
}

class RoundTest : public testing::Test {
 protected:
  std::optional<Rounds> count() {
    return count_rounds(pool, round, [&](Term leaf) {
      const auto found = values.find(leaf);
      return found != values.end() ? std::optional(found->second)
                                   : std::nullopt;
    });
  }
  Bits after(const Rounds& rounds, Term variable) {
    for (const auto& [changed, value] : rounds.values) {
      if (changed == variable) return value;
    }
    return values.at(variable);
  }

  term::Pool pool;
  Term i = pool.variable("i", Sort::bits(32));
  Term n = pool.variable("n", Sort::bits(32));
  Term s = pool.variable("s", Sort::bits(64));
  Term one = pool.bits(1, 32);
  Round round;
  std::map<Term, Bits> values;
};

TEST_F(RoundTest, CountsUpToTheLastRound) {
  values = {{i, 5}, {n, 4'000'000'000U}};
  round.guard = {pool.unsigned_less(i, n)};
  round.after = {{i, pool.add(i, one)}};
  const auto rounds = count();
  ASSERT_TRUE(rounds.has_value());
  EXPECT_EQ(rounds->number, 3'999'999'994U);
  EXPECT_EQ(after(*rounds, i), 3'999'999'999U);
}

TEST_F(RoundTest, AddsUp) {
  values = {{i, 3}, {n, 2'000'000'003U}, {s, 7}};
  round.guard = {pool.signed_less(i, n)};
  round.after = {{i, pool.add(i, one)},
                 {s, pool.add(s, pool.sign_extend(i, 64))}};
  const auto rounds = count();
  ASSERT_TRUE(rounds.has_value());
  const Bits m = 1'999'999'999U;
  EXPECT_EQ(rounds->number, m);
  EXPECT_EQ(after(*rounds, i), 3 + m);
  EXPECT_EQ(after(*rounds, s), 7 + 3 * m + m * (m - 1) / 2);
}

TEST_F(RoundTest, AddsUpUntilANarrowNumberWraps) {
  values = {{i, 0xfffffff0U}, {n, 0}, {s, 7}};
  round.guard = {pool.equal(n, pool.bits(0, 32))};
  round.after = {{i, pool.add(i, one)},
                 {s, pool.add(s, pool.zero_extend(i, 64))}};
  const auto rounds = count();
  ASSERT_TRUE(rounds.has_value());
  EXPECT_EQ(rounds->number, 15U);
}

TEST_F(RoundTest, SeesThatANumberHasWrapped) {
  const Term narrow = pool.variable("c", Sort::bits(8));
  values = {{narrow, 0}, {i, 255}, {n, 0}};
  round.guard = {pool.unsigned_less(narrow, pool.bits(200, 8))};
  round.after = {{narrow, pool.add(narrow, pool.bits(1, 8))},
                 {i, pool.zero_extend(narrow, 32)}};
  const auto rounds = count();
  ASSERT_TRUE(rounds.has_value());
  EXPECT_EQ(after(*rounds, narrow), 199U);
  for (const auto& [variable, value] : rounds->values) EXPECT_NE(variable, i);
}

TEST_F(RoundTest, SeesThatAValueIsNew) {
  const Term k = pool.variable("k", Sort::bits(32));
  values = {{i, 0}, {k, 2}, {n, 7}};  // k was something else a round before.
  round.guard = {pool.unsigned_less(i, pool.bits(100, 32)),
                 pool.equal(n, pool.bits(7, 32))};
  round.after = {
      {i, pool.add(i, one)}, {k, pool.bits(2, 32)}, {n, pool.bit_or(k, one)}};
  EXPECT_FALSE(count().has_value());
}

TEST_F(RoundTest, MeetsAValueInStepsThatPassTheEnd) {
  values = {{i, 0}, {n, 1}};
  round.guard = {pool.negation(pool.equal(i, n))};
  round.after = {{i, pool.add(i, pool.bits(3, 32))}};
  const auto rounds = count();
  ASSERT_TRUE(rounds.has_value());
  // 3 * 2863311531 is 1 modulo 2^32.
  EXPECT_EQ(rounds->number, 2'863'311'530U);
}

TEST_F(RoundTest, LeavesAloneWhatDependsOnItself) {
  values = {{i, 0}, {n, 1'000'000}, {s, 1}};
  round.guard = {pool.unsigned_less(i, n)};
  round.after = {{i, pool.add(i, one)},
                 {s, pool.multiply(s, pool.bits(31, 64))}};
  EXPECT_FALSE(count().has_value());
}

TEST_F(RoundTest, DoesNotPassTheGreatestNumber) {
  values = {{i, 1}, {n, 0x7ffffff0}};
  round.guard = {pool.negation(pool.signed_less(i, pool.bits(0, 32)))};
  round.after = {{i, pool.add(i, one)}};
  const auto rounds = count();
  ASSERT_TRUE(rounds.has_value());
  EXPECT_EQ(after(*rounds, i), 0x7fffffffU);
}

TEST_F(RoundTest, KnowsWhatNeverEnds) {
  values = {{i, 1}, {n, 3}};
  round.guard = {pool.unsigned_less(one, n)};
  round.after = {{i, pool.add(i, one)}};
  const auto rounds = count();
  ASSERT_TRUE(rounds.has_value());
  EXPECT_EQ(rounds->number, Rounds::kForever);
}

}  // namespace
}  // namespace agon::ir
