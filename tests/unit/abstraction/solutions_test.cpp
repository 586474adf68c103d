// SPDX-License-Identifier: Apache-2.0
// All ways in which questions can be answered, against all assignments.
#include "abstraction/solutions.h"

#include <gtest/gtest.h>

#include "smt/z3_solver.h"
#include "unit/abstraction/all_values.h"
#include "unit/abstraction/random_formula.h"

namespace agon::abstraction {
namespace {

using term::Sort;
using term::Term;

std::vector<Layers> all_layers() {
  std::vector<Layers> result;
  for (unsigned i = 0; i < 32; ++i) {
    result.push_back({.reads = (i & 16) != 0,
                      .propagate = (i & 1) != 0,
                      .slice = (i & 2) != 0,
                      .memo = (i & 4) != 0,
                      .boundary = (i & 8) != 0});
  }
  return result;
}

/// A question, and how much of it is known to be possible.
struct Question {
  std::vector<Term> constraints;
  std::size_t consistent = 0;
  std::vector<Term> asked;
  std::vector<Answers> expected;
};

Question random_question(test::RandomFormulas& make, test::Random& random,
                         std::span<const term::Assignment> world) {
  Question q;
  q.constraints = make.formulas(4, 2);
  q.asked = make.formulas(4, 2);
  q.expected = test::all_answers(world, q.constraints, q.asked);
  // As many as can be true together, or fewer.
  for (std::size_t n = test::below(random, q.constraints.size() + 1);; --n) {
    const std::span<const Term> first(q.constraints.data(), n);
    if (n > 0 && test::all_answers(world, first, {}).empty()) continue;
    q.consistent = n;
    return q;
  }
}

TEST(Solutions, AreTheSameWithAllLayers) {
  test::Random random(3);
  std::uint64_t by_solver = 0;
  std::uint64_t by_boundary = 0;
  std::size_t impossible = 0;
  for (std::size_t i = 0; i < test::scaled(24); ++i) {
    term::Pool pool;
    test::RandomFormulas make(pool, random);
    const auto world = test::all_assignments(make.add_variables());
    std::vector<Question> questions;
    for (int k = 0; k < 6; ++k) {
      make.arithmetic = k % 3 == 1;
      make.pairs = k % 3 != 0;
      questions.push_back(random_question(make, random, world));
      impossible += questions.back().expected.empty() ? 1 : 0;
    }
    const auto solver = smt::make_z3_solver();
    for (const Layers layers : all_layers()) {
      support::Context context;
      Solutions solutions(pool, *solver, context, layers);
      for (std::size_t k = 0; k < 2 * questions.size(); ++k) {
        SCOPED_TRACE(testing::Message()
                     << i << " " << k << " propagate " << layers.propagate
                     << " slice " << layers.slice << " memo " << layers.memo
                     << " boundary " << layers.boundary);
        const Question& q = questions[k % questions.size()];
        ASSERT_EQ(solutions.all(q.constraints, q.consistent, q.asked),
                  q.expected);
      }
      EXPECT_FALSE(solutions.has_failed());
      by_solver += context.statistics()["abstraction.enumerations"];
      by_boundary += context.statistics()["abstraction.boundary_answers"];
    }
  }
  EXPECT_GT(by_solver, 100U);
  EXPECT_GT(by_boundary, 100U);
  EXPECT_GT(impossible, 10U);
}

TEST(Solutions, OfVariablesAtKnownDistancesAreTheSame) {
  test::Random random(34);
  std::size_t possible = 0;
  for (std::size_t i = 0; i < test::scaled(300); ++i) {
    SCOPED_TRACE(i);
    term::Pool pool;
    test::RandomFormulas make(pool, random);
    make.arithmetic = make.pairs = true;
    std::vector<Term> variables;
    for (const char* const name : {"x", "y", "z"}) {
      variables.push_back(pool.variable(name, Sort::bits(3)));
      make.add(variables.back());
    }
    const auto any = [&] { return variables[test::below(random, 3)]; };
    Question q;
    q.constraints = make.formulas(2, 1);
    for (std::size_t k = 0; k < 1 + test::below(random, 3); ++k) {
      const Term distance = pool.bits(test::below(random, 8), 3);
      q.constraints.push_back(pool.equal(any(), pool.add(any(), distance)));
    }
    q.asked = make.formulas(4, 2);
    q.expected = test::all_answers(test::all_assignments(variables),
                                   q.constraints, q.asked);
    possible += q.expected.empty() ? 0 : 1;
    const auto solver = smt::make_z3_solver();
    support::Context context;
    Solutions solutions(pool, *solver, context);
    ASSERT_EQ(solutions.all(q.constraints, 0, q.asked), q.expected);
  }
  EXPECT_GT(possible, 50U);
}

/// Comparisons of places of two memories, and of what says where they are.
class RandomReads {
 public:
  RandomReads(term::Pool& pool, test::Random& random)
      : pool_(pool), random_(random) {
    for (const char* name : {"m", "n"}) {
      memories_.push_back(pool.variable(name, Sort::array(3, 3)));
    }
    for (const char* name : {"i", "j"}) {
      places_.push_back(pool.variable(name, Sort::bits(3)));
    }
  }

  bool pairs = false;  ///< Different places of one memory, and writes.

  Term atom() {
    const std::size_t m = test::below(random_, 2);
    Term memory = memories_[m];
    Term place = places_[pairs ? test::below(random_, 2) : m];
    if (pairs && test::below(random_, 4) == 0) {
      memory = pool_.write(memory, places_[0], constant());
    }
    if (test::below(random_, 4) == 0)
      place = pool_.read(memories_[0], places_[0]);
    if (test::below(random_, 4) == 0)
      return pool_.equal(places_[0], constant());
    return pool_.equal(pool_.read(memory, place), constant());
  }

  std::vector<Term> atoms(std::size_t count) {
    std::vector<Term> result(count);
    for (Term& t : result) {
      t = atom();
      if (test::below(random_, 2) == 0) t = pool_.negation(t);
    }
    return result;
  }

 private:
  Term constant() { return pool_.bits(test::below(random_, 3), 3); }

  term::Pool& pool_;
  test::Random& random_;
  std::vector<Term> memories_;
  std::vector<Term> places_;
};

TEST(Solutions, OfReadsAreTheSameWithAndWithoutTheSolver) {
  test::Random random(33);
  std::uint64_t calls[2] = {0, 0};
  std::size_t impossible = 0;
  for (std::size_t i = 0; i < test::scaled(300); ++i) {
    SCOPED_TRACE(i);
    term::Pool pool;
    RandomReads make(pool, random);
    make.pairs = i % 2 == 0;
    const std::vector<Term> constraints =
        make.atoms(1 + test::below(random, 4));
    const std::vector<Term> questions = make.atoms(test::below(random, 4));
    const auto solver = smt::make_z3_solver();
    std::vector<Answers> rows[2];
    for (const bool cheap : {false, true}) {
      support::Context context;
      const Layers layers{cheap, cheap, cheap, cheap, cheap};
      rows[cheap] = Solutions(pool, *solver, context, layers)
                        .all(constraints, 0, questions);
      calls[cheap] += context.statistics()["solver.calls"];
    }
    ASSERT_EQ(rows[0], rows[1]);
    impossible += rows[0].empty() ? 1 : 0;
  }
  EXPECT_LT(calls[1], calls[0] * 3 / 4);
  EXPECT_GT(impossible, 10U);
}

/// Counts what is asked, and may know nothing.
class CountingSolver final : public smt::Solver {
 public:
  explicit CountingSolver(bool knows) : knows_(knows) {}

  using Solver::check;
  void push() override { solver_->push(); }
  void pop() override { solver_->pop(); }
  void add(Term formula) override { solver_->add(formula); }
  smt::Answer check(std::span<const Term> assumptions) override {
    ++checks;
    return knows_ ? solver_->check(assumptions) : smt::Answer::Unknown;
  }
  term::Assignment model() override { return solver_->model(); }
  std::vector<Term> core() override { return solver_->core(); }
  std::string reason() const override { return "it is a test"; }
  void set_limits(const smt::CheckLimits& limits) override {
    solver_->set_limits(limits);
  }
  void interrupt() override { solver_->interrupt(); }

  int checks = 0;

 private:
  std::unique_ptr<smt::Solver> solver_ = smt::make_z3_solver();
  bool knows_;
};

class SolutionsExamples : public testing::Test {
 protected:
  Term sum_is(const char* a, const char* b, unsigned value) {
    return pool.equal(pool.add(number(a), number(b)), pool.bits(value, 8));
  }
  Term number(const char* name) { return pool.variable(name, Sort::bits(8)); }

  term::Pool pool;
  support::Context context;
};

TEST_F(SolutionsExamples, ASolverThatDoesNotKnowExcludesNothing) {
  CountingSolver solver(false);
  Solutions solutions(pool, solver, context);
  const std::vector<Term> asked{sum_is("x", "y", 1), pool.boolean(true),
                                sum_is("x", "y", 2)};
  const std::vector<Answers> expected{{false, true, false},
                                      {false, true, true},
                                      {true, true, false},
                                      {true, true, true}};
  EXPECT_EQ(solutions.all({}, 0, asked), expected);
  EXPECT_FALSE(solutions.has_failed());
}

TEST_F(SolutionsExamples, DoNotAskWhetherWhatIsConsistentIsSo) {
  CountingSolver solver(true);
  Solutions solutions(pool, solver, context);
  const std::vector<Term> known{sum_is("x", "y", 1)};
  EXPECT_EQ(solutions.all(known, 1, {}), std::vector<Answers>{Answers()});
  EXPECT_EQ(solver.checks, 0);
  EXPECT_EQ(solutions.all(known, 0, {}), std::vector<Answers>{Answers()});
  EXPECT_GT(solver.checks, 0);
}

TEST_F(SolutionsExamples, FindWhatWasWrittenAtAKnownDistance) {
  CountingSolver solver(true);
  Solutions solutions(pool, solver, context);
  const Term memory = pool.variable("memory", Sort::array(8, 8));
  const Term behind = pool.add(number("p"), pool.bits(8, 8));
  const Term written =
      pool.write(memory, number("t"), pool.bits(std::uint64_t{0x0102}, 16));
  const std::vector<Term> known{pool.equal(number("t"), behind)};
  const std::vector<Term> asked{
      pool.equal(pool.read(written, behind, 2), pool.bits(0x0102, 16)),
      pool.equal(pool.read(written, pool.add(behind, pool.bits(1, 8))),
                 pool.bits(2, 8))};
  EXPECT_EQ(solutions.all(known, 1, asked),
            (std::vector<Answers>{{true, false}}));
  EXPECT_EQ(solver.checks, 0);
}

TEST_F(SolutionsExamples, AskNoQuestionTwice) {
  CountingSolver solver(true);
  Solutions solutions(pool, solver, context);
  const std::vector<Term> known{sum_is("x", "y", 1), sum_is("u", "v", 2)};
  const std::vector<Term> asked{sum_is("x", "x", 4), sum_is("u", "u", 6)};
  const auto rows = solutions.all(known, 0, asked);
  EXPECT_EQ(rows.size(), 4U);
  const int checks = solver.checks;
  EXPECT_EQ(solutions.all(known, 0, asked), rows);
  // A part of it is known as well, since u and v have nothing to do with it.
  EXPECT_EQ(solutions.all(std::span(known).first(1), 0,
                          std::span<const Term>(asked).first(1)),
            (std::vector<Answers>{{false}, {true}}));
  EXPECT_EQ(solver.checks, checks);
}

// Some of a part that falls apart when its reads are variables.
TEST_F(SolutionsExamples, AreNotRememberedIfSomeAreMissing) {
  CountingSolver solver(true);
  Solutions solutions(pool, solver, context);
  const auto read = [&](const char* array, const char* index) {
    return pool.read(pool.variable(array, Sort::array(8, 8)), number(index));
  };
  std::vector<Term> asked;
  for (const char* const array : {"a", "b"}) {
    for (const unsigned bound : {5U, 10U, 15U}) {
      asked.push_back(
          pool.unsigned_less(read(array, "i"), pool.bits(bound, 8)));
    }
  }
  const Term is_seven = pool.equal(read("c", "i"), pool.bits(7, 8));
  asked.push_back(pool.unsigned_less(read("c", "i"), pool.bits(9, 8)));
  const std::vector<Term> known{
      is_seven, pool.unsigned_less(read("m", "j"), read("m", "k"))};
  EXPECT_LT(solutions.all(known, 0, asked, 3).size(), 16U);
  EXPECT_EQ(solutions.all(known, 0, asked).size(), 16U);
}

TEST_F(SolutionsExamples, EndWithTheTime) {
  CountingSolver solver(true);
  Solutions solutions(pool, solver, context);
  context.request_stop();
  context.must_stop();
  const std::vector<Term> asked{sum_is("x", "y", 1)};
  solutions.all({}, 0, asked);
  EXPECT_EQ(solver.checks, 0);
}

}  // namespace
}  // namespace agon::abstraction
