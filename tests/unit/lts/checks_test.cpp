// SPDX-License-Identifier: Apache-2.0
#include "lts/checks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "helpers/random_lts.h"

namespace agon::lts {
namespace {

using support::Verdict;

/// The definitions, on a matrix of distances.
class Naive {
 public:
  explicit Naive(const Lts& lts) : lts_(lts), n_(lts.num_states()) {
    distance_.assign(n_, std::vector<std::size_t>(n_, kFar));
    for (std::size_t s = 0; s < n_; ++s) {
      distance_[s][s] = 0;
      if (lts.kind(State::at(s)) == StateKind::Error) continue;
      for (const Transition& t : lts.out(State::at(s))) {
        auto& d = distance_[s][t.target.index()];
        d = std::min<std::size_t>(d, 1);
      }
    }
    for (std::size_t k = 0; k < n_; ++k) {
      for (std::size_t i = 0; i < n_; ++i) {
        for (std::size_t j = 0; j < n_; ++j) {
          distance_[i][j] =
              std::min(distance_[i][j], distance_[i][k] + distance_[k][j]);
        }
      }
    }
  }

  bool is_error(std::size_t s) const {
    return lts_.kind(State::at(s)) == StateKind::Error;
  }
  bool is_deadlock(std::size_t s) const {
    return lts_.kind(State::at(s)) == StateKind::Ordinary &&
           lts_.out(State::at(s)).empty();
  }
  bool is_terminal(std::size_t s) const {
    for (std::size_t t = 0; t < n_; ++t) {
      if (distance_[s][t] < kFar && distance_[t][s] >= kFar) return false;
    }
    return true;
  }
  std::set<std::string> recurring(std::size_t s) const {
    std::set<std::string> names;
    for (std::size_t t = 0; t < n_; ++t) {
      if (distance_[s][t] >= kFar) continue;
      for (const Transition& move : lts_.out(State::at(t))) {
        if (move.label != kTau) names.insert(lts_.labels()->name(move.label));
      }
    }
    return names;
  }

  /// The length of a shortest trace to a state with the property.
  template <class Predicate>
  std::optional<std::size_t> nearest(Predicate wanted) const {
    std::size_t best = kFar;
    for (std::size_t s = 0; s < n_; ++s) {
      if (wanted(s)) {
        best = std::min(best, distance_[lts_.initial().index()][s]);
      }
    }
    if (best >= kFar) return std::nullopt;
    return best;
  }

  /// Whether a trace can lead to a state with the property.
  template <class Predicate>
  bool replay(const std::vector<Label>& trace, Predicate wanted) const {
    std::set<std::size_t> here{lts_.initial().index()};
    for (const Label label : trace) {
      std::set<std::size_t> next;
      for (const std::size_t s : here) {
        for (const Transition& t : lts_.out(State::at(s))) {
          if (t.label == label) next.insert(t.target.index());
        }
      }
      here = next;
    }
    return std::any_of(here.begin(), here.end(), wanted);
  }

 private:
  static constexpr std::size_t kFar = 1000;
  const Lts& lts_;
  std::size_t n_;
  std::vector<std::vector<std::size_t>> distance_;
};

template <class Predicate>
void expect_shortest(const Finding& finding, const Naive& naive,
                     Predicate wanted) {
  const auto length = naive.nearest(wanted);
  ASSERT_EQ(finding.verdict, length ? Verdict::Violated : Verdict::Holds);
  if (!length) return;
  ASSERT_EQ(finding.trace.size(), *length);
  ASSERT_TRUE(naive.replay(finding.trace, wanted));
}

Lts random_system(test::Random& random) {
  const Lts plain = test::random_lts(random, std::make_shared<LabelTable>(),
                                     {.max_states = 8, .density = 2.2});
  LtsBuilder builder(plain.labels());
  builder.ensure_states(plain.num_states());
  builder.set_initial(plain.initial());
  const bool may_err = test::below(random, 2) == 0;
  for (std::size_t i = 0; i < plain.num_states(); ++i) {
    const State state = State::at(i);
    for (const Transition& t : plain.out(state)) {
      builder.add_transition(state, t.label, t.target);
    }
    if (!plain.out(state).empty()) continue;
    const std::size_t dice = test::below(random, 4);
    if (dice == 0 && may_err) builder.set_kind(state, StateKind::Error);
    if (dice == 1) builder.set_kind(state, StateKind::Terminated);
  }
  return std::move(builder).build();
}

const std::vector<ProgressTest> kTests{
    {.name = "any", .actions = {"a", "b"}},
    {.name = "all",
     .demand = ProgressTest::Demand::AllOf,
     .actions = {"a", "b"}},
    {.name = "if",
     .actions = {"b"},
     .conditional = true,
     .condition = {"a", "c"}},
};

bool is_bad(const ProgressTest& test, const std::set<std::string>& uses) {
  const auto used = [&](const std::string& name) {
    return uses.count(name) > 0;
  };
  if (test.name == "any") return !used("a") && !used("b");
  if (test.name == "all") return !used("a") || !used("b");
  return (used("a") || used("c")) && !used("b");
}

TEST(Checks, AgreeWithTheirDefinitionsOnRandomSystems) {
  test::Random random(4);
  std::map<std::string, std::size_t> seen;
  for (std::size_t i = 0; i < test::scaled(20000); ++i) {
    SCOPED_TRACE(i);
    const Lts lts = random_system(random);
    const Naive naive(lts);
    ExplicitSuccessors system(lts);
    support::Context context;
    const Analysis analysis = analyse(system, kTests, context);
    expect_shortest(analysis.safety, naive,
                    [&](std::size_t s) { return naive.is_error(s); });
    // Without ERROR, or before it is clear that there is one, nothing may be
    // cut short.
    expect_shortest(analysis.deadlock, naive,
                    [&](std::size_t s) { return naive.is_deadlock(s); });
    ASSERT_EQ(analysis.progress.size(), kTests.size());
    for (std::size_t k = 0; k < kTests.size(); ++k) {
      const ProgressFinding& finding = analysis.progress[k];
      ASSERT_EQ(finding.name, kTests[k].name);
      if (analysis.safety.verdict == Verdict::Violated) {
        ASSERT_EQ(finding.verdict, Verdict::Unknown);
        ASSERT_EQ(finding.reason, "ERROR is reachable; check safety first");
        continue;
      }
      expect_shortest(finding, naive, [&](std::size_t s) {
        return naive.is_terminal(s) && is_bad(kTests[k], naive.recurring(s));
      });
      if (finding.verdict != Verdict::Violated) continue;
      ++seen[finding.name];
      std::set<std::string> uses;
      for (const Label label : finding.recurring) {
        uses.insert(lts.labels()->name(label));
      }
      ASSERT_TRUE(naive.replay(finding.trace, [&](std::size_t s) {
        return naive.is_terminal(s) && naive.recurring(s) == uses;
      }));
      ASSERT_TRUE(is_bad(kTests[k], uses));
    }
  }
  EXPECT_GT(seen["any"], 1000U);
  EXPECT_GT(seen["all"], 1000U);
  EXPECT_GT(seen["if"], 1000U);
}

/// A ring of `n` states, so deep that recursion would overflow the stack.
Lts ring(std::size_t n) {
  LtsBuilder builder(std::make_shared<LabelTable>());
  const Label step = builder.labels()->intern("step.x");
  builder.ensure_states(n);
  builder.set_initial(State(0));
  for (std::size_t i = 0; i < n; ++i) {
    builder.add_transition(State::at(i), step, State::at((i + 1) % n));
  }
  return std::move(builder).build();
}

TEST(Checks, DoNotRecurse) {
  const Lts lts = ring(2'000'000);
  ExplicitSuccessors system(lts);
  support::Context context;
  const std::vector<ProgressTest> tests{{.name = "p", .actions = {"step"}},
                                        {.name = "q", .actions = {"ste"}}};
  const Analysis analysis = analyse(system, tests, context);
  EXPECT_EQ(analysis.states, 2'000'000U);
  EXPECT_EQ(analysis.progress[0].verdict, Verdict::Holds);
  EXPECT_EQ(analysis.progress[1].verdict, Verdict::Violated);
}

TEST(Checks, AreUnknownWhenALimitIsReached) {
  const Lts lts = ring(100'000);
  ExplicitSuccessors system(lts);
  support::Context few(support::Limits{.max_states = 50'000});
  const std::vector<ProgressTest> tests{default_progress(system)};
  Analysis analysis = analyse(system, tests, few);
  EXPECT_EQ(analysis.safety.verdict, Verdict::Unknown);
  EXPECT_EQ(analysis.deadlock.reason, "the limit of 50000 states was reached");
  EXPECT_EQ(analysis.progress[0].verdict, Verdict::Unknown);

  support::Context tiny(support::Limits{.memory_bytes = 1});
  analysis = analyse(system, tests, tiny);
  EXPECT_EQ(analysis.safety.verdict, Verdict::Unknown);
  EXPECT_NE(analysis.safety.reason.find("memory limit"), std::string::npos);
}

TEST(Checks, DefaultProgressDemandsTheWholeAlphabet) {
  LtsBuilder builder(std::make_shared<LabelTable>());
  builder.set_initial(builder.add_state());
  const Label a = builder.labels()->intern("a");
  const Label b = builder.labels()->intern("b");
  builder.add_transition(State(0), a, State(0));
  builder.extend_alphabet(b);
  const Lts lts = std::move(builder).build();
  ExplicitSuccessors system(lts);
  support::Context context;
  const std::vector<ProgressTest> tests{default_progress(system)};
  const Analysis analysis = analyse(system, tests, context);
  EXPECT_EQ(analysis.progress[0].verdict, Verdict::Violated);
  EXPECT_EQ(analysis.progress[0].missing, std::vector<std::string>{"b"});
  EXPECT_EQ(analysis.progress[0].recurring, std::vector<Label>{a});
}

}  // namespace
}  // namespace agon::lts
