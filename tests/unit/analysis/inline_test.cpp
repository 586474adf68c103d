// SPDX-License-Identifier: Apache-2.0
#include "analysis/inline.h"

#include <gtest/gtest.h>

#include "analysis/call_graph.h"
#include "analysis/prune.h"
#include "random_calls.h"
#include "small_program.h"

namespace agon::analysis {
namespace {

using test::HashEnvironment;
using test::Observation;

constexpr std::uint64_t kSteps = 1000;

TEST(Inline, RunsLikeTheOriginalOnRandomPrograms) {
  unsigned finished = 0;
  unsigned actions = 0;
  for (unsigned seed = 0; seed < test::scaled(2000); ++seed) {
    SCOPED_TRACE(seed);
    test::RandomProgramOptions options;
    options.recursion = seed % 3 == 0;
    options.pointers = seed % 4 == 1;
    options.mismatches = seed % 5 == 2;
    const ir::Program program = test::RandomProgram(seed, options).program;
    const ir::FunctionId entry = *program.find_function("f0");
    const Inlined inlined = inline_calls(program, entry);
    ASSERT_TRUE(inlined.program.has_value());
    const ir::Program pruned = prune(*inlined.program, {entry}).program;
    for (unsigned run = 0; run < 3; ++run) {
      const HashEnvironment environment(run * 1000 + seed, true);
      const Observation before = observe(program, "f0", environment, kSteps);
      if (before.outcome == ir::Outcome::StepLimit ||
          before.outcome == ir::Outcome::DepthLimit) {
        continue;
      }
      ++finished;
      actions += static_cast<unsigned>(before.actions.size());
      for (const ir::Program* other : {&*inlined.program, &pruned}) {
        const Observation after =
            observe(*other, "f0", environment, 10 * kSteps);
        ASSERT_EQ(before.outcome, after.outcome);
        ASSERT_EQ(before.results, after.results);
        ASSERT_EQ(before.actions, after.actions);
      }
    }
  }
  EXPECT_GT(finished, test::scaled(2000));
  EXPECT_GT(actions, finished);
}

ir::Outcome ended(ir::Outcome outcome) {
  return outcome == ir::Outcome::Blocked ? ir::Outcome::Stopped : outcome;
}

/// Where recursion is followed, executions are the same up to a call that is
/// too deep, and whole if there is none.
TEST(Inline, FollowsRecursionUpToADepth) {
  unsigned whole = 0;
  unsigned cut = 0;
  for (unsigned seed = 0; seed < test::scaled(1500); ++seed) {
    SCOPED_TRACE(seed);
    test::RandomProgramOptions random;
    random.mismatches = seed % 5 == 2;
    random.num_functions = 3;
    random.size = 8;
    const ir::Program program = test::RandomProgram(seed, random).program;
    InlineOptions options;
    options.max_depth = 1 + seed % 3;
    options.too_deep = "too deep";
    options.max_edges = 5000;
    const Inlined inlined =
        inline_calls(program, *program.find_function("f0"), options);
    if (!inlined.program) continue;
    for (unsigned run = 0; run < 3; ++run) {
      const HashEnvironment environment(run * 1000 + seed, true);
      const Observation before = observe(program, "f0", environment, kSteps);
      const Observation after =
          observe(*inlined.program, "f0", environment, 10 * kSteps);
      if (!after.actions.empty() && after.actions.back().first == "too deep") {
        ++cut;
        ASSERT_LE(after.actions.size(), before.actions.size() + 1);
        ASSERT_TRUE(std::equal(after.actions.begin(), after.actions.end() - 1,
                               before.actions.begin()));
      } else if (before.outcome != ir::Outcome::StepLimit &&
                 before.outcome != ir::Outcome::DepthLimit) {
        ++whole;
        ASSERT_EQ(ended(before.outcome), ended(after.outcome));
        ASSERT_EQ(before.results, after.results);
        ASSERT_EQ(before.actions, after.actions);
      }
    }
  }
  EXPECT_GT(whole, test::scaled(500));
  EXPECT_GT(cut, test::scaled(100));
}

bool has_call(const ir::Program& program, ir::FunctionId caller,
              ir::FunctionId callee) {
  for (const ir::Edge& edge : program[caller].body.edges()) {
    const auto* call = std::get_if<ir::Call>(&edge.statement);
    if (call != nullptr && call->callee == callee) return true;
  }
  return false;
}

/// main calls outer twice, and outer calls inner.
class InlineExample : public testing::Test, public test::SmallProgram {
 protected:
  InlineExample()
      : top(function("main", {"x"}, 1)),
        outer(function("outer", {"a"}, 1)),
        inner(function("inner", {"b"}, 1)) {
    const auto a = program[outer].parameters[0];
    const auto b = program[inner].parameters[0];
    const auto r = local(outer, "r");
    begin(inner, 1);
    ret(0, {plus(b, 1)});  // Line 1.
    end();
    begin(outer, 2);
    call(0, 1, inner, {plus(a, 2)}, {r});  // Line 2.
    ret(1, {value(r)});                    // Line 3.
    end();
    x = program[top].parameters[0];
    begin(top, 3);
    call(0, 1, outer, {value(x)}, {x});  // Line 4.
    call(1, 2, outer, {value(x)}, {x});  // Line 5.
    ret(2, {value(x)});
    end();
  }

  ir::FunctionId top;
  ir::FunctionId outer;
  ir::FunctionId inner;
  ir::VariableId x;
};

TEST_F(InlineExample, TellsThroughWhichCallsAStatementCame) {
  const ir::Program inlined = *inline_calls(program, top).program;

  unsigned copies = 0;
  for (const ir::Edge& edge : inlined[top].body.edges()) {
    EXPECT_FALSE(std::holds_alternative<ir::Call>(edge.statement));
    if (edge.position.line != 1) continue;
    ++copies;
    const ir::InlinedCall& last = inlined.inlined[edge.inlined.index()];
    EXPECT_EQ(last.callee, inner);
    EXPECT_EQ(last.call.line, 2U);
    const ir::InlinedCall& first = inlined.inlined[last.outer.index()];
    EXPECT_EQ(first.callee, outer);
    EXPECT_EQ(first.call.line, copies + 3);
    EXPECT_FALSE(first.outer.valid());
  }
  EXPECT_EQ(copies, 2U);
  // Each copy has its own parameters and locals, under their old names.
  EXPECT_EQ(inlined[top].locals.size(), 6U);
  EXPECT_EQ(inlined[inlined[top].locals[0]].display, "a");
  EXPECT_EQ(inlined[inlined[top].locals[0]].owner, top);
}

TEST_F(InlineExample, ExtendsTheChainsOfABodyThatWasInlinedInto) {
  const ir::Program once = *inline_calls(program, outer).program;
  const ir::Program twice = *inline_calls(once, top).program;

  unsigned copies = 0;
  for (const ir::Edge& edge : twice[top].body.edges()) {
    if (edge.position.line != 1) continue;
    ++copies;
    const ir::InlinedCall& last = twice.inlined[edge.inlined.index()];
    EXPECT_EQ(last.callee, inner);
    EXPECT_EQ(twice.inlined[last.outer.index()].callee, outer);
    EXPECT_EQ(twice.inlined[last.outer.index()].call.line, copies + 3);
  }
  EXPECT_EQ(copies, 2U);
}

TEST_F(InlineExample, KeepsCallsThatAreToBeKept) {
  InlineOptions options;
  options.keep = {inner};
  const ir::Program inlined = *inline_calls(program, top, options).program;

  EXPECT_TRUE(has_call(inlined, top, inner));
  EXPECT_FALSE(has_call(inlined, top, outer));
}

TEST_F(InlineExample, StopsAtTheLimit) {
  InlineOptions options;
  options.max_edges = 10;
  const Inlined inlined = inline_calls(program, top, options);

  EXPECT_FALSE(inlined.program.has_value());
  EXPECT_EQ(inlined.reason,
            "inlining the calls of 'main' needs more than 10 edges; the limit "
            "was reached at a call of 'outer' (small.c:5)");
}

TEST_F(InlineExample, LeavesRecursiveCallsAndInlinesIntoTheirFunctions) {
  const auto f = function("f");
  const auto g = function("g");
  for (const auto& [from, to] : {std::pair(f, g), std::pair(g, f)}) {
    begin(from, 3);
    call(0, 1, inner, {number(1)});
    call(1, 2, to);
    ret(2);
    end();
  }
  const auto start = function("start");
  begin(start, 2);
  call(0, 1, f);
  ret(1);
  end();
  const ir::Program inlined = *inline_calls(program, start).program;

  EXPECT_TRUE(has_call(inlined, start, f));
  EXPECT_TRUE(has_call(inlined, f, g));
  EXPECT_TRUE(has_call(inlined, g, f));
  EXPECT_FALSE(has_call(inlined, f, inner));
  EXPECT_FALSE(has_call(inlined, g, inner));
}

TEST_F(InlineExample, MakesOnlyCopiesThatConstantArgumentsReach) {
  const auto down = function("down", {"n"});
  const auto n = program[down].parameters[0];
  begin(down, 3);
  branch(0, is_zero(n), 2, 1);
  call(1, 2, down, {plus(n, 0xffffffff)});
  ret(2);
  end();
  const auto start = function("start");
  begin(start, 2);
  call(0, 1, down, {number(5)});
  ret(1);
  end();
  InlineOptions options;
  options.max_depth = 100;
  const ir::Program inlined = *inline_calls(program, start, options).program;

  EXPECT_EQ(inlined.inlined.size(), 6);  // 5, 4, 3, 2, 1, 0.
}

TEST_F(InlineExample, LeavesNothingBehindACallThatNeverReturns) {
  const auto fail = function("fail");
  const auto puts = routine("puts");
  begin(fail, 2);
  call(0, 1, puts);
  end();
  const auto start = function("start");
  begin(start, 3);
  call(0, 1, fail);
  call(1, 2, outer, {number(1)});
  ret(2);
  end();
  const ir::Program inlined = *inline_calls(program, start).program;

  EXPECT_EQ(inlined[start].body.edges().size(), 1U);
  EXPECT_TRUE(has_call(inlined, start, puts));
}

TEST_F(InlineExample, TakesAnythingForAMissingArgument) {
  const auto start = function("start", {}, 1);
  const auto r = local(start, "r");
  const auto s = local(start, "s");
  begin(start, 2);
  call(0, 1, inner, {}, {r, s});
  ret(1, {value(r)});
  end();
  const ir::Program inlined = *inline_calls(program, start).program;

  unsigned havocs = 0;
  for (const ir::Edge& edge : inlined[start].body.edges()) {
    const auto* havoc = std::get_if<ir::Havoc>(&edge.statement);
    if (havoc == nullptr) continue;
    ++havocs;
    EXPECT_EQ(havoc->reason, ir::HavocReason::Undefined);
  }
  EXPECT_EQ(havocs, 2U);  // The parameter and the second result.
}

TEST_F(InlineExample, AssignsAllResultsAtOnce) {
  const auto a = global("a");
  const auto b = global("b");
  const auto swap = function("swap", {}, 2);
  begin(swap, 1);
  ret(0, {value(b), value(a)});
  end();
  const auto start = function("start", {}, 2);
  begin(start, 4);
  edge(0, 1, ir::Assign{a, number(1)});
  edge(1, 2, ir::Assign{b, number(2)});
  call(2, 3, swap, {}, {a, b});
  ret(3, {value(a), value(b)});
  end();
  const ir::Program inlined = *inline_calls(program, start).program;

  ir::ZeroEnvironment environment;
  const ir::Run run = ir::interpret(inlined, start, environment);
  EXPECT_EQ(run.results, (std::vector<term::Bits>{2, 1}));
}

TEST_F(InlineExample, PruningLeavesNamesOfInlinedFunctions) {
  const auto unused = function("unused");
  begin(unused, 1);
  ret(0);
  end();
  const ir::Program inlined = *inline_calls(program, top).program;
  const Pruned pruned = prune(inlined, {top});

  EXPECT_FALSE(pruned.functions[unused.index()].valid());
  ASSERT_TRUE(pruned.program.find_function("inner").has_value());
  EXPECT_FALSE(pruned.program[*pruned.program.find_function("inner")].has_body);
  EXPECT_LT(pruned.program.variables.size(), inlined.variables.size());
  const ir::FunctionId main_id = pruned.functions[top.index()];
  for (const ir::Edge& edge : pruned.program[main_id].body.edges()) {
    if (!edge.inlined.valid()) continue;
    const auto& step = pruned.program.inlined[edge.inlined.index()];
    EXPECT_LT(step.callee.index(), pruned.program.functions.size());
  }
}

TEST(Prune, FollowsAddressesThroughInitialValues) {
  test::SmallProgram small;
  ir::Program& program = small.program;
  const auto add_object = [&](const std::string& name) {
    ir::Object object;
    object.name = object.display = name;
    object.size = 16;
    return program.add_object(object);
  };
  const auto handler = small.function("handler");
  small.begin(handler, 1);
  small.ret(0);
  small.end();
  const auto string = add_object("string");
  const auto dropped = add_object("dropped");
  const auto table = add_object("table");
  const auto entry = small.global("first");
  program.variables[entry.index()].initial = program[table].address;
  program.objects[table.index()].initial = {
      {program.memory, 0,
       program.pool->add(program[string].address, program.pool->bits(1, 64))},
      {program.memory, 8, program.address_of(handler)}};
  const auto top = small.function("main", {}, 1);
  small.begin(top, 1);
  small.ret(0, {small.value(entry)});
  small.end();

  Pruned pruned = prune(program, {top});

  EXPECT_TRUE(pruned.objects[string.index()].valid());
  EXPECT_TRUE(pruned.objects[table.index()].valid());
  EXPECT_FALSE(pruned.objects[dropped.index()].valid());
  ASSERT_TRUE(pruned.functions[handler.index()].valid());
  const ir::Object& kept = pruned.program[pruned.objects[table.index()]];
  ASSERT_EQ(kept.initial.size(), 2U);
  EXPECT_EQ(pruned.program.function_of(kept.initial[1].value),
            pruned.functions[handler.index()]);
  EXPECT_EQ(kept.initial[1].value, pruned.translate(program[handler].address));
  const ir::Variable& variable =
      pruned.program[pruned.variables[entry.index()]];
  EXPECT_EQ(pruned.program.object_of(variable.initial),
            pruned.objects[table.index()]);
}

}  // namespace
}  // namespace agon::analysis
