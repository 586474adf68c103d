// SPDX-License-Identifier: Apache-2.0
/// Slices of small programs, edge by edge: what has to go and what may not.
#include <gtest/gtest.h>

#include <chrono>

#include "analysis/slice.h"
#include "small_program.h"

namespace agon::analysis {
namespace {

using test::SmallProgram;

class SliceExample : public testing::Test, public SmallProgram {
 protected:
  SliceExample() : puts(routine("puts")), top(function("main", {"x", "y"})) {
    x = program[top].parameters[0];
    y = program[top].parameters[1];
  }

  /// The lines of the edges that are left of a function.
  std::vector<std::uint32_t> lines(const Criterion& criterion = {},
                                   const std::string& name = "main") {
    sliced = slice(program, top, criterion);
    std::vector<std::uint32_t> result;
    const auto id = sliced.find_function(name);
    if (!id) return result;
    for (const ir::Edge& edge : sliced[*id].body.edges()) {
      result.push_back(edge.position.line);
    }
    std::sort(result.begin(), result.end());
    return result;
  }

  static Criterion may_terminate() {
    Criterion criterion;
    criterion.loops = Loops::MayTerminate;
    return criterion;
  }

  using Lines = std::vector<std::uint32_t>;
  ir::FunctionId puts;
  ir::FunctionId top;
  ir::VariableId x;
  ir::VariableId y;
  ir::Program sliced{ir::DataModel::LP64};
};

TEST_F(SliceExample, DropsALoopThatCounts) {
  const auto i = local(top, "i");
  const auto sum = local(top, "sum");
  begin(top, 7);
  edge(0, 1, ir::Assign{i, number(0)});
  branch(1, less(i, 10), 2, 4);
  edge(2, 3, ir::Assign{sum, program.pool->add(value(sum), value(i))});
  edge(3, 1, ir::Assign{i, plus(i, 1)});
  edge(4, 5, ir::Assign{y, plus(x, 1)});  // Line 6.
  call(5, 6, puts, {value(y)});
  ret(6);
  end();

  EXPECT_EQ(lines(), (Lines{6, 7, 8}));
  EXPECT_EQ(sliced.variables.size(), 3U);  // Memory and the parameters.
}

TEST_F(SliceExample, KeepsALoopThatMayNotEnd) {
  const auto sum = local(top, "sum");
  begin(top, 5);
  branch(0, is_zero(x), 3, 1);                // Lines 1 and 2.
  edge(1, 2, ir::Assign{sum, plus(sum, 1)});  // Line 3.
  edge(2, 0, ir::Assign{x, plus(x, 2)});      // Line 4.
  call(3, 4, puts, {value(y)});
  ret(4);
  end();

  EXPECT_EQ(lines(), (Lines{1, 2, 4, 5, 6}));
  EXPECT_EQ(lines(may_terminate()), (Lines{5, 6}));
}

TEST_F(SliceExample, KeepsALoopThatNothingLeaves) {
  begin(top, 3);
  branch(0, is_zero(x), 1, 2);
  edge(1, 1, ir::Assign{y, plus(y, 1)});
  ret(2);
  end();

  EXPECT_EQ(lines(may_terminate()), (Lines{1, 2, 3, 4}));
  EXPECT_EQ(sliced[*sliced.find_function("main")].body.edges().size(), 4U);
}

TEST_F(SliceExample, CollapsesABranchWithoutConsequence) {
  begin(top, 6);
  branch(0, is_zero(x), 1, 2);
  edge(1, 3, ir::Assign{y, number(1)});
  edge(2, 3, ir::Assign{y, number(2)});
  call(3, 4, puts, {number(7)});  // Line 5.
  ret(4);
  end();

  EXPECT_EQ(lines(), (Lines{5, 6}));
}

TEST_F(SliceExample, KeepsABranchThatStopsAndAnAssumptionThatBlocks) {
  begin(top, 6);
  branch(0, is_zero(x), 5, 1);         // Location 5 has no edges.
  edge(1, 2, ir::Assume{less(y, 3)});  // Line 3.
  edge(2, 3, ir::Assign{y, number(2)});
  call(3, 4, puts, {number(7)});
  ret(4);
  end();

  EXPECT_EQ(lines(), (Lines{1, 2, 3, 5, 6}));
}

TEST_F(SliceExample, TellsAssignmentsOfOneVariableApart) {
  begin(top, 6);
  edge(0, 1, ir::Assign{x, plus(y, 1)});
  edge(1, 2, ir::Assign{x, number(3)});
  call(2, 3, puts, {value(x)});
  edge(3, 4, ir::Assign{x, plus(y, 2)});
  ret(4);
  end();

  EXPECT_EQ(lines(), (Lines{2, 3, 5}));
}

TEST_F(SliceExample, FollowsParametersAndResults) {
  const auto add = function("add", {"a", "b"}, 1);
  const auto a = program[add].parameters[0];
  const auto useless = function("useless", {"c"});
  const auto g = global("g");
  begin(add, 2);
  edge(0, 1, ir::Assign{g, value(program[add].parameters[1])});
  ret(1, {plus(a, 1)});
  end();
  begin(useless, 2);
  edge(0, 1, ir::Assign{g, number(1)});
  ret(1);
  end();
  const auto r = local(top, "r");
  begin(top, 6);
  edge(0, 1, ir::Assign{y, plus(y, 1)});  // Line 5.
  call(1, 2, useless, {value(y)});
  call(2, 3, add, {value(x), value(y)}, {r});
  call(3, 4, puts, {value(r)});
  ret(4);
  end();

  EXPECT_EQ(lines(), (Lines{7, 8, 9}));
  EXPECT_EQ(lines({}, "add"), (Lines{2}));
  EXPECT_FALSE(sliced.find_function("useless").has_value());
  const auto& main_body = sliced[*sliced.find_function("main")].body;
  const auto& kept = std::get<ir::Call>(main_body.edges()[0].statement);
  EXPECT_EQ(kept.arguments[0].name(), "x");
  EXPECT_TRUE(kept.arguments[1].is_constant());
}

TEST_F(SliceExample, KeepsAnUnobservedRoutineForItsResultOnly) {
  const auto log = routine("log");
  const auto read = routine("read", 1);
  begin(top, 5);
  call(0, 1, log, {value(x)});
  call(1, 2, read, {}, {x});
  call(2, 3, puts, {value(x)});
  ret(3);
  end();
  Criterion criterion;
  criterion.routines.emplace({puts});

  EXPECT_EQ(lines(criterion), (Lines{2, 3, 4}));
  criterion.arguments = false;
  EXPECT_EQ(lines(criterion), (Lines{3, 4}));
}

TEST_F(SliceExample, KeepsMemoryOnlyIfItIsRead) {
  ir::Object object;
  object.name = object.display = "buffer";
  object.size = 4;
  const auto buffer = program.add_object(object);
  const auto log = routine("log");
  const auto memory = value(program.memory);
  const auto where = program[buffer].address;
  begin(top, 6);
  edge(
      0, 1,
      ir::Assign{program.memory, program.pool->write(memory, where, value(x))});
  call(1, 2, log);
  edge(2, 3, ir::Assign{y, program.pool->read(memory, where, 4)});
  call(3, 4, puts, {value(y)});
  ret(4);
  end();
  Criterion criterion;
  criterion.routines.emplace({puts});

  EXPECT_EQ(lines(criterion), (Lines{1, 2, 3, 4, 5}));
  criterion.may_write = [&](ir::FunctionId routine, ir::VariableId) {
    return routine != log;
  };
  EXPECT_EQ(lines(criterion), (Lines{1, 3, 4, 5}));
  criterion.arguments = false;
  EXPECT_EQ(lines(criterion), (Lines{4, 5}));
  EXPECT_TRUE(sliced.objects.empty());
}

TEST_F(SliceExample, KeepsObservedVariables) {
  const auto g = global("g");
  begin(top, 5);
  edge(0, 1, ir::Assign{g, number(1)});
  call(1, 2, puts);
  edge(2, 3, ir::Assign{g, number(2)});
  edge(3, 4, ir::Assign{g, number(3)});
  ret(4);
  end();

  EXPECT_EQ(lines(), (Lines{2, 5}));
  Criterion criterion;
  criterion.variables = {g};
  EXPECT_EQ(lines(criterion), (Lines{1, 2, 4, 5}));
}

TEST_F(SliceExample, KeepsRecursionThatMayNotEnd) {
  const auto f = function("f", {"n"});
  const auto n = program[f].parameters[0];
  begin(f, 3);
  branch(0, is_zero(n), 2, 1);
  call(1, 2, f, {plus(n, 2)});
  ret(2);
  end();
  begin(top, 3);
  call(0, 1, f, {value(x)});  // Line 5.
  call(1, 2, puts);
  ret(2);
  end();

  EXPECT_EQ(lines(), (Lines{5, 6, 7}));
  EXPECT_EQ(lines({}, "f"), (Lines{1, 2, 3, 4}));
  EXPECT_EQ(lines(may_terminate()), (Lines{6, 7}));
}

TEST_F(SliceExample, StopsInPlaceOfACallThatOnlyStops) {
  const auto g = global("g");
  const auto die = function("die");
  const auto fail = function("fail");
  begin(die, 2);
  edge(0, 1, ir::Assign{g, number(1)});  // Location 1 has no edges.
  end();
  begin(fail, 2);
  call(0, 1, die);
  ret(1);
  end();
  begin(top, 3);
  branch(0, is_zero(x), 1, 2);  // Lines 4 and 5.
  call(1, 2, fail);
  ret(2);
  end();

  EXPECT_EQ(lines(), (Lines{4, 5, 7}));
  EXPECT_EQ(sliced.functions.size(), 1U);
}

TEST_F(SliceExample, MakesOneReturnOfSeveralIfOnlyTheFactMatters) {
  begin(top, 3);
  branch(0, is_zero(x), 1, 2);
  ret(1, {number(1)});
  ret(2, {number(2)});
  end();

  EXPECT_EQ(lines(), (Lines{1, 2, 3, 4}));
  Criterion criterion;
  criterion.returns = Returns::Fact;
  EXPECT_EQ(lines(criterion).size(), 1U);
}

// Long bodies with many branches, loops and variables that are assigned often.
TEST_F(SliceExample, IsNearLinear) {
  constexpr unsigned kParts = 12'000;
  std::vector<ir::VariableId> locals;
  for (unsigned i = 0; i < 50; ++i) {
    locals.push_back(local(top, "v" + std::to_string(i)));
  }
  begin(top, 8 * kParts + 1);
  for (unsigned i = 0; i < kParts; ++i) {
    const unsigned at = 8 * i;
    const auto a = locals[i % 50];
    const auto b = locals[(i * 7 + 1) % 50];
    branch(at, is_zero(a), at + 1, at + 2);
    edge(at + 1, at + 3, ir::Assign{b, plus(a, 1)});
    call(at + 2, at + 3, puts, {value(b)});
    branch(at + 3, less(b, i), at + 4, at + 6);
    edge(at + 4, at + 5, ir::Assign{b, plus(b, 2)});
    edge(at + 5, at + 3, ir::Assign{a, value(x)});
    edge(at + 6, at + 7, ir::Assign{a, plus(b, 1)});
    branch(at + 7, is_zero(b), at + 8, 8 * kParts);
  }
  ret(8 * kParts);
  end();
  const auto start = std::chrono::steady_clock::now();

  EXPECT_GT(lines().size(), 100'000U);

  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

}  // namespace
}  // namespace agon::analysis
