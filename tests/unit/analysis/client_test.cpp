// SPDX-License-Identifier: Apache-2.0
// Clients of modules, and routines that call back, by running them.
#include "ir/client.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>

#include "analysis/callbacks.h"
#include "analysis/mod_ref.h"
#include "analysis/points_to.h"
#include "helpers/build_program.h"
#include "ir/interpreter.h"

namespace agon::analysis {
namespace {

using term::Bits;

/// Takes its choices by the name of what is chosen, and writes down what it is
/// asked and told.
class Script final : public ir::Environment {
 public:
  Bits choose(const ir::Program& program, const ir::Havoc& havoc,
              const ir::Position&) override {
    auto& left = choices[program[havoc.target].display];
    if (left.empty()) return 0;
    const Bits value = left.front();
    left.pop_front();
    return value;
  }
  std::vector<Bits> call(const ir::Program&, const ir::Function& routine,
                         std::span<const Bits> arguments,
                         ir::MemoryAccess&) override {
    if (routine.name == "putchar") told.push_back(arguments[0]);
    return routine.name == "__agon_client_value" ? std::vector<Bits>{7}
                                                 : std::vector<Bits>();
  }
  std::uint8_t initial_byte(std::uint64_t) override { return 0; }
  Bits initial_value(const ir::Program&, ir::VariableId) override { return 0; }

  std::map<std::string, std::deque<Bits>> choices;
  std::vector<Bits> told;
};

/// A module with a static variable `n` and two functions: `add(k)` adds k + 1
/// to it, lets `work` run, and tells what n is then and was before; `reset`
/// sets it to 0.
class Module : public testing::Test {
 protected:
  Module() : program(ir::DataModel::LP64) {
    program.files.push_back("test.c");
    type = test::add_integer(program, "int", 4);
    n = test::add_global(program, "n", type, number(0));
    program.variables[n.index()].is_static = true;
    work = test::add_function(program, "work", {}, false);
    told = test::add_function(program, "putchar", {}, false);
    add = test::add_function(program, "add", {type});
    {
      test::Body body(program, add);
      const ir::VariableId k = body.parameter("add::k", type);
      const ir::VariableId before = body.local("add::before", type);
      body.assign(before, program[n].term);
      body.assign(n, sum(sum(program[n].term, program[k].term), number(1)));
      body.add(call(work, {}));
      body.add(call(told, {program[n].term}));
      body.add(call(told, {program[before].term}));
      body.leave({program[n].term});
      body.finish();
    }
    reset = test::add_function(program, "reset");
    {
      test::Body body(program, reset);
      body.assign(n, number(0));
      body.leave();
      body.finish();
    }
  }

  term::Term number(std::uint64_t value) {
    return program.pool->bits(value, 32);
  }
  term::Term sum(term::Term a, term::Term b) { return program.pool->add(a, b); }
  ir::Call call(ir::FunctionId callee, std::vector<term::Term> arguments) {
    ir::Call result;
    result.callee = callee;
    result.arguments = std::move(arguments);
    return result;
  }

  ir::FunctionId add_all() {
    const std::vector<ir::ApiFunction> api{{add, {}, {}}, {reset, {}, {}}};
    return ir::add_client(program, api);
  }

  ir::Program program;
  ir::TypeId type;
  ir::VariableId n;
  ir::FunctionId work, told, add, reset;
  Script script;
};

TEST_F(Module, ClientCallsWhatItChooses) {
  const ir::FunctionId client = add_all();
  script.choices[ir::client_choice()] = {0, 0, 1, 0, 2};
  const ir::Run run = ir::interpret(program, client, script);
  EXPECT_EQ(run.outcome, ir::Outcome::Returned);
  EXPECT_EQ(script.told, (std::vector<Bits>{8, 0, 16, 8, 8, 0}));
}

TEST_F(Module, NothingChangesUnlessARoutineCallsBack) {
  const ir::FunctionId client = add_all();
  const WithCallbacks with = add_callbacks(program, client, Around::Certain);
  ASSERT_FALSE(with.reason);
  EXPECT_FALSE(with.is_exact);
  script.choices[ir::client_choice()] = {0, 0, 2};
  ir::interpret(with.program, client, script);
  EXPECT_EQ(script.told, (std::vector<Bits>{8, 0, 16, 8}));
}

TEST_F(Module, ReturnsToACallThatWasSuspended) {
  const ir::FunctionId client = add_all();
  const WithCallbacks with = add_callbacks(program, client, Around::Certain);
  // work() calls reset() and add(), and then returns into the second add().
  script.choices[ir::client_choice()] = {0, 0, 1, 0, 2};
  script.choices["__agon_calls_back"] = {0, 1, 0};
  script.choices["__agon_resumes"] = {0, 0, 0, 0, 1, 0};
  ir::interpret(with.program, client, script);
  EXPECT_EQ(script.told, (std::vector<Bits>{8, 0, 8, 0, 8, 8}));
}

TEST_F(Module, KeepsOneSuspendedCallOnly) {
  const ir::FunctionId client = add_all();
  const WithCallbacks with = add_callbacks(program, client, Around::Certain);
  // Two calls inside of each other; a wish to return to one is not granted.
  script.choices[ir::client_choice()] = {0, 0, 1, 2};
  script.choices["__agon_calls_back"] = {1, 1};
  script.choices["__agon_resumes"] = {0, 0, 1, 1};
  const ir::Run run = ir::interpret(with.program, client, script);
  EXPECT_EQ(run.outcome, ir::Outcome::Stopped);
  EXPECT_TRUE(script.told.empty());
}

TEST_F(Module, WorkDoesNotKnowStaticVariables) {
  const std::vector<Entry> entries{{add_all(), false}};
  PointsToOptions options;
  options.is_module = true;
  const PointsTo inside(program, entries, options);
  EXPECT_FALSE(ModRef(program, inside).of(call(work, {})).may_write(n));
  const PointsTo usual(program, entries);
  EXPECT_FALSE(ModRef(program, usual).of(call(work, {})).may_write(n));
}

TEST_F(Module, RefusesLocalsWithAddresses) {
  test::add_object(program, "x", type, add);
  const WithCallbacks with = add_callbacks(program, add_all(), Around::Certain);
  EXPECT_TRUE(with.reason.has_value());
}

}  // namespace
}  // namespace agon::analysis
