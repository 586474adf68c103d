// SPDX-License-Identifier: Apache-2.0
/// Small bodies, and the game on them.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>

#include "falsify/falsify.h"
#include "helpers/build_program.h"
#include "smt/z3_solver.h"

namespace agon::falsify {

/// A body over variables of 32 bits.
class Falsify : public testing::Test {
 protected:
  Falsify() : program(ir::DataModel::LP64) {
    program.files = {"test.c"};
    type = test::add_integer(program, "int", 4);
    entry = test::add_function(program, "f");
    ir::Function action;
    action.name = "action error";
    action.display = "error";
    action.is_action = true;
    error = program.add_function(action);
    body.emplace(program, entry);
    for (const char* name : {"x", "y", "n", "i"}) body->local(name, type);
    options.domain = "sign";
  }

  ir::VariableId var(const char* name) {
    return program.variable_of(program.pool->find(name));
  }
  term::Term value(const char* name) { return program.pool->find(name); }
  term::Term number(std::int64_t n) {
    return program.pool->bits(static_cast<term::Bits>(n), 32);
  }
  term::Term plus(const char* name, std::int64_t n) {
    return program.pool->add(value(name), number(n));
  }
  term::Term less(term::Term a, term::Term b) {
    return program.pool->signed_less(a, b);
  }
  void set(const char* name, term::Term to) { body->assign(var(name), to); }
  void set(const char* name, std::int64_t n) { set(name, number(n)); }
  void input(const char* name,
             ir::HavocReason reason = ir::HavocReason::Input) {
    body->add(ir::Havoc{var(name), reason, ""});
  }
  void assume(term::Term condition) { body->add(ir::Assume{condition}); }
  void fail() { body->add(ir::Call{error, {}, {}, {}, {}}); }
  void fail_if(term::Term condition) {
    const ir::LocationId fine = body->branch(condition);
    fail();
    body->leave();
    body->here = fine;
  }
  /// while (condition) { inner } with the body's statements in `inner`.
  template <class Inner>
  void loop(term::Term condition, const Inner& inner) {
    const ir::LocationId head = body->here;
    const ir::LocationId after = body->branch(condition);
    inner();
    body->go_to(head);
    body->here = after;
  }

  Result run() {
    if (!is_finished) {
      body->leave();
      body->finish();
    }
    is_finished = true;
    support::Context context;
    Result result = falsify({program, entry}, options, *solver, context);
    EXPECT_TRUE(!result.wins || result.is_conditional || result.execution)
        << result.reason;
    return result;
  }
  bool wins() { return run().wins; }

  ir::Program program;
  ir::TypeId type;
  ir::FunctionId entry;
  ir::FunctionId error;
  std::optional<test::Body> body;
  bool is_finished = false;
  Options options;
  std::unique_ptr<smt::Solver> solver = smt::make_z3_solver();
};

}  // namespace agon::falsify
