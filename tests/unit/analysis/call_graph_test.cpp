// SPDX-License-Identifier: Apache-2.0
#include "analysis/call_graph.h"

#include <gtest/gtest.h>

#include <random>

#include "small_program.h"

namespace agon::analysis {
namespace {

unsigned below(std::mt19937& random, unsigned n) {
  return static_cast<unsigned>(random() % n);
}

using test::SmallProgram;

/// A function that calls others in turn.
void define(SmallProgram& small, ir::FunctionId function,
            const std::vector<ir::FunctionId>& callees) {
  const auto count = static_cast<unsigned>(callees.size());
  small.begin(function, count + 1);
  for (unsigned i = 0; i < count; ++i) small.call(i, i + 1, callees[i]);
  small.ret(count);
  small.end();
}

TEST(CallGraph, NamesARecursiveCycleWithItsCalls) {
  SmallProgram small;
  const auto f = small.function("f");
  const auto g = small.function("g");
  const auto h = small.function("h");
  const auto puts = small.routine("puts");
  define(small, f, {puts, h});  // Lines 1 to 3.
  define(small, g, {puts, f});  // Lines 4 to 6.
  define(small, h, {puts, g});  // Lines 7 to 9.
  const CallGraph graph(small.program);

  const auto cycles = recursive_cycles(graph, f);

  ASSERT_EQ(cycles.size(), 1U);
  EXPECT_EQ(to_string(small.program, cycles[0]),
            "f (small.c:2) calls h (small.c:8) calls g (small.c:5) calls f");
  EXPECT_TRUE(graph.is_recursive(g));
  EXPECT_FALSE(graph.is_recursive(puts));
}

TEST(CallGraph, KnowsAFunctionThatCallsItself) {
  SmallProgram small;
  const auto top = small.function("main");
  const auto f = small.function("f");
  const auto g = small.function("g");
  define(small, top, {f, g});  // Lines 1 to 3.
  define(small, f, {f});       // Lines 4 and 5.
  define(small, g, {});
  const CallGraph graph(small.program);

  const auto cycles = recursive_cycles(graph, top);

  ASSERT_EQ(cycles.size(), 1U);
  EXPECT_EQ(to_string(small.program, cycles[0]), "f (small.c:4) calls f");
  EXPECT_FALSE(graph.is_recursive(top));
  EXPECT_FALSE(graph.is_recursive(g));
  EXPECT_TRUE(recursive_cycles(graph, g).empty());
}

TEST(CallGraph, LetsAPointerReachWhatHasAnAddress) {
  SmallProgram small;
  const auto top = small.function("main");
  const auto one = small.function("one", {"a"}, 1);
  const auto two = small.function("two", {"a", "b"}, 1);
  const auto hidden = small.function("hidden", {"a"}, 1);
  const auto x = small.local(top, "x");
  for (const auto f : {one, two, hidden}) {
    small.begin(f, 1);
    small.ret(0, {small.number(1)});
    small.end();
  }
  const auto pointer = small.program.address_of(one);
  small.program.address_of(two);
  small.begin(top, 2);
  small.edge(0, 1, ir::Call{{}, pointer, {small.number(1)}, {x}, {}});
  small.ret(1);
  small.end();

  const CallGraph graph(small.program);
  const auto calls = graph.calls(top);

  ASSERT_EQ(calls.size(), 2U);
  EXPECT_EQ(calls[0].callee, one);
  EXPECT_TRUE(calls[0].through_pointer);
  EXPECT_EQ(calls[1].callee, two);  // Also with too few arguments.
  EXPECT_EQ(graph.reachable(top), (std::vector{top, one, two}));
}

// Against the definition: two functions are in one component if each reaches
// the other.
TEST(CallGraph, AgreesWithTheDefinitionOnRandomGraphs) {
  std::mt19937 random(7);
  for (unsigned round = 0; round < 300; ++round) {
    SCOPED_TRACE(round);
    SmallProgram small;
    const unsigned size = 1 + below(random, 9);
    std::vector<ir::FunctionId> functions;
    for (unsigned i = 0; i < size; ++i) {
      functions.push_back(small.function("f" + std::to_string(i)));
    }
    std::vector<std::vector<bool>> reaches(size, std::vector<bool>(size));
    for (unsigned i = 0; i < size; ++i) {
      std::vector<ir::FunctionId> callees;
      for (unsigned j = 0; j < size; ++j) {
        if (below(random, 5) != 0) continue;
        callees.push_back(functions[j]);
        reaches[i][j] = true;
      }
      define(small, functions[i], callees);
    }
    for (unsigned k = 0; k < size; ++k) {
      for (unsigned i = 0; i < size; ++i) {
        for (unsigned j = 0; j < size; ++j) {
          if (reaches[i][k] && reaches[k][j]) reaches[i][j] = true;
        }
      }
    }
    const CallGraph graph(small.program);
    for (unsigned i = 0; i < size; ++i) {
      ASSERT_EQ(graph.is_recursive(functions[i]), reaches[i][i]);
      for (unsigned j = 0; j < size; ++j) {
        const bool same =
            graph.component(functions[i]) == graph.component(functions[j]);
        ASSERT_EQ(same, i == j || (reaches[i][j] && reaches[j][i]));
        if (reaches[i][j]) {
          ASSERT_GE(graph.component(functions[i]),
                    graph.component(functions[j]));
        }
      }
      for (const auto& cycle : recursive_cycles(graph, functions[i])) {
        for (std::size_t c = 0; c < cycle.calls.size(); ++c) {
          const auto& next = cycle.calls[(c + 1) % cycle.calls.size()];
          ASSERT_EQ(cycle.calls[c].callee, next.caller);
        }
      }
    }
  }
}

}  // namespace
}  // namespace agon::analysis
