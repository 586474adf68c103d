// SPDX-License-Identifier: Apache-2.0
// Predicates inferred from branches.
#include "abstraction/predicate_inference.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "helpers/build_program.h"
#include "term/substitute.h"
#include "unit/abstraction/all_values.h"
#include "unit/abstraction/random_body.h"

namespace agon::abstraction {
namespace {

using term::Kind;
using term::Sort;
using term::Term;

TEST(Canonical, IsTheSameForOpposites) {
  test::Random random(14);
  for (std::size_t i = 0; i < test::scaled(300); ++i) {
    term::Pool pool;
    test::RandomFormulas make(pool, random);
    make.pairs = true;
    make.add_variables();
    const Term atom = make.formula(0);
    if (atom.is_constant()) continue;
    const Term form = canonical(pool, atom);
    EXPECT_EQ(form, canonical(pool, pool.negation(atom)));
    EXPECT_TRUE(form == atom || form == pool.negation(atom));
    EXPECT_NE(form.kind(), Kind::Not);
    EXPECT_NE(form.kind(), Kind::SLessEqual);
    EXPECT_NE(form.kind(), Kind::ULessEqual);
  }
}

// TWO Fig. 2 and Example 2: y = 8; if (x == 0) { do_a; if (y < 10) … } else {
// do_b; if (y > 5) … }.
class Example2 : public testing::Test {
 protected:
  Example2() : program(ir::DataModel::LP64) {
    program.files = {"c"};
    const ir::TypeId type = test::add_integer(program, "int", 4);
    const auto f = test::add_function(program, "f");
    const auto do_a = test::add_function(program, "do_a", {}, false);
    const auto do_b = test::add_function(program, "do_b", {}, false);
    for (const auto id : {do_a, do_b}) {
      program.functions[id.index()].is_action = true;
    }
    test::Body body(program, f);
    const auto x = body.local("x", type);
    y = body.local("y", type);
    term::Pool& pool = *program.pool;
    less = pool.signed_less(program[y].term, pool.bits(10, 32));
    greater = pool.signed_less(pool.bits(5, 32), program[y].term);
    body.assign(y, pool.bits(8, 32));
    const auto otherwise =
        body.branch(pool.equal(program[x].term, pool.bits(0, 32)));
    body.add(ir::Call{do_a, {}, {}, {}, {}});
    const auto not_less = body.branch(less);
    body.leave();
    body.here = not_less;
    body.leave();
    body.here = otherwise;
    body.add(ir::Call{do_b, {}, {}, {}, {}});
    const auto not_greater = body.branch(greater);
    body.leave();
    body.here = not_greater;
    body.leave();
    body.finish();
  }

  /// What is inferred before the edge on a line of the list above.
  std::vector<Term> before(const Precision& precision, unsigned line) {
    for (const ir::Edge& edge : program.functions[0].body.edges()) {
      if (edge.position.line == line) return precision.at(edge.from);
    }
    ADD_FAILURE() << "no such line";
    return {};
  }

  ir::Program program;
  ir::VariableId y;
  Term less;
  Term greater;
};

TEST_F(Example2, InfersWhatThePaperSays) {
  const Blocks blocks(program, ir::FunctionId(0), BlockMode::Single);
  const Liveness liveness(program, blocks.body());
  const std::vector<Term> seeds{less, greater};
  const Precision found = PredicateInference(blocks, liveness).infer(seeds);
  using Terms = std::vector<Term>;
  // Lines: 1 y = 8; 2, 3 branch; 4 do_a; 5, 6 branch; 7, 8 return; 9 do_b;
  // 10, 11 branch; 12, 13 return.
  EXPECT_EQ(before(found, 1), Terms{});
  EXPECT_EQ(before(found, 2).size(), 2U);
  EXPECT_TRUE(std::ranges::is_permutation(before(found, 2), seeds));
  EXPECT_EQ(before(found, 4), Terms{less});
  EXPECT_EQ(before(found, 5), Terms{less});
  EXPECT_EQ(before(found, 9), Terms{greater});
  EXPECT_EQ(before(found, 10), Terms{greater});
  for (const unsigned line : {7U, 8U, 12U, 13U}) {
    EXPECT_EQ(before(found, line), Terms{});
  }
}

TEST_F(Example2, TracksNothingWithoutSeeds) {
  const Blocks blocks(program, ir::FunctionId(0), BlockMode::Single);
  const Liveness liveness(program, blocks.body());
  EXPECT_TRUE(
      PredicateInference(blocks, liveness).infer({}).distinct().empty());
}

TEST(PredicateInference, IsBoundedInLoops) {
  ir::Program program(ir::DataModel::LP64);
  program.files = {"c"};
  const ir::TypeId type = test::add_integer(program, "int", 4);
  const auto f = test::add_function(program, "f");
  test::Body body(program, f);
  const auto x = body.local("x", type);
  term::Pool& pool = *program.pool;
  const Term is_zero = pool.equal(program[x].term, pool.bits(0, 32));
  const auto head = body.here;
  const auto out = body.branch(pool.negation(is_zero));
  body.assign(x, pool.add(program[x].term, pool.bits(1, 32)));
  body.go_to(head);
  body.here = out;
  body.leave();
  body.finish();
  const Blocks blocks(program, f, BlockMode::Large);
  const Liveness liveness(program, blocks.body());
  for (const std::size_t bound : {1, 2, 7}) {
    const Precision found =
        PredicateInference(blocks, liveness).infer(std::vector{is_zero}, bound);
    const auto& at_head = found.at(blocks.body().entry());
    ASSERT_EQ(at_head.size(), bound);
    for (std::size_t i = 0; i < bound; ++i) {
      // x + i == 0.
      const Term expected = pool.equal(
          pool.add(program[x].term, pool.bits(i, 32)), pool.bits(0, 32));
      EXPECT_EQ(at_head[i], expected);
    }
  }
}

/// The atoms that a body tests, in the form that is used throughout.
std::vector<Term> tests_of(const ir::Program& program) {
  std::set<Term> found;
  for (const ir::Edge& edge : program.functions[0].body.edges()) {
    const auto* const test = std::get_if<ir::Assume>(&edge.statement);
    if (test == nullptr) continue;
    term::visit_subterms(test->condition, [&](Term t) {
      if (!t.sort().is_bool() || t.is_constant()) return;
      if (t.kind() == Kind::And || t.kind() == Kind::Or) return;
      found.insert(canonical(*program.pool, t));
    });
  }
  return {found.begin(), found.end()};
}

// Unless a bound or an input is in the way, what is tracked after a statement
// is a function of what is tracked before it: no two states with the same
// values of predicates before differ in one after.
TEST(PredicateInference, TracksWhatDecidesThePredicatesAfterAStatement) {
  test::Random random(15);
  std::size_t decided = 0;
  for (std::size_t i = 0; i < test::scaled(400); ++i) {
    SCOPED_TRACE(i);
    test::BodyShape shape;
    shape.locations = 8;
    shape.depth = 0;
    const ir::Program program = test::RandomBody(random, shape).build();
    const Blocks blocks(program, ir::FunctionId(0), BlockMode::Single);
    const Liveness liveness(program, blocks.body());
    const Precision precision =
        PredicateInference(blocks, liveness).infer(tests_of(program), 1000);
    const auto worlds = test::all_assignments(test::variables_of(program));
    for (const ir::Edge& edge : blocks.body().edges()) {
      const auto* const assign = std::get_if<ir::Assign>(&edge.statement);
      for (const Term after : precision.at(edge.to)) {
        // Dead where it would have to be tracked: nothing depends on it.
        if (std::holds_alternative<ir::Havoc>(edge.statement)) continue;
        std::map<Answers, bool> value;
        for (const term::Assignment& world : worlds) {
          term::Assignment next = world;
          if (assign != nullptr) {
            next[program[assign->target].term] =
                term::evaluate(assign->value, world);
          }
          Answers before;
          for (const Term p : precision.at(edge.from)) {
            before.push_back(test::holds(p, world));
          }
          const bool now = test::holds(after, next);
          ASSERT_EQ(value.try_emplace(before, now).first->second, now);
        }
        ++decided;
      }
    }
  }
  EXPECT_GT(decided, 100U);
}

TEST(Precision, KeepsOrderAndForgetsDoubles) {
  term::Pool pool;
  const Term a = pool.variable("a", Sort::boolean());
  const Term b = pool.variable("b", Sort::boolean());
  Precision precision(2);
  EXPECT_TRUE(precision.add(ir::LocationId(1), b));
  EXPECT_TRUE(precision.add(ir::LocationId(1), a));
  EXPECT_FALSE(precision.add(ir::LocationId(1), b));
  EXPECT_TRUE(precision.add(ir::LocationId(0), b));
  EXPECT_EQ(precision.at(ir::LocationId(1)), (std::vector{b, a}));
  EXPECT_EQ(precision.distinct(), (std::vector{a, b}));
}

}  // namespace
}  // namespace agon::abstraction
