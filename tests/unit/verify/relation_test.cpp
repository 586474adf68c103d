// SPDX-License-Identifier: Apache-2.0
#include "verify/relation.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "game/simulation.h"
#include "game/traces.h"
#include "helpers/random_lts.h"

namespace agon::verify {
namespace {

using Pairs = std::optional<std::vector<RelatedPair>>;

/// What a specification can get to, by definition.
std::set<lts::State> after(const lts::Lts& spec, std::set<lts::State> states,
                           lts::Label label) {
  const auto close = [&](std::set<lts::State>& set) {
    for (std::size_t before = 0; before != set.size();) {
      before = set.size();
      for (const lts::State s : std::set(set)) {
        for (const lts::Transition t : spec.out(s)) {
          if (t.label == lts::kTau) set.insert(t.target);
        }
      }
    }
  };
  close(states);
  if (label == lts::kTau) return states;
  std::set<lts::State> next;
  for (const lts::State s : states) {
    for (const lts::Transition t : spec.out(s)) {
      if (t.label == label) next.insert(t.target);
    }
  }
  close(next);
  return next;
}

void expect_closed(const Pairs& pairs, const lts::Lts& system,
                   const lts::Lts& spec) {
  const auto is_covered = [&](lts::State state,
                              const std::set<lts::State>& allowed) {
    return std::ranges::any_of(*pairs, [&](const RelatedPair& pair) {
      return pair.state == state && !pair.spec.empty() &&
             std::ranges::includes(allowed, pair.spec);
    });
  };
  EXPECT_TRUE(
      is_covered(system.initial(), after(spec, {spec.initial()}, lts::kTau)));
  for (const RelatedPair& pair : *pairs) {
    const std::set<lts::State> states(pair.spec.begin(), pair.spec.end());
    for (const lts::Transition t : system.out(pair.state)) {
      EXPECT_TRUE(is_covered(t.target, after(spec, states, t.label)));
    }
  }
}

TEST(Relation, ExistsExactlyWhereTheGameIsWonAndIsClosed) {
  test::Random random(1);
  support::Context context;
  unsigned simulated = 0;
  unsigned included = 0;
  for (std::size_t i = 0; i < test::scaled(2000); ++i) {
    SCOPED_TRACE(i);
    const auto labels = std::make_shared<lts::LabelTable>();
    const lts::Lts system = test::random_lts(random, labels);
    const lts::Lts spec = test::mutate(random, system);
    lts::ExplicitSuccessors impl(system);
    lts::ExplicitSuccessors other(spec);
    const Pairs simulation = simulation_relation(system, spec);
    const Pairs traces = trace_relation(system, spec, 10'000);
    EXPECT_EQ(simulation.has_value(),
              game::simulate(impl, other, game::Semantics::Weak, {}, context)
                      .verdict == support::Verdict::Holds);
    EXPECT_EQ(traces.has_value(),
              game::include_traces(impl, other, game::Semantics::Weak, context)
                      .verdict == support::Verdict::Holds);
    if (simulation) {
      expect_closed(simulation, system, spec);
      EXPECT_TRUE(std::ranges::all_of(
          *simulation, [](const auto& pair) { return pair.spec.size() == 1; }));
    }
    if (traces) expect_closed(traces, system, spec);
    simulated += simulation.has_value() ? 1 : 0;
    included += traces.has_value() ? 1 : 0;
  }
  EXPECT_GT(simulated, 100U);
  EXPECT_GT(included, simulated);
}

}  // namespace
}  // namespace agon::verify
