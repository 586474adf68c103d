// SPDX-License-Identifier: Apache-2.0
#include "analysis/regions.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "analysis/function_pointers.h"
#include "memory_program.h"
#include "random_memory.h"
#include "trace.h"

namespace agon::analysis {
namespace {

using term::Term;
using test::MemoryProgram;

unsigned scale() {
  const char* text = std::getenv("AGON_TEST_SCALE");
  return text == nullptr ? 1 : static_cast<unsigned>(std::atoi(text));
}

/// Arbitrary bytes are all alike, so that they are the same in any array.
class Environment : public ir::ZeroEnvironment {
 public:
  term::Bits choose(const ir::Program& program, const ir::Havoc& havoc,
                    const ir::Position&) override {
    if (!program[havoc.target].term.sort().is_array()) return 3;
    return ~term::Bits{0} / 0xff * 0x5a;
  }
  std::uint8_t initial_byte(std::uint64_t address) override {
    return static_cast<std::uint8_t>(address * 7);
  }
};

ir::Run run(const ir::Program& program, ir::FunctionId entry) {
  Environment environment;
  return ir::interpret(program, entry, environment);
}

void expect_same(const ir::Run& a, const ir::Run& b) {
  EXPECT_EQ(a.outcome, b.outcome);
  EXPECT_EQ(a.results, b.results);
  EXPECT_EQ(a.actions, b.actions);
}

const Region* find(const SplitMemory& split, const std::string& name) {
  for (const Region& region : split.regions) {
    if (region.name == name) return &region;
  }
  return nullptr;
}

PointsTo analyse(const ir::Program& program, ir::FunctionId entry) {
  const Entry entries[] = {{entry, false}};
  return PointsTo(program, entries);
}

TEST(Regions, SplitByFieldAndWidth) {
  MemoryProgram p;
  const auto malloc_routine = p.routine("malloc", {p.void_pointer});
  p.begin("main", {p.integer});
  const auto n = p.variable("n", p.node_pointer);
  const auto fresh = p.variable("fresh", p.void_pointer);
  p.call(malloc_routine, {p.number(64)}, {fresh});
  p.assign(n, p.value(fresh));
  p.store(p.value(n), p.number(1, 32));
  p.store(p.plus(p.value(n), 8), p.value(n));
  p.store(p.plus(p.value(n), 24), p.number(2, 32));
  p.store(p.plus(p.value(n), 56), p.number(3));
  const auto main = p.end({p.read(p.plus(p.value(n), 24), 4)});
  const PointsTo points_to = analyse(p.program, main);
  const SplitMemory split = split_memory(p.program, points_to);

  ASSERT_EQ(split.regions.size(), 4U);
  ASSERT_NE(find(split, "node.key"), nullptr);
  ASSERT_NE(find(split, "node.next"), nullptr);
  ASSERT_NE(find(split, "node.v[]"), nullptr);
  ASSERT_NE(find(split, "node.sum"), nullptr);
  EXPECT_EQ(find(split, "node.key")->element_bytes, 4U);
  EXPECT_EQ(find(split, "node.next")->element_bytes, 8U);
  expect_same(run(p.program, main), run(split.program, main));
}

TEST(Regions, FallBackToBytesWhereWidthsMix) {
  MemoryProgram p;
  p.begin("main", {p.integer});
  const auto x = p.object("x", p.integer, true);
  const auto y = p.object("y", p.integer, true);
  const auto c = p.variable("c", p.char_pointer);
  p.store(p.address(x), p.number(0x01020304, 32));
  p.store(p.address(y), p.number(9, 32));
  p.assign(c, p.address(x));
  p.store(p.plus(p.value(c), 1), p.number(0x7f, 8));
  const auto main =
      p.end({p.pool().add(p.read(p.address(x), 4), p.read(p.address(y), 4))});
  const PointsTo points_to = analyse(p.program, main);
  const SplitMemory split = split_memory(p.program, points_to);
  ASSERT_EQ(split.regions.size(), 2U);
  EXPECT_EQ(split.regions[0].element_bytes, 1U);
  EXPECT_EQ(split.regions[1].element_bytes, 4U);
  const ir::Run result = run(split.program, main);
  EXPECT_EQ(result.results[0], 0x01027f04U + 9U);
  expect_same(run(p.program, main), result);
}

TEST(Regions, CopiesBecomeOnePerRegion) {
  MemoryProgram p;
  p.begin("main", {p.integer});
  const auto a = p.object("a", p.pair, true);
  const auto b = p.object("b", p.pair, true);
  const auto x = p.object("x", p.integer, true);
  p.store(p.address(x), p.number(5, 32));
  p.store(p.address(a), p.number(1, 32));
  p.store(p.plus(p.address(a), 8), p.address(x));
  p.copy(p.address(b), p.number(16), p.address(a));
  const auto main = p.end({p.pool().add(
      p.read(p.address(b), 4), p.read(p.read(p.plus(p.address(b), 8), 8), 4))});
  const PointsTo points_to = analyse(p.program, main);
  const SplitMemory split = split_memory(p.program, points_to);
  ASSERT_EQ(split.regions.size(), 3U);
  for (const Region& region : split.regions) {
    EXPECT_GE(region.element_bytes, 4U) << region.name;
  }
  EXPECT_EQ(run(split.program, main).results[0], 6U);
}

TEST(Regions, AssignmentsToSeveralRegionsHappenAtOnce) {
  MemoryProgram p;
  p.begin("main", {p.integer});
  const auto x = p.object("x", p.integer, true);
  const auto y = p.object("y", p.integer, true);
  p.store(p.address(x), p.number(1, 32));
  p.store(p.address(y), p.number(20, 32));
  // Swap in one statement.
  const Term old_x = p.read(p.address(x), 4);
  const Term old_y = p.read(p.address(y), 4);
  p.emit(
      ir::Assign{p.program.memory,
                 p.pool().write(p.pool().write(p.memory(), p.address(x), old_y),
                                p.address(y), old_x)});
  const auto main = p.end(
      {p.pool().subtract(p.read(p.address(x), 4), p.read(p.address(y), 4))});
  const PointsTo points_to = analyse(p.program, main);
  const SplitMemory split = split_memory(p.program, points_to);
  ASSERT_EQ(split.regions.size(), 2U);
  EXPECT_EQ(run(split.program, main).results[0], 19U);
}

TEST(Regions, ACopyThatCutsAnElementMakesBytes) {
  MemoryProgram p;
  p.begin("main", {p.integer});
  const auto x = p.object("x", p.integer, true);
  const Term zeros = p.pool().constant_array(p.number(0, 8), 64);
  p.store(p.address(x), p.number(0x01020304, 32));
  p.emit(ir::Assign{p.program.memory,
                    p.pool().copy(p.memory(), p.address(x), p.number(2), zeros,
                                  p.number(0))});
  const auto main = p.end({p.read(p.address(x), 4)});
  const PointsTo points_to = analyse(p.program, main);
  const SplitMemory split = split_memory(p.program, points_to);
  EXPECT_EQ(split.regions[0].element_bytes, 1U);
  EXPECT_EQ(run(split.program, main).results[0], 0x01020000U);
}

TEST(Regions, AnAccessInTheMiddleMakesBytes) {
  MemoryProgram p;
  p.begin("main", {p.integer});
  const auto x = p.object("x", p.integer, true);
  p.store(p.address(x), p.number(0x0201, 16));
  p.store(p.plus(p.address(x), 1), p.number(0x0403, 16));
  const auto main = p.end({p.pool().zero_extend(p.read(p.address(x), 2), 32)});
  const PointsTo points_to = analyse(p.program, main);
  const SplitMemory split = split_memory(p.program, points_to);
  EXPECT_EQ(split.regions[0].element_bytes, 1U);
  EXPECT_EQ(run(split.program, main).results[0], 0x0301U);
}

TEST(Regions, ReallocKeepsWhatWasThere) {
  MemoryProgram p;
  const auto malloc_routine = p.routine("malloc", {p.void_pointer});
  const auto realloc_routine = p.routine("realloc", {p.void_pointer});
  p.begin("main", {p.integer});
  const auto a = p.variable("a", p.pair_pointer);
  const auto b = p.variable("b", p.pair_pointer);
  const auto x = p.object("x", p.integer, true);
  p.store(p.address(x), p.number(4, 32));
  p.call(malloc_routine, {p.number(16)}, {a});
  p.store(p.value(a), p.number(7, 32));
  p.store(p.plus(p.value(a), 8), p.address(x));
  p.call(realloc_routine, {p.value(a), p.number(32)}, {b});
  const Term pointer = p.read(p.plus(p.value(b), 8), 8);
  const auto main =
      p.end({p.pool().add(p.read(p.value(b), 4), p.read(pointer, 4))});
  const PointsTo points_to = analyse(p.program, main);
  EXPECT_EQ(points_to.locations(pointer).size(), 1U);
  const SplitMemory split = split_memory(p.program, points_to);
  EXPECT_EQ(split.regions.size(), 3U);
  EXPECT_EQ(run(split.program, main).results[0], 11U);
}

TEST(Regions, AnAddressOfNothingIsOutside) {
  MemoryProgram p;
  p.begin("main", {p.integer});
  const auto x = p.object("x", p.integer, true);
  p.store(p.address(x), p.number(1, 32));
  p.store(p.number(0x400), p.number(2, 32));
  const auto main = p.end(
      {p.pool().add(p.read(p.number(0x400), 4), p.read(p.address(x), 4))});
  const PointsTo points_to = analyse(p.program, main);
  const SplitMemory split = split_memory(p.program, points_to);
  ASSERT_NE(find(split, "bytes"), nullptr);
  EXPECT_EQ(run(split.program, main).results[0], 3U);
}

TEST(Regions, RandomProgramsRunAsBeforeAndOnlyWhereSaid) {
  std::size_t checked = 0;
  std::size_t regions = 0;
  for (unsigned seed = 0; seed < 200 * scale(); ++seed) {
    SCOPED_TRACE(seed);
    const MemoryProgram p = test::RandomMemory(seed).make();
    const PointsTo points_to = analyse(p.program, p.function);
    test::Tracer tracer(p.program, points_to);
    Environment environment;
    const auto missed = tracer.check(p.function, environment);
    for (const std::string& text : missed) ADD_FAILURE() << text;
    checked += tracer.accesses_checked;

    const ir::Run before = run(p.program, p.function);
    ASSERT_EQ(before.outcome, ir::Outcome::Returned);
    const SplitMemory split = split_memory(p.program, points_to);
    regions += split.regions.size();
    expect_same(before, run(split.program, p.function));

    const ResolvedPointers resolved =
        resolve_function_pointers(p.program, points_to);
    expect_same(before, run(resolved.program, p.function));
    const PointsTo again = analyse(resolved.program, p.function);
    expect_same(before,
                run(split_memory(resolved.program, again).program, p.function));
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(checked, 10'000U);
  EXPECT_GT(regions, 1'000U);
}

}  // namespace
}  // namespace agon::analysis
