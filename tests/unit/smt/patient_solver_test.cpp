// SPDX-License-Identifier: Apache-2.0
#include "smt/patient_solver.h"

#include <gtest/gtest.h>

#include "smt/z3_solver.h"

namespace agon::smt {
namespace {

using term::Term;

/// Knows the answer if it may use enough for it, and remembers what it was
/// given.
struct Script {
  std::uint64_t needs = 0;
  Answer answer = Answer::Sat;
  std::vector<std::uint64_t> limits;  ///< Of each check.
  std::vector<Term> formulas;
};

class ScriptedSolver final : public Solver {
 public:
  explicit ScriptedSolver(Script& script) : script_(script) {}

  void push() override { frames_.push_back(script_.formulas.size()); }
  void pop() override {
    script_.formulas.resize(frames_.back());
    frames_.pop_back();
  }
  void add(Term formula) override { script_.formulas.push_back(formula); }
  Answer check(std::span<const Term>) override {
    script_.limits.push_back(limit_);
    spent_ += std::min(script_.needs, limit_);
    return script_.needs <= limit_ ? script_.answer : Answer::Unknown;
  }
  term::Assignment model() override { return {}; }
  std::vector<Term> core() override { return {}; }
  std::string reason() const override { return "scripted"; }
  void set_limits(const CheckLimits& limits) override {
    limit_ = limits.resources;
  }
  void interrupt() override {}
  std::uint64_t spent() const override { return spent_; }

 private:
  Script& script_;
  std::vector<std::size_t> frames_;
  std::uint64_t limit_ = 0;
  std::uint64_t spent_ = 0;
};

class PatientTest : public testing::Test {
 protected:
  term::Pool pool;
  Script first, second;
  std::unique_ptr<Solver> solver = make_patient_solver(
      std::make_unique<ScriptedSolver>(first),
      std::make_unique<ScriptedSolver>(second),
      {.first = 10, .afresh = 40, .last = 80, .largest = 3});
};

TEST_F(PatientTest, AsksAfreshOnlyWhatIsTooHard) {
  first.needs = 10;
  EXPECT_EQ(solver->check(), Answer::Sat);
  EXPECT_TRUE(second.limits.empty());
  first.needs = 11;
  second.answer = Answer::Unsat;
  EXPECT_EQ(solver->check(), Answer::Unsat);
  EXPECT_EQ(second.limits, std::vector<std::uint64_t>{40});
  EXPECT_EQ(solver->spent(), 20U);
}

TEST_F(PatientTest, GivesTheWholeQuestionAndForgetsIt) {
  const Term x = pool.variable("x", term::Sort::boolean());
  const Term y = pool.variable("y", term::Sort::boolean());
  first.needs = 11;
  solver->add(x);
  solver->push();
  solver->add(y);
  EXPECT_EQ(solver->check(), Answer::Sat);
  EXPECT_EQ(second.formulas, (std::vector<Term>{x, y}));
  solver->pop();
  EXPECT_TRUE(second.formulas.empty());
  EXPECT_EQ(solver->check(), Answer::Sat);
  EXPECT_EQ(second.formulas, std::vector<Term>{x});
}

TEST_F(PatientTest, HasMorePatienceAfterEachFailure) {
  first.needs = 200;
  second.needs = 100;
  EXPECT_EQ(solver->check(), Answer::Unknown);
  EXPECT_EQ(solver->reason(), "scripted");
  EXPECT_EQ(solver->num_postponed(), 1U);
  EXPECT_EQ(solver->check(), Answer::Unknown);
  EXPECT_EQ(solver->num_postponed(), 2U);
  EXPECT_EQ(solver->check(), Answer::Sat);
  EXPECT_EQ(solver->check(), Answer::Sat);
  EXPECT_EQ(solver->num_postponed(), 2U);
  EXPECT_EQ(first.limits,
            (std::vector<std::uint64_t>{10, 80, 10, 160, 10, 320, 10, 320}));
  EXPECT_EQ(second.limits, std::vector<std::uint64_t>(4, 40));
}

TEST_F(PatientTest, WhatIsUnknownForOtherReasonsStaysSo) {
  first.needs = 5;
  first.answer = Answer::Unknown;
  EXPECT_EQ(solver->check(), Answer::Unknown);
  EXPECT_TRUE(second.limits.empty());
  EXPECT_EQ(first.limits, std::vector<std::uint64_t>{10});
  EXPECT_EQ(solver->num_postponed(), 0U);
}

TEST_F(PatientTest, LargeQuestionsAreNotAskedAfresh) {
  const Term x = pool.variable("x", term::Sort::boolean());
  const Term y = pool.variable("y", term::Sort::boolean());
  first.needs = 11;
  solver->add(pool.conjunction({x, y}));
  EXPECT_EQ(solver->check(), Answer::Sat);
  EXPECT_EQ(second.limits.size(), 1U);
  EXPECT_EQ(solver->check({{pool.equal(x, y)}}), Answer::Sat);
  EXPECT_EQ(second.limits.size(), 1U);
  EXPECT_EQ(first.limits, (std::vector<std::uint64_t>{10, 10, 80}));
}

TEST_F(PatientTest, LimitsOfOthersHoldAsTheyAre) {
  first.needs = 11;
  solver->set_limits({5, {}});
  EXPECT_EQ(solver->check(), Answer::Unknown);
  EXPECT_TRUE(second.limits.empty());
  solver->set_limits({});
  EXPECT_EQ(solver->check(), Answer::Sat);
  EXPECT_EQ(first.limits, (std::vector<std::uint64_t>{5, 10}));
}

TEST(Z3Spent, GrowsWithEveryCheckAndIsTheSameEveryTime) {
  std::vector<std::uint64_t> spent;
  for (int run = 0; run < 2; ++run) {
    term::Pool pool;
    const auto solver = make_z3_solver();
    const Term x = pool.variable("x", term::Sort::bits(16));
    const Term y = pool.variable("y", term::Sort::bits(16));
    solver->add(pool.equal(pool.multiply(x, y), pool.bits(0x7a31, 16)));
    EXPECT_EQ(solver->spent(), 0U);
    EXPECT_EQ(solver->check(), Answer::Sat);
    EXPECT_GT(solver->spent(), 0U);
    spent.push_back(solver->spent());
  }
  EXPECT_EQ(spent[0], spent[1]);
}

}  // namespace
}  // namespace agon::smt
