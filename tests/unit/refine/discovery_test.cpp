// SPDX-License-Identifier: Apache-2.0
// Predicates against plays that are not real.
#include "refine/discovery.h"

#include <gtest/gtest.h>

#include "refine/feasibility.h"
#include "term/substitute.h"
#include "unit/refine/subject.h"

namespace agon::refine {
namespace {

using abstraction::Answers;
using abstraction::Precision;
using smt::Answer;
using term::Term;
using test::Subject;

/// Whether the abstraction allows a play (SIM Fig. 11, CanPlay), and then what
/// it claims on the way.
class Admission {
 public:
  Admission(Subject& subject, const Precision& precision, Play& play)
      : subject_(subject), precision_(precision), play_(play) {}

  bool admits() {
    return any_step(0, subject_.steps.from(subject_.start, precision_),
                    subject_.start.constraints);
  }

 private:
  bool admits(std::uint32_t node, const Answers& values) {
    const ir::LocationId cut = play_.nodes[node].cut;
    return any_step(node, subject_.steps.from(cut, values, precision_),
                    subject_.steps.literals(cut, values, precision_));
  }

  bool any_step(std::uint32_t node, const std::vector<abstraction::Step>& steps,
                const std::vector<Term>& before) {
    for (const abstraction::Step& step : steps) {
      if (step.edge != play_.nodes[node].exit) continue;
      const ir::LocationId to = subject_.blocks.body().edge(step.edge).to;
      play_.nodes[node].before = before;
      play_.nodes[node].after =
          subject_.steps.literals(to, step.values, precision_);
      if (std::ranges::all_of(play_.nodes[node].children, [&](auto child) {
            return admits(child, step.values);
          })) {
        return true;
      }
    }
    return false;
  }

  Subject& subject_;
  const Precision& precision_;
  Play& play_;
};

/// Adds the first group that brings something new.
bool refine(Discovery& discovery, const Subject& subject, const Play& play,
            Precision& precision) {
  const auto& liveness = subject.execution.liveness();
  for (const auto& group : discovery.propose(play)) {
    bool is_new = false;
    for (const Proposal& p : group) {
      EXPECT_TRUE(subject.blocks.is_cut(p.location));
      EXPECT_TRUE(p.predicate.sort().is_bool());
      EXPECT_FALSE(term::variables_of(p.predicate).empty());
      for (const Term v : term::variables_of(p.predicate)) {
        const ir::VariableId id = subject.program.variable_of(v);
        EXPECT_TRUE(id.valid() && liveness.is_live(p.location, id));
      }
      is_new |= precision.add(p.location, p.predicate);
    }
    if (is_new) return true;
  }
  return false;
}

struct Counts {
  std::size_t ruled_out = 0;
  std::size_t at_once = 0;
  std::size_t trees = 0;
};

/// Refines until the play is not possible any more.
void rule_out(Subject& subject, Play play, bool families, Counts& counts) {
  Discovery discovery(subject.steps, subject.solutions, *subject.solver,
                      subject.start, {.families = families});
  Precision precision(subject.blocks.body().num_locations());
  if (!Admission(subject, precision, play).admits()) return;
  if (decide(play, subject.steps, subject.start, *subject.solver).answer !=
      Answer::Unsat) {
    return;
  }
  constexpr int kEnough = 60;
  for (int round = 1; round < kEnough; ++round) {
    ASSERT_TRUE(refine(discovery, subject, play, precision))
        << "round " << round;
    if (testing::Test::HasFailure()) return;
    if (Admission(subject, precision, play).admits()) continue;
    ++counts.ruled_out;
    counts.at_once += round == 1 ? 1 : 0;
    counts.trees += play.is_linear() ? 0 : 1;
    return;
  }
  FAIL() << "not ruled out";
}

TEST(Discovery, RulesOutWhatIsNotReal) {
  test::Random random(19);
  Counts counts;
  for (std::size_t i = 0; counts.ruled_out < test::scaled(80); ++i) {
    const auto subject = test::random_subject(random, i);
    for (int k = 0; k < 4; ++k) {
      SCOPED_TRACE(testing::Message() << i << " " << k);
      const auto play = test::random_play(random, subject->blocks, 7);
      if (!play) break;
      rule_out(*subject, *play, i % 3 != 0, counts);
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(counts.trees, counts.ruled_out / 10);
  EXPECT_GT(counts.at_once, counts.ruled_out / 2);
}

}  // namespace
}  // namespace agon::refine
