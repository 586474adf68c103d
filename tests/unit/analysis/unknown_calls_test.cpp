// SPDX-License-Identifier: Apache-2.0
// Routines without a body as statements: what these do when they are run.
#include "analysis/unknown_calls.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/mod_ref.h"
#include "analysis/points_to.h"
#include "analysis/regions.h"
#include "ir/interpreter.h"
#include "memory_program.h"

namespace agon::analysis {
namespace {

using term::Bits;
using test::MemoryProgram;

constexpr std::uint8_t kNoise = 0xee;

/// Chooses 70, 71, … and answers no calls.
class Counting final : public ir::Environment {
 public:
  Bits choose(const ir::Program&, const ir::Havoc&,
              const ir::Position&) override {
    return 70 + choices++;
  }
  std::vector<Bits> call(const ir::Program&, const ir::Function& routine,
                         std::span<const Bits>, ir::MemoryAccess&) override {
    called.push_back(routine.name);
    return {};
  }
  std::uint8_t initial_byte(std::uint64_t) override { return kNoise; }
  Bits initial_value(const ir::Program&, ir::VariableId) override { return 0; }

  unsigned choices = 0;
  std::vector<std::string> called;
};

/// With memory divided into regions or not.
class UnknownCalls : public testing::TestWithParam<bool> {
 protected:
  ir::Run run(ir::FunctionId main) {
    ir::Program program = m.program;
    const std::vector<Entry> entries{{main, false}};
    if (GetParam()) {
      const PointsTo where(program, entries);
      program = split_memory(program, where).program;
    }
    const ir::Program before = program;
    const PointsTo where(before, entries);
    const ir::Program modelled =
        model_unknown_calls(before, ModRef(before, where), false);
    return ir::interpret(modelled, main, environment);
  }

  bool was_chosen(Bits value, unsigned bytes) const {
    // A scalar, or a byte or element of an array that was chosen.
    for (unsigned i = 0; i < environment.choices; ++i) {
      Bits all = 70 + i;
      for (unsigned k = 1; k < bytes; ++k) all = all << 8 | (70 + i);
      if (value == 70 + i || value == all) return true;
    }
    return false;
  }

  MemoryProgram m;
  Counting environment;
};

TEST_P(UnknownCalls, ChangeWhatTheyCanReach) {
  const auto outside = m.routine("outside", {m.integer});
  const auto g = m.variable("g", m.integer, ir::VariableKind::Global);
  m.begin("main", {m.integer, m.integer, m.integer, m.integer, m.integer});
  const auto shown = m.object("shown", m.integer, true);
  const auto own = m.object("own", m.integer, true);
  const auto local = m.variable("l", m.integer);
  const auto result = m.variable("r", m.integer);
  m.store(m.address(shown), m.number(1, 32));
  m.store(m.address(own), m.number(2, 32));
  m.assign(g, m.number(3, 32));
  m.assign(local, m.number(4, 32));
  m.call(outside, {m.address(shown)}, {result});
  const ir::Run done =
      run(m.end({m.value(result), m.read(m.address(shown), 4), m.value(g),
                 m.read(m.address(own), 4), m.value(local)}));
  ASSERT_EQ(done.outcome, ir::Outcome::Returned);
  EXPECT_TRUE(environment.called.empty());
  for (const std::size_t i : {0U, 1U, 2U}) {
    EXPECT_TRUE(was_chosen(done.results[i], 4)) << i;
  }
  // The result is chosen last, after what it may depend on.
  EXPECT_TRUE(done.results[0] == 70 + environment.choices - 1);
  EXPECT_TRUE(done.results[4] == 4);
  EXPECT_TRUE(done.results[3] == 2);
}

TEST_P(UnknownCalls, LeaveActionsAlone) {
  const auto action = m.routine("a", {});
  m.program.functions[action.index()].is_action = true;
  m.begin("main");
  m.call(action, {});
  const ir::Run done = run(m.end());
  EXPECT_EQ(environment.called, std::vector<std::string>{"a"});
  EXPECT_EQ(environment.choices, 0U);
}

TEST_P(UnknownCalls, AllocateMemoryThatIsNew) {
  const auto allocate = m.routine("malloc", {m.void_pointer});
  const auto clear = m.routine("calloc", {m.void_pointer});
  const auto grow = m.routine("realloc", {m.void_pointer});
  const auto word = m.long_type;
  m.begin("main", {word, word, word, word, word, word, word, word, word});
  const auto p = m.variable("p", m.void_pointer);
  const auto q = m.variable("q", m.void_pointer);
  const auto c = m.variable("c", m.void_pointer);
  const auto d = m.variable("d", m.void_pointer);
  m.call(allocate, {m.number(24)}, {p});
  m.call(allocate, {m.number(1)}, {q});
  m.store(m.value(p), m.number(11));
  m.store(m.plus(m.value(p), 16), m.number(12));
  m.call(clear, {m.number(2), m.number(8)}, {c});
  m.call(grow, {m.value(p), m.number(40)}, {d});
  m.store(m.value(p), m.number(13));  // No longer the same place.
  const ir::Run done = run(m.end(
      {m.value(p), m.value(q), m.value(c), m.value(d), m.read(m.value(c), 8),
       m.read(m.plus(m.value(c), 8), 8), m.read(m.value(d), 8),
       m.read(m.plus(m.value(d), 16), 8), m.read(m.value(p), 8)}));
  ASSERT_EQ(done.outcome, ir::Outcome::Returned);
  EXPECT_TRUE(environment.called.empty());
  const std::vector<Bits>& results = done.results;
  const Bits sizes[] = {24, 1, 16, 40};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_TRUE(results[i] != 0);
    EXPECT_TRUE(results[i] % 16 == 0);
    for (std::size_t k = 0; k < i; ++k) {
      EXPECT_TRUE(results[i] + sizes[i] <= results[k] ||
                  results[k] + sizes[k] <= results[i])
          << i << " and " << k << " overlap";
    }
  }
  EXPECT_TRUE(results[4] == 0);
  EXPECT_TRUE(results[5] == 0);
  EXPECT_TRUE(results[6] == 11);
  EXPECT_TRUE(results[7] == 12);
  EXPECT_TRUE(results[8] == 13);
}

TEST_P(UnknownCalls, AllocateNothingBeyondAllAddresses) {
  const auto allocate = m.routine("malloc", {m.void_pointer});
  m.begin("main", {m.long_type});
  const auto p = m.variable("p", m.void_pointer);
  m.call(allocate, {m.pool().bits(~Bits{0}, 64)}, {p});
  EXPECT_NE(run(m.end({m.value(p)})).outcome, ir::Outcome::Returned);
}

TEST_P(UnknownCalls, AllocateSomethingEvenIfNothingIsAskedFor) {
  const auto allocate = m.routine("malloc", {m.void_pointer});
  m.begin("main", {m.long_type, m.long_type});
  const auto p = m.variable("p", m.void_pointer);
  const auto q = m.variable("q", m.void_pointer);
  m.call(allocate, {m.number(0)}, {p});
  m.call(allocate, {m.number(0)}, {q});
  const ir::Run done = run(m.end({m.value(p), m.value(q)}));
  ASSERT_EQ(done.outcome, ir::Outcome::Returned);
  EXPECT_TRUE(done.results[0] != 0);
  EXPECT_TRUE(done.results[0] != done.results[1]);
}

INSTANTIATE_TEST_SUITE_P(Memory, UnknownCalls, testing::Bool(),
                         [](const testing::TestParamInfo<bool>& one) {
                           return one.param ? "divided" : "whole";
                         });

}  // namespace
}  // namespace agon::analysis
