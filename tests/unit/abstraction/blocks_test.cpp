// SPDX-License-Identifier: Apache-2.0
// Cut points, blocks and live variables, by their definitions.
#include "abstraction/blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "abstraction/liveness.h"
#include "term/substitute.h"
#include "unit/abstraction/random_body.h"

namespace agon::abstraction {
namespace {

using Locations = std::set<ir::LocationId>;

ir::Program random_program(test::Random& random) {
  test::BodyShape shape;
  shape.locations = 4 + static_cast<unsigned>(test::below(random, 16));
  shape.variables = 4;
  shape.loops = true;
  return test::RandomBody(random, shape).build();
}

bool is_action(const ir::Edge& edge) {
  return std::holds_alternative<ir::Call>(edge.statement);
}

/// All that can be reached from a location by at least one of the edges.
Locations reachable(const ir::Cfa& body, ir::LocationId from,
                    const std::function<bool(const ir::Edge&)>& may_pass) {
  Locations seen;
  std::vector<ir::LocationId> open{from};
  while (!open.empty()) {
    const ir::LocationId at = open.back();
    open.pop_back();
    for (const ir::Edge& edge : body.edges()) {
      if (edge.from != at || !may_pass(edge)) continue;
      if (seen.insert(edge.to).second) open.push_back(edge.to);
    }
  }
  return seen;
}

TEST(Blocks, CutEveryCycleAndEveryAction) {
  test::Random random(8);
  std::size_t cycles = 0;
  for (std::size_t i = 0; i < test::scaled(200); ++i) {
    SCOPED_TRACE(i);
    const ir::Program program = random_program(random);
    const Blocks blocks(program, ir::FunctionId(0), BlockMode::Large);
    const ir::Cfa& body = blocks.body();
    EXPECT_TRUE(blocks.is_cut(body.entry()));
    std::size_t cuts = 0;
    for (std::size_t l = 0; l < body.num_locations(); ++l) {
      const auto location = ir::LocationId::at(l);
      cuts += blocks.is_cut(location) ? 1 : 0;
      const auto uncut = reachable(body, location, [&](const ir::Edge& edge) {
        return !blocks.is_cut(edge.to);
      });
      EXPECT_FALSE(uncut.contains(location));
      const auto any = reachable(body, location, [](auto&) { return true; });
      cycles += any.contains(location) ? 1 : 0;
      if (!blocks.is_cut(location) || location == body.entry()) continue;
      const bool after_action = std::ranges::any_of(
          body.edges(),
          [&](const ir::Edge& e) { return e.to == location && is_action(e); });
      EXPECT_TRUE(after_action || any.contains(location)) << "needless cut";
    }
    for (const ir::Edge& edge : body.edges()) {
      EXPECT_TRUE(!is_action(edge) || blocks.is_cut(edge.to));
    }
    EXPECT_EQ(cuts, blocks.all().size());
    if (HasFailure()) return;
  }
  EXPECT_GT(cycles, 100U);
}

/// A block is what can be reached without passing a cut point, in an order in
/// which edges go forward.
void check_block(const Blocks& blocks, const Block& block) {
  const ir::Cfa& body = blocks.body();
  EXPECT_EQ(&blocks.block(block.start), &block);
  ASSERT_EQ(block.order.front(), block.start);
  Locations inside = reachable(body, block.start, [&](const ir::Edge& edge) {
    return !blocks.is_cut(edge.to) && !is_action(edge);
  });
  inside.insert(block.start);
  EXPECT_EQ(block.order.size(), inside.size());
  EXPECT_EQ(Locations(block.order.begin(), block.order.end()), inside);
  std::map<ir::LocationId, std::size_t> rank;
  for (std::size_t i = 0; i < block.order.size(); ++i) {
    rank[block.order[i]] = i;
  }
  std::set<ir::EdgeId> exits;
  for (std::size_t i = 0; i < body.edges().size(); ++i) {
    const ir::Edge& edge = body.edges()[i];
    if (!inside.contains(edge.from)) continue;
    if (blocks.is_cut(edge.to) || is_action(edge)) {
      exits.insert(ir::EdgeId::at(i));
    } else {
      EXPECT_LT(rank[edge.from], rank[edge.to]);
    }
  }
  EXPECT_EQ(block.exits.size(), exits.size());
  EXPECT_EQ(std::set<ir::EdgeId>(block.exits.begin(), block.exits.end()),
            exits);
}

TEST(Blocks, HoldWhatCanBeReachedWithoutPassingACut) {
  test::Random random(9);
  for (std::size_t i = 0; i < test::scaled(200); ++i) {
    SCOPED_TRACE(i);
    const ir::Program program = random_program(random);
    for (const BlockMode mode : {BlockMode::Single, BlockMode::Large}) {
      const Blocks blocks(program, ir::FunctionId(0), mode);
      for (const Block& block : blocks.all()) check_block(blocks, block);
      if (HasFailure()) return;
    }
  }
}

TEST(Blocks, AreSingleLocationsIfAsked) {
  test::Random random(10);
  for (std::size_t i = 0; i < test::scaled(50); ++i) {
    const ir::Program program = random_program(random);
    const Blocks blocks(program, ir::FunctionId(0), BlockMode::Single);
    EXPECT_EQ(blocks.all().size(), blocks.body().num_locations());
    for (const Block& block : blocks.all()) EXPECT_EQ(block.order.size(), 1U);
  }
}

TEST(Blocks, KnowTheActionsOfEdges) {
  test::Random random(11);
  const ir::Program program = random_program(random);
  const Blocks blocks(program, ir::FunctionId(0), BlockMode::Large);
  for (std::size_t i = 0; i < blocks.body().edges().size(); ++i) {
    const ir::FunctionId action = blocks.action(ir::EdgeId::at(i));
    ASSERT_EQ(action.valid(), is_action(blocks.body().edges()[i]));
    EXPECT_TRUE(!action.valid() || program[action].is_action);
  }
}

// By definition: a variable is live where a path leads to a test of it that
// does not assign it before; or to an assignment that reads it whose target is
// live after that.
class NaiveLiveness {
 public:
  NaiveLiveness(const ir::Program& program, const ir::Cfa& body)
      : program_(program), body_(body) {}

  using Place = std::pair<ir::LocationId, ir::VariableId>;

  std::set<Place> compute() {
    std::set<Place> live;
    for (bool changed = true; changed;) {
      const std::size_t before = live.size();
      for (std::size_t l = 0; l < body_.num_locations(); ++l) {
        for (std::size_t v = 0; v < program_.variables.size(); ++v) {
          const Place place{ir::LocationId::at(l), ir::VariableId::at(v)};
          if (matters(place, live)) live.insert(place);
        }
      }
      changed = live.size() != before;
    }
    return live;
  }

 private:
  bool reads(term::Term term, ir::VariableId v) const {
    return std::ranges::count(term::variables_of(term), program_[v].term) > 0;
  }

  bool matters(Place place, const std::set<Place>& live) const {
    const auto [at, v] = place;
    for (const ir::Edge& edge : body_.edges()) {
      if (edge.from != at) continue;
      bool kept = live.contains({edge.to, v});
      if (const auto* test = std::get_if<ir::Assume>(&edge.statement)) {
        kept = kept || reads(test->condition, v);
      } else if (const auto* set = std::get_if<ir::Assign>(&edge.statement)) {
        if (set->target == v) kept = false;
        kept = kept ||
               (live.contains({edge.to, set->target}) && reads(set->value, v));
      } else if (const auto* any = std::get_if<ir::Havoc>(&edge.statement)) {
        if (any->target == v) kept = false;
      }
      if (kept) return true;
    }
    return false;
  }

  const ir::Program& program_;
  const ir::Cfa& body_;
};

TEST(Liveness, FollowsItsDefinition) {
  test::Random random(12);
  std::size_t alive = 0;
  std::size_t dead = 0;
  for (std::size_t i = 0; i < test::scaled(120); ++i) {
    SCOPED_TRACE(i);
    const ir::Program program = random_program(random);
    const ir::Cfa& body = program.functions[0].body;
    const Liveness liveness(program, body);
    const auto expected = NaiveLiveness(program, body).compute();
    for (std::size_t l = 0; l < body.num_locations(); ++l) {
      for (std::size_t v = 0; v < program.variables.size(); ++v) {
        const auto place = ir::LocationId::at(l);
        const auto variable = ir::VariableId::at(v);
        ASSERT_EQ(liveness.is_live(place, variable),
                  expected.contains({place, variable}));
        ++(expected.contains({place, variable}) ? alive : dead);
      }
    }
  }
  EXPECT_GT(alive, 500U);
  EXPECT_GT(dead, 500U);
}

// What is dead can be changed at any time, and the run goes on the same way.
TEST(Liveness, LeavesOutOnlyWhatDoesNotMatter) {
  test::Random random(13);
  std::size_t changed = 0;
  for (std::size_t i = 0; i < test::scaled(300); ++i) {
    SCOPED_TRACE(i);
    const ir::Program program = random_program(random);
    const ir::Cfa& body = program.functions[0].body;
    const Liveness liveness(program, body);
    const test::Stepper stepper(program);
    test::Stepper::Chosen chosen;
    for (std::size_t e = 0; e < body.edges().size(); ++e) {
      chosen[ir::EdgeId::at(e)] = {
          term::Sort::bits(2), term::Integer(random() % 4), {}};
    }
    term::Assignment left;
    for (const term::Term v : test::variables_of(program)) {
      left[v] = {v.sort(), term::Integer(random() % 4), {}};
    }
    term::Assignment right = left;
    ir::LocationId at = body.entry();
    for (int k = 0; k < 40; ++k) {
      for (const term::Term v : test::variables_of(program)) {
        if (liveness.is_live(at, program.variable_of(v))) continue;
        right[v].number = random() % 4;
        ++changed;
      }
      const auto a = stepper.step(at, left, chosen);
      ASSERT_EQ(a, stepper.step(at, right, chosen));
      if (!a) break;
      at = body.edge(*a).to;
    }
  }
  EXPECT_GT(changed, 500U);
}

}  // namespace
}  // namespace agon::abstraction
