// SPDX-License-Identifier: Apache-2.0
// Mathematical integers against those of the machine.
#include "verify/mathematical.h"

#include <gtest/gtest.h>

#include <map>

#include "helpers/build_program.h"
#include "helpers/random_lts.h"
#include "smt/z3_solver.h"

namespace agon::verify {
namespace {

using support::Verdict;
using term::Kind;
using term::Term;
using test::below;

/// Programs whose numbers stay small: inputs are from 0 to 7, every loop runs
/// at most three times, and nothing is multiplied in a loop.
class SmallNumbers {
 public:
  explicit SmallNumbers(test::Random& random)
      : program(ir::DataModel::LP64), random_(random), pool_(*program.pool) {
    program.files = {"c"};
    const auto with_sign = test::add_integer(program, "int", 4);
    const auto without = test::add_integer(program, "unsigned", 4, false);
    entry = test::add_function(program, "f");
    for (const char* const name : {"a", "b", "c"}) {
      actions_.push_back(test::add_function(program, name, {}, false));
      program.functions[actions_.back().index()].is_action = true;
    }
    body_.emplace(program, entry);
    for (const char* const name : {"x", "y", "z"}) {
      numbers_.push_back(body_->local(name, with_sign));
    }
    counter_type_ = without;
    for (const ir::VariableId v : numbers_) input(v);
    block(2);
    body_->leave();
    body_->finish();
  }

  ir::Program program;
  ir::FunctionId entry;

 private:
  Term number(int n) { return pool_.bits(static_cast<term::Bits>(n), 32); }
  Term any() { return program[numbers_[below(random_, numbers_.size())]].term; }
  ir::VariableId target() { return numbers_[below(random_, numbers_.size())]; }

  void input(ir::VariableId v) {
    body_->add(ir::Havoc{v, ir::HavocReason::Input, "?"});
    body_->add(ir::Assume{pool_.unsigned_less(program[v].term, number(8))});
  }

  Term condition() {
    const Term k = number(static_cast<int>(below(random_, 12)) - 4);
    switch (below(random_, 5)) {
      case 0:
        return pool_.equal(any(), k);
      case 1:
        return pool_.signed_less(any(), any());
      case 2:
        return pool_.equal(pool_.bit_and(any(), number(3)), k);
      case 3:
        return pool_.signed_less(
            pool_.binary(Kind::SRemainder, any(), number(3)), k);
      default:
        return pool_.binary(Kind::SLessEqual, any(), k);
    }
  }

  void statement() {
    switch (below(random_, 5)) {
      case 0:
        return body_->assign(
            target(),
            pool_.add(any(), number(static_cast<int>(below(random_, 5)) - 2)));
      case 1:
        return body_->assign(target(), pool_.subtract(any(), any()));
      case 2:
        return input(target());
      default: {
        const auto action = actions_[below(random_, actions_.size())];
        return body_->add(ir::Call{action, {}, {}, {}, {}});
      }
    }
  }

  void block(unsigned depth) {
    for (std::size_t n = 1 + below(random_, 3); n > 0; --n) {
      const std::size_t dice = depth == 0 ? 9 : below(random_, 6);
      if (dice == 0) {
        loop(depth - 1);
      } else if (dice < 3) {
        branch(depth - 1);
      } else {
        statement();
      }
    }
  }

  void branch(unsigned depth) {
    const auto otherwise = body_->branch(condition());
    block(depth);
    const auto end = body_->new_location();
    body_->go_to(end);
    body_->here = otherwise;
    if (below(random_, 2) == 0) block(depth);
    body_->go_to(end);
    body_->here = end;
  }

  void loop(unsigned depth) {
    const auto counter = body_->local("n", counter_type_);
    const Term n = program[counter].term;
    body_->assign(counter, number(0));
    const auto head = body_->new_location();
    body_->go_to(head);
    body_->here = head;
    const auto end = body_->branch(pool_.unsigned_less(n, number(3)));
    block(depth);
    body_->assign(counter, pool_.add(n, number(1)));
    body_->go_to(head);
    body_->here = end;
  }

  test::Random& random_;
  term::Pool& pool_;
  std::vector<ir::FunctionId> actions_;
  std::vector<ir::VariableId> numbers_;
  ir::TypeId counter_type_;
  std::optional<test::Body> body_;
};

evidence::Result decide_machine(const ir::Program& program,
                                ir::FunctionId entry, const lts::Lts& spec,
                                const Options& options) {
  const auto solver = smt::make_z3_solver();
  support::Context context;
  return decide({program, entry, spec}, options, *solver, context);
}

evidence::Result decide_integers(const ir::Program& program,
                                 ir::FunctionId entry, const lts::Lts& spec,
                                 const Options& options) {
  const auto solver = smt::make_z3_solver();
  support::Context context;
  const auto both = to_mathematical(program, entry);
  return decide({both->program(), entry, spec, both.get()}, options, *solver,
                context);
}

lts::Lts random_spec(test::Random& random) {
  const auto labels = std::make_shared<lts::LabelTable>();
  for (const char* const name : {"a", "b", "c"}) labels->intern(name);
  const lts::Lts made = test::random_lts(
      random, labels,
      {.max_states = 5, .max_labels = 3, .silent = 0.1, .density = 3});
  lts::LtsBuilder builder(labels);
  builder.ensure_states(made.num_states());
  builder.set_initial(made.initial());
  for (std::size_t s = 0; s < made.num_states(); ++s) {
    for (const lts::Transition t : made.out(lts::State::at(s))) {
      builder.add_transition(lts::State::at(s), t.label, t.target);
    }
  }
  for (const char* const name : {"a", "b"}) {
    builder.extend_alphabet(labels->intern(name));
  }
  return std::move(builder).build();
}

TEST(MathematicalIntegers, AgreeWithTheMachineWhereNothingOverflows) {
  std::map<Verdict, std::size_t> seen;
  for (unsigned seed = 0; seed < test::scaled(60); ++seed) {
    test::Random random(seed);
    const SmallNumbers made(random);
    const lts::Lts spec = random_spec(random);
    Options options;
    options.max_iterations = 60;
    options.conformance =
        below(random, 2) == 0 ? Conformance::Simulation : Conformance::Auto;
    options.blocks = below(random, 4) == 0 ? abstraction::BlockMode::Single
                                           : abstraction::BlockMode::Large;
    const auto machine =
        decide_machine(made.program, made.entry, spec, options);
    const auto integers =
        decide_integers(made.program, made.entry, spec, options);
    EXPECT_EQ(integers.reason.find("overflow"), std::string::npos) << seed;
    if (machine.verdict == Verdict::Unknown ||
        integers.verdict == Verdict::Unknown) {
      ++seen[Verdict::Unknown];
      continue;
    }
    ASSERT_EQ(integers.verdict, machine.verdict) << seed;
    ++seen[machine.verdict];
  }
  EXPECT_GT(seen[Verdict::Holds], test::scaled(60) / 10);
  EXPECT_GT(seen[Verdict::Violated], test::scaled(60) / 10);
  EXPECT_LE(seen[Verdict::Unknown], test::scaled(60) / 20);
}

class Differences : public testing::Test {
 protected:
  Differences() : program(ir::DataModel::LP64), pool(*program.pool) {
    program.files = {"c"};
    type = test::add_integer(program, "int", 4);
    entry = test::add_function(program, "f");
    error = test::add_function(program, "error", {}, false);
    program.functions[error.index()].is_action = true;
    body.emplace(program, entry);
    x = body->local("x", type);
    y = body->local("y", type);
    for (const ir::VariableId v : {x, y}) {
      body->add(ir::Havoc{v, ir::HavocReason::Input, "?"});
    }
  }

  /// Performs `error` where the condition holds. Both answers.
  std::pair<evidence::Result, evidence::Result> decide_error(Term condition) {
    const auto otherwise = body->branch(condition);
    body->add(ir::Call{error, {}, {}, {}, {}});
    body->leave();
    body->here = otherwise;
    body->leave();
    body->finish();
    lts::LtsBuilder builder(std::make_shared<lts::LabelTable>());
    builder.set_initial(builder.add_state());
    builder.extend_alphabet(builder.labels()->intern("error"));
    const lts::Lts spec = std::move(builder).build();
    return {decide_machine(program, entry, spec, {}),
            decide_integers(program, entry, spec, {})};
  }

  Term value(ir::VariableId v) const { return program[v].term; }

  ir::Program program;
  term::Pool& pool;
  ir::TypeId type;
  ir::FunctionId entry;
  ir::FunctionId error;
  std::optional<test::Body> body;
  ir::VariableId x;
  ir::VariableId y;
};

TEST_F(Differences, ASuccessorIsAlwaysGreater) {
  const Term next = pool.add(value(x), pool.bits(1, 32));
  const auto [machine, integers] =
      decide_error(pool.binary(Kind::SLessEqual, next, value(x)));
  EXPECT_EQ(machine.verdict, Verdict::Violated);
  EXPECT_EQ(integers.verdict, Verdict::Holds) << integers.reason;
}

TEST_F(Differences, WhatOnlyIntegersCanDoIsUnknown) {
  // x = y * 2^16 reaches 2^40 over integers only.
  body->add(ir::Assume{pool.signed_less(pool.bits(1 << 20, 32), value(y))});
  body->assign(x, pool.multiply(value(y), pool.bits(1 << 16, 32)));
  body->assign(y, pool.binary(Kind::SDivide, value(x), pool.bits(1 << 16, 32)));
  const auto [machine, integers] =
      decide_error(pool.signed_less(pool.bits(1 << 20, 32), value(y)));
  EXPECT_EQ(machine.verdict, Verdict::Holds) << machine.reason;
  EXPECT_EQ(integers.verdict, Verdict::Unknown);
  EXPECT_EQ(integers.reason,
            "the counterexample needs arithmetic without overflow");
}

TEST_F(Differences, ACounterexampleMayPassOperationsOnBits) {
  body->assign(y, pool.binary(Kind::BitXor, value(x), value(y)));
  const auto [machine, integers] =
      decide_error(pool.equal(value(x), pool.bits(-term::Bits{7}, 32)));
  EXPECT_EQ(machine.verdict, Verdict::Violated);
  ASSERT_EQ(integers.verdict, Verdict::Violated) << integers.reason;
  const auto& steps = integers.counterexample->steps;
  EXPECT_TRUE(std::ranges::any_of(steps, [](const auto& step) {
    return !step.values.empty() && step.values[0].second == "-7";
  }));
}

}  // namespace
}  // namespace agon::verify
