// SPDX-License-Identifier: Apache-2.0
#include "analysis/points_to.h"

#include <gtest/gtest.h>

#include "analysis/function_pointers.h"
#include "analysis/mod_ref.h"
#include "ir/interpreter.h"
#include "memory_program.h"

namespace agon::analysis {
namespace {

using ir::FunctionId;
using ir::TypeId;
using term::Term;
using test::MemoryProgram;
using Names = std::vector<std::string>;

Names names(const PointsTo& points_to, Term term) {
  Names result;
  for (const Location& location : points_to.locations(term)) {
    result.push_back(points_to.to_string(location));
  }
  return result;
}

PointsTo analyse(const ir::Program& program, ir::FunctionId entry,
                 bool any_state = false) {
  const Entry entries[] = {{entry, any_state}};
  return PointsTo(program, entries);
}

TEST(PointsTo, FollowsStoresAndLoadsByField) {
  MemoryProgram p;
  p.begin("main");
  const auto a = p.object("a", p.pair, true);
  const auto x = p.object("x", p.integer, true);
  const auto y = p.object("y", p.integer, true);
  const auto q = p.variable("q", p.pair_pointer);
  const auto r = p.variable("r", p.int_pointer);
  p.assign(q, p.address(a));
  p.store(p.plus(p.value(q), 8), p.address(x));
  p.assign(r, p.read(p.plus(p.address(a), 8), 8));
  const auto main = p.end();
  const PointsTo points_to = analyse(p.program, main);
  EXPECT_EQ(names(points_to, p.value(r)), Names{"x"});
  EXPECT_EQ(names(points_to, p.plus(p.value(q), 8)), Names{"a.p"});
  EXPECT_EQ(names(points_to, p.read(p.value(q), 4)), Names{});
  EXPECT_EQ(names(points_to, p.address(y)), Names{"y"});
  EXPECT_NE(points_to.explain(p.value(r), points_to.locations(p.value(r))[0])
                .find("a.p holds x"),
            std::string::npos);
}

TEST(PointsTo, KeepsPointersThatTravelAsIntegers) {
  MemoryProgram p;
  p.begin("main");
  const auto x = p.object("x", p.integer, true);
  const auto n = p.variable("n", p.long_type);
  const auto m = p.variable("m", p.long_type);
  p.assign(n, p.pool().bit_or(p.address(x), p.number(1)));
  p.assign(m, p.pool().extract(p.value(n), 0, 64));
  const auto main = p.end();
  const PointsTo points_to = analyse(p.program, main);
  EXPECT_EQ(names(points_to, p.value(m)), Names{"x+?"});
  // The difference of two pointers is none.
  const Term difference =
      p.pool().subtract(p.address(x), p.value(p.variable("r", p.int_pointer)));
  EXPECT_TRUE(names(points_to, difference).empty());
}

TEST(PointsTo, PointersPassThroughQuotientsAndRemainders) {
  for (const term::Kind kind : {term::Kind::UDivide, term::Kind::URemainder,
                                term::Kind::SDivide, term::Kind::SRemainder}) {
    MemoryProgram p;
    p.begin("main");
    const auto x = p.object("x", p.integer, true);
    const auto n = p.variable("n", p.long_type);
    const auto m = p.variable("m", p.long_type);
    p.assign(n, p.address(x));
    p.assign(m, p.pool().binary(kind, p.value(n), p.number(1000003)));
    const auto main = p.end();
    const PointsTo points_to = analyse(p.program, main);
    EXPECT_EQ(names(points_to, p.value(m)), Names{"x+?"});
  }
}

TEST(PointsTo, PointersPassThroughTheirLowHalves) {
  MemoryProgram p;
  p.begin("main");
  const auto x = p.object("x", p.integer, true);
  const auto n = p.variable("n", p.long_type);
  const auto high = p.variable("high", p.long_type);
  const auto m = p.variable("m", p.long_type);
  p.assign(n, p.address(x));
  p.assign(m, p.pool().concat(p.pool().extract(p.value(high), 0, 32),
                              p.pool().extract(p.value(n), 0, 32)));
  const auto main = p.end();
  const PointsTo points_to = analyse(p.program, main);
  EXPECT_EQ(names(points_to, p.value(m)), Names{"x"});
}

TEST(PointsTo, DifferencesOfNumbersKeepPointers) {
  MemoryProgram p;
  p.begin("main");
  const auto x = p.object("x", p.integer, true);
  const auto y = p.object("y", p.integer, true);
  const auto sum = p.variable("sum", p.long_type);
  const auto rest = p.variable("rest", p.long_type);
  const auto flipped = p.variable("flipped", p.long_type);
  const auto back = p.variable("back", p.long_type);
  p.assign(sum, p.pool().add(p.address(x), p.address(y)));
  p.assign(rest, p.pool().subtract(p.value(sum), p.address(y)));
  p.assign(flipped, p.pool().subtract(p.number(5), p.address(x)));
  p.assign(back, p.pool().subtract(p.number(5), p.value(flipped)));
  const auto main = p.end();
  const PointsTo points_to = analyse(p.program, main);
  EXPECT_EQ(names(points_to, p.value(rest)), (Names{"x+?", "y+?"}));
  EXPECT_EQ(names(points_to, p.value(flipped)), Names{"x+?"});
  EXPECT_EQ(names(points_to, p.value(back)), Names{"x+?"});
}

TEST(PointsTo, ComparisonsKeepNothing) {
  MemoryProgram p;
  p.begin("main");
  const auto x = p.object("x", p.integer, true);
  const auto y = p.object("y", p.integer, true);
  const auto n = p.variable("n", p.long_type);
  const Term is_equal = p.pool().equal(p.value(n), p.address(x));
  p.assign(n, p.pool().ite(is_equal, p.address(y), p.number(0)));
  const auto main = p.end();
  const PointsTo points_to = analyse(p.program, main);
  EXPECT_EQ(names(points_to, p.value(n)), Names{"y"});
}

TEST(PointsTo, CallsPassPointersBothWays) {
  MemoryProgram p;
  const auto g = p.object("g", p.integer);
  p.begin("id", {p.int_pointer});
  const auto parameter =
      p.variable("parameter", p.int_pointer, ir::VariableKind::Parameter);
  const auto id = p.end({p.value(parameter)});
  p.begin("unused", {p.int_pointer});
  const auto other =
      p.variable("other", p.int_pointer, ir::VariableKind::Parameter);
  const auto unused = p.end({p.value(other)});
  p.begin("main");
  const auto r = p.variable("r", p.int_pointer);
  p.call(id, {p.address(g)}, {r});
  const auto main = p.end();
  const PointsTo points_to = analyse(p.program, main);
  EXPECT_EQ(names(points_to, p.value(r)), Names{"g"});
  EXPECT_TRUE(points_to.is_reachable(id));
  EXPECT_FALSE(points_to.is_reachable(unused));
}

TEST(PointsTo, KnownRoutinesDoNotLeakAndUnknownOnesDo) {
  for (const bool is_known : {true, false}) {
    MemoryProgram p;
    const auto routine = p.routine(is_known ? "printf" : "mystery", {});
    const auto get = p.routine("get", {p.int_pointer});
    p.begin("main");
    const auto x = p.object("x", p.integer, true);
    const auto r = p.variable("r", p.int_pointer);
    p.call(routine, {p.address(x)});
    p.call(get, {}, {r});
    const auto main = p.end();
    const PointsTo points_to = analyse(p.program, main);
    EXPECT_EQ(points_to.is_escaped(SiteId::at(x.index())), !is_known);
    const Names expected = is_known ? Names{"ext int"} : Names{"x", "ext int"};
    EXPECT_EQ(names(points_to, p.value(r)), expected);
  }
}

TEST(PointsTo, AnyStateIsTyped) {
  MemoryProgram p;
  const auto g = p.object("g", p.node);
  const auto h = p.object("h", p.pair);
  p.begin("target");
  const auto n = p.variable("n", p.node_pointer, ir::VariableKind::Parameter);
  const auto i = p.variable("i", p.int_pointer, ir::VariableKind::Parameter);
  p.store(p.value(i), p.number(1, 32));
  const auto target = p.end();
  const PointsTo points_to = analyse(p.program, target, true);
  EXPECT_EQ(names(points_to, p.value(n)),
            (Names{"g.key", "ext struct node.key"}));
  const Names integers = names(points_to, p.value(i));
  const auto has = [&](const char* name) {
    return std::find(integers.begin(), integers.end(), name) != integers.end();
  };
  EXPECT_TRUE(has("g.key"));
  EXPECT_TRUE(has("g.v[]"));
  EXPECT_TRUE(has("h.x"));
  EXPECT_TRUE(has("ext int"));
  EXPECT_FALSE(has("h.p"));
  EXPECT_FALSE(points_to.assumptions().empty());
  // What a pointer from outside reaches comes back through it.
  EXPECT_EQ(names(points_to, p.read(p.plus(p.value(n), 8), 8)),
            (Names{"g.key", "ext struct node.key"}));
  static_cast<void>(g);
  static_cast<void>(h);
}

TEST(PointsTo, WhatIsStoredThroughAPointerFromOutsideIsFoundInGlobals) {
  MemoryProgram p;
  const auto g = p.object("g", p.pair);
  p.begin("target");
  const auto n = p.variable("n", p.pair_pointer, ir::VariableKind::Parameter);
  const auto x = p.object("x", p.integer, true);
  p.store(p.plus(p.value(n), 8), p.address(x));
  const auto target = p.end();
  const PointsTo points_to = analyse(p.program, target, true);
  const Names found = names(points_to, p.read(p.plus(p.address(g), 8), 8));
  EXPECT_NE(std::find(found.begin(), found.end(), "x"), found.end());
}

/// main calls through a pointer that is one of two functions, or none.
struct Chosen {
  MemoryProgram p;
  FunctionId one, two, three, main;
  test::VariableId global;

  explicit Chosen(std::uint64_t choice) {
    global = p.variable("global", p.integer, ir::VariableKind::Global);
    one = make("one", 1, false);
    two = make("two", 2, false);
    three = make("three", 3, true);  // Takes another number of arguments.
    p.begin("main", {p.integer});
    const auto f = p.variable("f", p.long_type);
    const auto r = p.variable("r", p.integer);
    p.assign(f, p.number(choice));
    const auto is = [&](std::uint64_t n) {
      return p.pool().equal(p.value(f), p.number(n));
    };
    const Term pointer = p.pool().ite(
        is(1), p.program[one].address,
        p.pool().ite(
            is(2), p.program[two].address,
            p.pool().ite(is(3), p.program[three].address, p.number(0))));
    p.emit(ir::Call{{}, pointer, {p.number(5, 32)}, {r}, p.program[one].type});
    main = p.end({p.value(r)});
  }

  FunctionId make(const std::string& name, unsigned n, bool has_two) {
    p.begin(name, {p.integer});
    const auto x =
        p.variable(name + "x", p.integer, ir::VariableKind::Parameter);
    if (has_two) {
      p.variable(name + "y", p.integer, ir::VariableKind::Parameter);
    }
    ir::Type type = p.program.types[p.program[p.function].type];
    type.parameters.assign(has_two ? 2 : 1, p.integer);
    p.program.functions[p.function.index()].type = p.program.types.add(type);
    p.assign(global, p.number(n, 32));
    const FunctionId id =
        p.end({p.pool().add(p.value(x), p.number(n * 10, 32))});
    p.program.address_of(id);
    return id;
  }
};

TEST(FunctionPointers, BecomeBranches) {
  for (const std::uint64_t choice : {0U, 1U, 2U, 3U}) {
    const Chosen c(choice);
    const PointsTo points_to = analyse(c.p.program, c.main);
    const ResolvedPointers resolved =
        resolve_function_pointers(c.p.program, points_to);
    ASSERT_EQ(resolved.calls.size(), 1U);
    EXPECT_EQ(resolved.calls[0].targets.functions,
              (std::vector{c.one, c.two, c.three}));
    EXPECT_TRUE(std::ranges::any_of(
        resolved.program.assumptions,
        [](const auto& a) { return a.subject == "types of functions"; }));
    EXPECT_FALSE(resolved.calls[0].targets.has_unknown);
    for (const ir::Edge& edge : resolved.program[c.main].body.edges()) {
      const auto* call = std::get_if<ir::Call>(&edge.statement);
      EXPECT_TRUE(call == nullptr || call->callee.valid());
    }
    ir::ZeroEnvironment environment;
    const ir::Run run = ir::interpret(resolved.program, c.main, environment);
    if (choice == 0) {
      EXPECT_EQ(run.outcome, ir::Outcome::Stopped);
    } else {
      ASSERT_EQ(run.outcome, ir::Outcome::Returned);
      EXPECT_EQ(run.results[0], 5 + 10 * choice);
    }
  }
}

TEST(FunctionPointers, FromOutsideStayCallable) {
  MemoryProgram p;
  const TypeId pointer =
      p.pointer(p.program.types.add({.kind = ir::TypeKind::Function}));
  p.begin("target");
  const auto f = p.variable("f", pointer, ir::VariableKind::Parameter);
  p.emit(ir::Call{{}, p.value(f), {}, {}, {}});
  const auto target = p.end();
  const PointsTo points_to = analyse(p.program, target, true);
  const ResolvedPointers resolved =
      resolve_function_pointers(p.program, points_to);
  ASSERT_EQ(resolved.calls.size(), 1U);
  EXPECT_TRUE(resolved.calls[0].targets.has_unknown);
  bool is_kept = false;
  for (const ir::Edge& edge : resolved.program[target].body.edges()) {
    const auto* call = std::get_if<ir::Call>(&edge.statement);
    is_kept |= call != nullptr && !call->callee.valid();
  }
  EXPECT_TRUE(is_kept);
}

TEST(ModRef, IncludesCallees) {
  const Chosen c(1);
  const PointsTo points_to = analyse(c.p.program, c.main);
  const ModRef effects(c.p.program, points_to);
  EXPECT_TRUE(effects.of(c.one).may_write(c.global));
  EXPECT_TRUE(effects.of(c.main).may_write(c.global));
  EXPECT_FALSE(effects.of(c.main).may_read(c.global));
  EXPECT_FALSE(effects.of(c.main).may_write(c.p.program.memory));
}

TEST(ModRef, UnknownRoutinesChangeWhatEscaped) {
  MemoryProgram p;
  const auto mystery = p.routine("mystery", {});
  const auto harmless = p.routine("printf", {});
  const auto fill = p.routine("sprintf", {});
  const auto global = p.variable("global", p.integer, ir::VariableKind::Global);
  p.begin("quiet");
  const auto y = p.object("y", p.integer, true);
  p.store(p.address(y), p.number(1, 32));
  p.call(harmless, {p.address(y)});
  const auto quiet = p.end();
  p.begin("filler");
  const auto z = p.object("z", p.integer, true);
  p.assign(p.variable("t", p.integer), p.read(p.address(z), 4));
  p.call(fill, {p.address(z)});
  const auto filler = p.end();
  p.begin("main");
  const auto x = p.object("x", p.integer, true);
  p.assign(p.variable("u", p.integer), p.read(p.address(x), 4));
  p.call(quiet, {});
  p.call(filler, {});
  p.call(mystery, {p.address(x)});
  const auto main = p.end();
  const PointsTo points_to = analyse(p.program, main);
  const ModRef effects(p.program, points_to);
  EXPECT_TRUE(effects.of(quiet).may_write(p.program.memory)) << "by a store";
  EXPECT_FALSE(effects.of(quiet).may_write(global));
  EXPECT_TRUE(effects.of(filler).may_write(p.program.memory));
  EXPECT_FALSE(effects.of(harmless).may_write(p.program.memory));
  EXPECT_TRUE(effects.of(mystery).may_write(p.program.memory));
  EXPECT_TRUE(effects.of(mystery).may_write(global));
  EXPECT_TRUE(effects.of(main).may_write(global));
}

}  // namespace
}  // namespace agon::analysis
