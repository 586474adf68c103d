// SPDX-License-Identifier: Apache-2.0
// Loops that are written out, against running them as they were.
#include "verify/unfold.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "analysis/digraph.h"
#include "helpers/random_lts.h"
#include "term/evaluate.h"
#include "unit/analysis/small_program.h"

namespace agon::verify {
namespace {

using term::Term;

/// A random function with loops inside of loops: some count, some do not, and
/// some are left early.
class RandomLoops {
 public:
  explicit RandomLoops(test::Random& random)
      : random_(random), pool_(*made_.program.pool) {
    entry = made_.function("f", {"p", "q"});
    for (const char* name : {"a", "b"}) {
      actions_.push_back(made_.routine(name));
      made_.program.functions[actions_.back().index()].is_action = true;
    }
    data_ = made_.program.functions[entry.index()].parameters;
    for (const char* name : {"i", "j", "k"}) {
      counters_.push_back(made_.local(entry, name));
    }
    made_.begin(entry, kLocations);
    block(0, 1);
    made_.ret(at_);
    made_.end();
  }

  ir::FunctionId entry;
  ir::Program take() { return std::move(made_.program); }

 private:
  static constexpr unsigned kLocations = 400;

  std::size_t below(std::size_t n) { return test::below(random_, n); }
  unsigned fresh() { return ++last_; }
  void step(ir::Statement statement) {
    const unsigned to = fresh();
    made_.edge(at_, to, std::move(statement));
    at_ = to;
  }
  void havoc(ir::VariableId variable) {
    step(ir::Havoc{variable, ir::HavocReason::Input, "?"});
  }
  Term some_condition() {
    const Term x = made_.value(data_[below(data_.size())]);
    const Term small = made_.number(static_cast<unsigned>(below(3)));
    return below(2) == 0 ? pool_.equal(x, small) : pool_.signed_less(x, small);
  }

  void block(unsigned depth, unsigned least) {
    for (std::size_t n = least + below(3); n > 0 && last_ < 300; --n) {
      statement(depth);
    }
  }

  void statement(unsigned depth) {
    const ir::VariableId x = data_[below(data_.size())];
    switch (below(depth < 3 ? 9 : 6)) {
      case 0:
        return step(ir::Call{actions_[below(2)], {}, {}, {}, {}});
      case 1:
        return step(ir::Assign{
            x, pool_.add(made_.value(x), made_.value(counters_[below(3)]))});
      case 2:
        return step(
            ir::Assign{x, pool_.subtract(made_.value(x), made_.number(1))});
      case 3:
        return havoc(x);
      case 4:
        return step(ir::Assign{counters_[below(3)],
                               made_.number(static_cast<unsigned>(below(4)))});
      case 5:
        return branch(depth);
      default:
        return loop(depth);
    }
  }

  void branch(unsigned depth) {
    const unsigned then = fresh();
    const unsigned other = fresh();
    made_.branch(at_, some_condition(), then, other);
    at_ = then;
    if (below(3) != 0) block(depth + 1, 0);
    made_.edge(at_, other, ir::Assume{pool_.boolean(true)});
    at_ = other;
  }

  void loop(unsigned depth) {
    const ir::VariableId counter = counters_[below(3)];
    const unsigned from = static_cast<unsigned>(below(3));
    const bool counts = below(4) != 0;
    if (below(5) != 0) step(ir::Assign{counter, made_.number(from)});
    if (below(8) == 0) havoc(counter);
    const unsigned head = at_;
    const unsigned inside = fresh();
    const unsigned behind = fresh();
    Term goes_on = made_.less(counter, from + static_cast<unsigned>(below(5)));
    if (!counts) goes_on = some_condition();
    if (below(4) == 0) {
      goes_on = pool_.conjunction({goes_on, some_condition()});
    }
    made_.branch(head, goes_on, inside, behind);
    at_ = inside;
    block(depth + 1, 0);
    if (below(3) == 0) {
      const unsigned next = fresh();
      made_.branch(at_, some_condition(), behind, next);
      at_ = next;
    }
    step(ir::Assign{counter, made_.plus(counter, below(5) == 0 ? 2 : 1)});
    made_.edge(at_, head, ir::Assume{pool_.boolean(true)});
    at_ = behind;
  }

  test::Random& random_;
  test::SmallProgram made_;
  term::Pool& pool_;
  std::vector<ir::FunctionId> actions_;
  std::vector<ir::VariableId> data_;
  std::vector<ir::VariableId> counters_;
  unsigned at_ = 0;
  unsigned last_ = 0;
};

struct Trace {
  std::vector<std::string> events;
  bool ends = false;
};

using OnLocation = std::function<void(ir::LocationId, const term::Assignment&)>;

/// What a function does, by the definition of statements. Edges that do nothing
/// do not count, since they may be gone.
Trace run(
    const ir::Program& program, ir::FunctionId entry, term::Assignment values,
    std::size_t seed,
    const OnLocation& on_location = [](ir::LocationId,
                                       const term::Assignment&) {}) {
  constexpr std::size_t kMostEvents = 300;
  constexpr std::size_t kMostSteps = 100'000;
  const ir::Cfa& body = program[entry].body;
  test::Random choices(seed);
  Trace trace;
  ir::LocationId at = body.entry();
  for (std::size_t steps = 0; steps < kMostSteps; ++steps) {
    on_location(at, values);
    if (trace.events.size() >= kMostEvents) return trace;
    const ir::Edge* taken = nullptr;
    for (const ir::EdgeId id : body.out_edges(at)) {
      const auto* const test =
          std::get_if<ir::Assume>(&body.edge(id).statement);
      if (test != nullptr &&
          term::evaluate(test->condition, values).number == 0) {
        continue;
      }
      EXPECT_EQ(taken, nullptr) << "two edges at once";
      taken = &body.edge(id);
    }
    if (taken == nullptr) break;
    if (const auto* assign = std::get_if<ir::Assign>(&taken->statement)) {
      const term::Value value = term::evaluate(assign->value, values);
      values[program[assign->target].term] = value;
      trace.events.push_back(program[assign->target].name + " = " +
                             value.number.str());
    } else if (const auto* havoc = std::get_if<ir::Havoc>(&taken->statement)) {
      values[program[havoc->target].term] = {
          term::Sort::bits(32), term::Integer(test::below(choices, 4)), {}};
    } else if (const auto* call = std::get_if<ir::Call>(&taken->statement)) {
      trace.events.push_back(program[call->callee].name);
    }
    at = taken->to;
  }
  trace.ends = body.out_edges(at).empty();
  return trace;
}

std::size_t count_loops(const ir::Cfa& body) {
  std::vector<analysis::Digraph::Arc> arcs;
  for (const ir::Edge& edge : body.edges()) {
    arcs.emplace_back(edge.from.value(), edge.to.value());
  }
  const analysis::Digraph graph(body.num_locations(), arcs);
  return analysis::retreating_arcs(graph, body.entry().value()).size();
}

/// One of sixteen calls.
term::Assignment arguments(const ir::Program& program, ir::FunctionId entry,
                           std::size_t world) {
  term::Assignment values;
  for (const ir::VariableId p : program[entry].parameters) {
    values[program[p].term] = {
        term::Sort::bits(32), term::Integer(world % 4), {}};
    world /= 4;
  }
  return values;
}

TEST(Unfold, DoesWhatWasDoneBefore) {
  test::Random random(61);
  std::size_t changed = 0;
  std::size_t freed = 0;
  std::size_t ended = 0;
  for (std::size_t i = 0; i < test::scaled(400); ++i) {
    SCOPED_TRACE(i);
    RandomLoops made(random);
    const ir::FunctionId entry = made.entry;
    const ir::Program before = made.take();
    ir::Program after = before;
    const bool is_changed = unfold_loops(after, entry);
    const std::size_t loops = count_loops(before[entry].body);
    EXPECT_EQ(is_changed, !(after[entry].body == before[entry].body));
    changed += is_changed ? 1 : 0;
    freed += loops > 0 && count_loops(after[entry].body) == 0 ? 1 : 0;
    for (std::size_t world = 0; world < 16; ++world) {
      const term::Assignment values = arguments(before, entry, world);
      const Trace expected = run(before, entry, values, world);
      const Trace found = run(after, entry, values, world);
      ASSERT_EQ(found.events, expected.events);
      ASSERT_EQ(found.ends, expected.ends);
      ended += expected.ends ? 1 : 0;
    }
  }
  EXPECT_GT(changed, test::scaled(400) / 4);
  EXPECT_GT(freed, test::scaled(400) / 10);
  EXPECT_GT(ended, test::scaled(400) * 4);
}

TEST(Unfold, KnowsWhatLocationsAreCopiesOf) {
  test::Random random(62);
  std::size_t known = 0;
  for (std::size_t i = 0; i < test::scaled(200); ++i) {
    SCOPED_TRACE(i);
    RandomLoops made(random);
    const ir::FunctionId entry = made.entry;
    const ir::Program before = made.take();
    ir::Program after = before;
    const auto copies = write_out_loops(after, entry);
    if (!copies) continue;
    ASSERT_EQ(copies->size(), after[entry].body.num_locations());
    for (std::size_t world = 0; world < 16; ++world) {
      const term::Assignment values = arguments(before, entry, world);
      std::vector<ir::LocationId> expected;
      std::vector<ir::LocationId> found;
      run(before, entry, values, world,
          [&](ir::LocationId at, const term::Assignment&) {
            expected.push_back(at);
          });
      run(after, entry, values, world,
          [&](ir::LocationId at, const term::Assignment& now) {
            const Copy& copy = (*copies)[at.index()];
            found.push_back(copy.location);
            for (const Term fact : copy.known) {
              EXPECT_NE(term::evaluate(fact, now).number, 0);
              ++known;
            }
          });
      ASSERT_EQ(found, expected);
    }
  }
  EXPECT_GT(known, test::scaled(200) * 100);
}

/// for (i = 0; i < rounds; ++i) for (j = 0; j < i; ++j) a();
class Unfolded : public testing::Test {
 protected:
  void make(Term (*rounds)(test::SmallProgram&, ir::VariableId)) {
    entry = made.function("f", {"n"});
    const ir::VariableId i = made.local(entry, "i");
    const ir::VariableId j = made.local(entry, "j");
    const ir::FunctionId action = made.routine("a");
    made.program.functions[action.index()].is_action = true;
    const ir::VariableId n = made.program[entry].parameters.front();
    made.begin(entry, 8);
    made.edge(0, 1, ir::Assign{i, made.number(0)});
    made.branch(1,
                made.program.pool->signed_less(made.value(i), rounds(made, n)),
                2, 6);
    made.edge(2, 3, ir::Assign{j, made.number(0)});
    made.branch(3, made.program.pool->signed_less(made.value(j), made.value(i)),
                4, 5);
    made.call(4, 7, action);
    made.edge(7, 3, ir::Assign{j, made.plus(j, 1)});
    made.edge(5, 1, ir::Assign{i, made.plus(i, 1)});
    made.ret(6);
    made.end();
  }
  std::size_t loops() const { return count_loops(made.program[entry].body); }
  std::size_t actions() const {
    const auto edges = made.program[entry].body.edges();
    return static_cast<std::size_t>(
        std::ranges::count_if(edges, [](const ir::Edge& edge) {
          return std::holds_alternative<ir::Call>(edge.statement);
        }));
  }

  test::SmallProgram made;
  ir::FunctionId entry;
};

TEST_F(Unfolded, NestedLoopsHaveNoCyclesAnyMore) {
  make([](test::SmallProgram& m, ir::VariableId) { return m.number(4); });
  EXPECT_EQ(loops(), 2U);
  EXPECT_TRUE(unfold_loops(made.program, entry));
  EXPECT_EQ(loops(), 0U);
  EXPECT_EQ(actions(), 0U + 1 + 2 + 3);
}

TEST_F(Unfolded, WhatIsTooLongStaysALoop) {
  make([](test::SmallProgram& m, ir::VariableId) { return m.number(1000); });
  EXPECT_FALSE(unfold_loops(made.program, entry));
  EXPECT_EQ(loops(), 2U);
  EXPECT_EQ(actions(), 1U);
}

TEST_F(Unfolded, WhatDependsOnAParameterStaysALoop) {
  make([](test::SmallProgram& m, ir::VariableId n) { return m.value(n); });
  EXPECT_FALSE(unfold_loops(made.program, entry));
  EXPECT_EQ(loops(), 2U);
}

}  // namespace
}  // namespace agon::verify
