// SPDX-License-Identifier: Apache-2.0
// Invariants against all states that random programs reach.
#include "abstraction/invariants.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "smt/z3_solver.h"
#include "unit/abstraction/all_values.h"
#include "unit/abstraction/random_body.h"

namespace agon::abstraction {
namespace {

using term::Assignment;
using term::Term;

/// Every state at every location, by following edges one by one.
class Reached {
 public:
  explicit Reached(const ir::Program& program)
      : program_(program),
        body_(program.functions[0].body),
        variables_(test::variables_of(program)),
        at(body_.num_locations()) {
    for (const Assignment& start : test::all_assignments(variables_)) {
      const bool is_start = std::ranges::all_of(variables_, [&](Term v) {
        const Term initial = program_[program_.variable_of(v)].initial;
        return !initial.valid() ||
               term::evaluate(initial, start) == start.at(v);
      });
      if (is_start) visit(body_.entry(), start);
    }
    while (!open_.empty()) {
      const auto [location, state] = std::move(open_.back());
      open_.pop_back();
      for (const ir::EdgeId id : body_.out_edges(location)) {
        take(body_.edge(id), state);
      }
    }
  }

 private:
  void visit(ir::LocationId location, const Assignment& state) {
    std::vector<term::Integer> key;
    for (const Term v : variables_) key.push_back(state.at(v).number);
    if (!seen_.insert({location, key}).second) return;
    at[location.index()].push_back(state);
    open_.emplace_back(location, state);
  }

  void take(const ir::Edge& edge, Assignment state) {
    if (const auto* test = std::get_if<ir::Assume>(&edge.statement)) {
      if (!test::holds(test->condition, state)) return;
    } else if (const auto* set = std::get_if<ir::Assign>(&edge.statement)) {
      const term::Value value = term::evaluate(set->value, state);
      state[program_[set->target].term] = value;
    } else if (const auto* havoc = std::get_if<ir::Havoc>(&edge.statement)) {
      const Term target = program_[havoc->target].term;
      for (const auto& one : test::all_assignments(std::vector{target})) {
        state[target] = one.at(target);
        visit(edge.to, state);
      }
      return;
    }
    visit(edge.to, state);
  }

  const ir::Program& program_;
  const ir::Cfa& body_;
  std::vector<Term> variables_;
  std::set<std::pair<ir::LocationId, std::vector<term::Integer>>> seen_;
  std::vector<std::pair<ir::LocationId, Assignment>> open_;

 public:
  std::vector<std::vector<Assignment>> at;
};

constexpr std::uint64_t kPlenty = 1'000'000'000;

TEST(Invariants, HoldInAllStatesThatAreReached) {
  test::Random random(8);
  std::size_t found = 0;
  std::size_t most_times = 0;
  for (std::size_t i = 0; i < test::scaled(250); ++i) {
    SCOPED_TRACE(i);
    test::BodyShape shape;
    shape.locations = 6 + static_cast<unsigned>(test::below(random, 10));
    shape.variables = 3;
    shape.width = 3;
    shape.loops = true;
    ir::Program program = test::RandomBody(random, shape).build();
    for (ir::Variable& variable : program.variables) {
      if (variable.term.sort().is_array() || test::below(random, 3) == 0) {
        continue;
      }
      variable.initial = program.pool->bits(random(), shape.width);
    }
    const Blocks blocks(program, ir::FunctionId(0), BlockMode::Large);
    const auto solver = smt::make_z3_solver();
    support::Context context;
    SymbolicExecution execution(blocks);
    Solutions solutions(*program.pool, *solver, context);
    AbstractSteps steps(blocks, execution, solutions);
    Start start;
    for (std::size_t v = 0; v < program.variables.size(); ++v) {
      const Term initial = program.variables[v].initial;
      if (initial.valid()) start.values.set(ir::VariableId::at(v), initial);
    }
    InvariantSearch search(steps, start, {}, *solver, context);
    // Broken off as often as possible, or never.
    std::uint64_t resources = i % 2 == 0 ? 1 : kPlenty;
    std::size_t times = 1;
    for (; !search.go_on(resources); ++times) resources *= 2;
    most_times = std::max(most_times, times);
    const auto facts = search.facts();
    ASSERT_EQ(facts.size(), blocks.body().num_locations());
    const Reached reached(program);
    for (std::size_t at = 0; at < facts.size(); ++at) {
      found += facts[at].size();
      for (const Assignment& state : reached.at[at]) {
        ASSERT_TRUE(test::hold(facts[at], state)) << "location " << at;
      }
    }
  }
  EXPECT_GT(found, 50U);
  EXPECT_GT(most_times, 3U);
}

}  // namespace
}  // namespace agon::abstraction
