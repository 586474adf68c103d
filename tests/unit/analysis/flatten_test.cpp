// SPDX-License-Identifier: Apache-2.0
#include "ir/flatten.h"

#include <gtest/gtest.h>

#include "ir/apart.h"
#include "ir/text.h"
#include "random_calls.h"
#include "small_program.h"

namespace agon::ir {
namespace {

using test::HashEnvironment;
using test::Observation;

constexpr std::uint64_t kSteps = 1000;

/// Routines stay calls, so that runs can be compared.
FlattenOptions keep_routines(const Program& program) {
  FlattenOptions options;
  for (const Function& function : program.functions) {
    if (!function.has_body) options.keep.insert(function.name);
  }
  return options;
}

TEST(Flatten, RunsLikeTheOriginalOnRandomPrograms) {
  unsigned finished = 0;
  unsigned actions = 0;
  for (unsigned seed = 0; seed < test::scaled(1000); ++seed) {
    SCOPED_TRACE(seed);
    test::RandomProgramOptions shape;
    shape.recursion = false;
    shape.mismatches = seed % 5 == 2;
    const Program program = test::RandomProgram(seed, shape).program;
    const Flat flat =
        flatten(program, *program.find_function("f0"), keep_routines(program));
    ASSERT_TRUE(flat.program.has_value());
    for (unsigned run = 0; run < 3; ++run) {
      const HashEnvironment environment(run * 1000 + seed, true);
      const Observation before = observe(program, "f0", environment, kSteps);
      if (before.outcome == Outcome::StepLimit ||
          before.outcome == Outcome::DepthLimit ||
          before.outcome == Outcome::BadCall) {
        continue;
      }
      ++finished;
      actions += static_cast<unsigned>(before.actions.size());
      const Observation after =
          observe(*flat.program, "f0", environment, 10 * kSteps);
      ASSERT_EQ(before.outcome, after.outcome);
      ASSERT_EQ(before.results, after.results);
      ASSERT_EQ(before.actions, after.actions);
    }
  }
  EXPECT_GT(finished, test::scaled(1000));
  EXPECT_GT(actions, finished);
}

TEST(Flatten, DependsOnTheProgramOnly) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(seed);
    test::RandomProgramOptions shape;
    shape.recursion = false;
    const Program program = test::RandomProgram(seed, shape).program;
    const FunctionId entry = *program.find_function("f0");
    const Flat first = flatten(program, entry, {});
    program.pool->variable("x0.9", term::Sort::bits(3));
    program.pool->variable("heap", term::Sort::bits(5));
    const Flat second = flatten(program, entry, {});
    ASSERT_TRUE(first.program && second.program);
    EXPECT_EQ(to_text(*first.program), to_text(*second.program));
  }
}

class FlattenExample : public testing::Test, public test::SmallProgram {
 protected:
  FlattenExample() : top(function("main", {}, 1)) {}

  ObjectId object(const std::string& name, bool is_static) {
    Object made;
    made.name = made.display = name;
    made.size = 4;
    made.is_static = is_static;
    return program.add_object(made);
  }
  VariableId pointer(const std::string& name,
                     VariableKind kind = VariableKind::Local) {
    Variable made;
    made.name = made.display = name;
    made.kind = kind;
    made.owner = kind == VariableKind::Global ? FunctionId() : top;
    made.is_static = true;
    const VariableId id = program.add_variable(made, term::Sort::bits(64));
    if (kind == VariableKind::Local) {
      program.functions[top.index()].locals.push_back(id);
    }
    return id;
  }
  /// What is changed if an object is written through a pointer to it, after
  /// something else was done.
  std::set<std::string> changed_after(Statement first, VariableId p, ObjectId a,
                                      bool any_state = false) {
    begin(top, 4);
    edge(0, 1, std::move(first));
    edge(1, 2, Assign{p, program.pool->add(at(a), program.pool->bits(2, 64))});
    edge(2, 3, write(value(p), 1));
    ret(3, {program.pool->read(memory(), at(a), 4)});
    end();
    FlattenOptions options;
    options.any_state = any_state;
    return changed<Assign>(flatten(program, top, options));
  }
  static std::set<std::string> names(std::set<std::string> all) { return all; }
  term::Term at(ObjectId id) { return program[id].address; }
  term::Term memory() { return program[program.memory].term; }
  Assign write(term::Term where, unsigned what) {
    return {program.memory, program.pool->write(memory(), where, number(what))};
  }
  /// The names of what any statement of this kind changes.
  template <class Kind>
  static std::set<std::string> changed(const Flat& flat) {
    std::set<std::string> result;
    for (const Edge& edge : (*flat.program)[flat.entry].body.edges()) {
      if (const auto* found = std::get_if<Kind>(&edge.statement)) {
        result.insert((*flat.program)[found->target].name);
      }
    }
    return result;
  }

  FunctionId top;
};

TEST_F(FlattenExample, GivesObjectsThatAreOnlyNamedTheirOwnArrays) {
  const ObjectId named = object("named", true);
  const ObjectId pointed = object("pointed", true);
  const VariableId p = local(top, "p");
  begin(top, 4);
  edge(0, 1, write(at(named), 1));
  edge(1, 2, write(at(pointed), 2));
  edge(2, 3,
       Assign{p, program.pool->extract(at(pointed), 0, 32)});  // Its address.
  ret(3, {program.pool->read(memory(), at(named), 4)});
  end();
  const Flat flat = flatten(program, top, {});
  EXPECT_EQ(changed<Assign>(flat),
            (std::set<std::string>{"bytes of named", "memory", "p"}));
}

TEST_F(FlattenExample, FollowsVariablesThatPointToOneObjectOnly) {
  const VariableId p = pointer("p");
  const Assume nothing{
      program.pool->equal(value(p), program.pool->bits(0, 64))};
  EXPECT_EQ(changed_after(nothing, p, object("a", true)),
            names({"bytes of a", "p"}));
}

TEST_F(FlattenExample, LetsObjectsBehindOneVariableShareAnArray) {
  const VariableId p = pointer("p");
  const ObjectId a = object("a", true);
  const ObjectId b = object("b", true);
  EXPECT_EQ(changed_after(Assign{p, at(b)}, p, a), names({"bytes of a", "p"}));
}

TEST_F(FlattenExample, DistrustsPointersOfOtherOrigin) {
  const VariableId p = pointer("p");
  const VariableId g = pointer("g", VariableKind::Global);
  const VariableId h = pointer("h", VariableKind::Global);
  program.variables[h.index()].initial = program.pool->bits(0, 64);
  const ObjectId a = object("a", true);
  const term::Term other = program.pool->bits(4096, 64);
  const term::Term read = program.pool->read(memory(), other, 8);
  EXPECT_EQ(changed_after(Havoc{p, HavocReason::Input, {}}, p, a),
            names({"memory", "p"}));
  EXPECT_EQ(changed_after(Assign{p, read}, p, a), names({"memory", "p"}));
  EXPECT_EQ(changed_after(Assign{p, other}, p, a), names({"memory", "p"}));
  EXPECT_EQ(changed_after(Assign{p, value(g)}, p, a), names({"memory", "p"}));
  // A global that others may have set, unless they had no chance.
  EXPECT_EQ(changed_after(Assign{h, at(a)}, h, a, true),
            names({"memory", "h"}));
  EXPECT_EQ(changed_after(Assign{h, at(a)}, h, a), names({"bytes of a", "h"}));
}

TEST_F(FlattenExample, DistrustsObjectsThatWereTold) {
  const VariableId p = pointer("p");
  const ObjectId a = object("a", true);
  const FunctionId unknown = routine("unknown");
  const FunctionId searches = routine("strchr", 1);
  const FunctionId harmless = routine("strlen", 1);
  const VariableId result = local(top, "result");
  const auto calls = [&](FunctionId routine, std::vector<VariableId> results) {
    return Call{routine, {}, {at(a)}, std::move(results), {}};
  };
  EXPECT_EQ(changed_after(calls(unknown, {}), p, a), names({"memory", "p"}));
  EXPECT_EQ(changed_after(calls(searches, {result}), p, a),
            names({"memory", "p"}));
  EXPECT_EQ(changed_after(calls(harmless, {result}), p, a),
            names({"bytes of a", "p"}));
  // Its address is stored.
  const term::Term place = program.pool->bits(4096, 64);
  EXPECT_EQ(changed_after(Assign{program.memory,
                                 program.pool->write(memory(), place, at(a))},
                          p, a),
            names({"memory", "p"}));
  // It goes where nobody follows it, such as into assembly.
  const VariableId told = program.add_told(top);
  EXPECT_EQ(changed_after(Assign{told, at(a)}, p, a),
            names({"...", "memory", "p"}));
}

TEST_F(FlattenExample, SetsAFlagBeforeObjectsAreTold) {
  const ObjectId a = object("a", true);
  const FunctionId unknown = routine("unknown");
  begin(top, 3);
  call(0, 1, unknown);
  edge(1, 2, Call{unknown, {}, {at(a)}, {}, {}});
  ret(2, {program.pool->read(memory(), at(a), 4)});
  end();
  EXPECT_TRUE(flatten(program, top, {}).may_be_exact);
  FlattenOptions options;
  options.is_exact = true;
  Flat flat = flatten(program, top, options);
  EXPECT_EQ(changed<Assign>(flat),
            names({"...told64", "changed", "memory", "told: a"}));
  EXPECT_EQ(changed<Havoc>(flat), names({"changed"}));
  EXPECT_EQ(find_overlap(flat, program, false), std::nullopt);
  // At any time somebody may have been told.
  EXPECT_NE(find_overlap(flat, program, true), std::nullopt);
  // Nor is it enough that a flag is there, if it is not set.
  Function& entry = flat.program->functions[flat.entry.index()];
  const Cfa old = entry.body;
  Cfa body;
  for (std::size_t i = 0; i < old.num_locations(); ++i) body.add_location();
  body.set_entry(old.entry());
  body.set_exit(old.exit());
  for (Edge edge : old.edges()) {
    const auto* const sets = std::get_if<Assign>(&edge.statement);
    if (sets != nullptr && sets->value.is_true()) {
      edge.statement = Assume{flat.program->pool->boolean(true)};
    }
    body.add_edge(std::move(edge));
  }
  body.finish();
  entry.body = std::move(body);
  EXPECT_NE(find_overlap(flat, program, false), std::nullopt);
}

TEST_F(FlattenExample, DistrustsWhatIsNamedByFunctionsThatOthersMayCall) {
  const VariableId keeper = pointer("keeper", VariableKind::Global);
  const ObjectId a = object("a", true);
  program.variables[keeper.index()].initial = program.pool->bits(0, 64);
  const FunctionId unknown = routine("unknown");
  const FunctionId handler = function("handler");
  begin(handler, 2);
  edge(0, 1, Call{unknown, {}, {value(keeper)}, {}, {}});
  ret(1);
  end();
  const auto changes = [&] {
    begin(top, 4);
    edge(0, 1, Assign{keeper, at(a)});
    call(1, 2, unknown);
    edge(2, 3, write(at(a), 1));
    ret(3, {program.pool->read(memory(), at(a), 4)});
    end();
    return changed<Assign>(flatten(program, top, {}));
  };
  EXPECT_EQ(changes(), names({"bytes of a", "keeper"}));
  program.address_of(handler);
  EXPECT_EQ(changes(), names({"keeper", "memory"}));
}

TEST_F(FlattenExample, KeepsObjectsTogetherThatCallersMayKnow) {
  const ObjectId visible = object("visible", false);
  const ObjectId hidden = object("hidden", true);
  const ObjectId told = object("told", true);
  const FunctionId other = function("other", {}, 1);
  begin(other, 1);
  ret(0, {program.pool->extract(at(told), 0, 32)});
  end();
  begin(top, 4);
  edge(0, 1, write(at(visible), 1));
  edge(1, 2, write(at(hidden), 2));
  edge(2, 3, write(at(told), 2));
  ret(3, {number(0)});
  end();
  FlattenOptions options;
  options.any_state = true;
  EXPECT_EQ(changed<Assign>(flatten(program, top, options)),
            (std::set<std::string>{"bytes of hidden", "memory"}));
}

TEST_F(FlattenExample, LetsUnknownRoutinesChangeWhatOthersCanName) {
  const VariableId visible = global("visible");
  const VariableId hidden = global("hidden");
  program.variables[hidden.index()].is_static = true;
  const FunctionId unknown = routine("unknown");
  const FunctionId known = routine("printf");
  begin(top, 3);
  call(0, 1, unknown);
  call(1, 2, known);
  ret(2, {program.pool->add(value(visible), value(hidden))});
  end();
  EXPECT_EQ(changed<Havoc>(flatten(program, top, {})),
            (std::set<std::string>{"memory", "visible"}));
}

TEST_F(FlattenExample, GivesAReasonForRecursion) {
  const FunctionId f = function("f");
  begin(f, 2);
  call(0, 1, f);
  ret(1);
  end();
  begin(top, 2);
  call(0, 1, f);
  ret(1, {number(0)});
  end();
  const Flat flat = flatten(program, top, {});
  EXPECT_FALSE(flat.program.has_value());
  EXPECT_EQ(flat.reason, "'f' may call itself");
}

}  // namespace
}  // namespace agon::ir
