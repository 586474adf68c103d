// SPDX-License-Identifier: Apache-2.0
#include "game/equivalence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "game/simplify.h"
#include "helpers/naive_equivalences.h"
#include "helpers/naive_formula.h"
#include "helpers/random_lts.h"

namespace agon::game {
namespace {

using lts::kTau;
using lts::Lts;
using lts::LtsBuilder;
using lts::State;
using support::Verdict;
using test::Kinds;
using test::Random;

struct Case {
  const char* name;
  Equivalence equivalence;
  std::function<test::Relation(const Lts&, Kinds)> oracle;
};

void PrintTo(const Case& test, std::ostream* out) { *out << test.name; }

const Case kCases[] = {
    {"Strong", Equivalence::Strong, test::naive_strong},
    {"Branching", Equivalence::Branching, test::naive_branching},
    {"Weak", Equivalence::Weak, test::naive_weak},
};

class Compare : public testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(All, Compare, testing::ValuesIn(kCases),
                         [](const auto& test) { return test.param.name; });

TEST_P(Compare, AgreesWithTheDefinitionAndExplainsDifferences) {
  Random random(31);
  const auto labels = std::make_shared<lts::LabelTable>();
  support::Context context;
  std::size_t same = 0;
  const std::size_t rounds = test::scaled(20'000);
  for (std::size_t round = 0; round < rounds; ++round) {
    SCOPED_TRACE(round);
    Lts left = test::random_lts(random, labels, test::shape_of_round(round));
    if (round % 5 == 0) left = test::decorate(random, left);
    const Lts right = test::mutate(random, left);

    const auto result = compare(left, right, GetParam().equivalence, context);

    const Lts both = test::disjoint_union(left, right);
    const auto related = GetParam().oracle(both, Kinds::Ignore);
    const bool expected = related[left.initial().index()]
                                 [left.num_states() + right.initial().index()];
    ASSERT_EQ(result.verdict, expected ? Verdict::Holds : Verdict::Violated);
    ASSERT_EQ(result.formula.has_value(), !expected);
    if (expected) {
      ++same;
      continue;
    }
    SCOPED_TRACE(to_string(*result.formula, *labels));
    ASSERT_TRUE(satisfies(left, left.initial(), *result.formula));
    ASSERT_FALSE(satisfies(right, right.initial(), *result.formula));
    ASSERT_TRUE(test::naive_satisfies(left, left.initial(), *result.formula));
    ASSERT_FALSE(
        test::naive_satisfies(right, right.initial(), *result.formula));
  }
  EXPECT_GT(same, rounds / 10);
  EXPECT_LT(same, rounds * 9 / 10);
}

Formula random_formula(Random& random, const lts::SharedLabels& labels,
                       const std::vector<Modality>& modalities) {
  Formula formula;
  const auto conjunction = [&] {
    Formula::Conjunction result;
    for (std::size_t i = test::below(random, 3);
         i > 0 && !formula.diamonds.empty(); --i) {
      const std::size_t d = test::below(random, formula.diamonds.size());
      result.push_back(
          {static_cast<std::uint32_t>(d), test::below(random, 2) == 0});
    }
    return result;
  };
  for (std::size_t i = 1 + test::below(random, 6); i > 0; --i) {
    const auto label = lts::Label::at(test::below(random, labels->size()));
    const Modality modality =
        modalities[test::below(random, modalities.size())];
    auto before = conjunction();
    formula.diamonds.push_back({modality, label, before, conjunction()});
  }
  const auto last = static_cast<std::uint32_t>(formula.diamonds.size() - 1);
  formula.root = {{last, false}};
  return formula;
}

/// The modalities do not see more than the equivalences they are made for.
TEST_P(Compare, FormulasDoNotTellEquivalentStatesApart) {
  const std::vector<Modality> modalities =
      GetParam().equivalence == Equivalence::Strong
          ? std::vector{Modality::Step, Modality::Weak, Modality::Until}
      : GetParam().equivalence == Equivalence::Branching
          ? std::vector{Modality::Weak, Modality::Until}
          : std::vector{Modality::Weak};
  Random random(32);
  const auto labels = std::make_shared<lts::LabelTable>();
  for (std::size_t round = 0; round < test::scaled(20'000); ++round) {
    SCOPED_TRACE(round);
    const Lts lts =
        test::random_lts(random, labels, test::shape_of_round(round % 99));
    const auto related = GetParam().oracle(lts, Kinds::Ignore);
    const Formula formula = random_formula(random, labels, modalities);
    for (std::size_t s = 0; s < lts.num_states(); ++s) {
      ASSERT_EQ(satisfies(lts, State::at(s), formula),
                test::naive_satisfies(lts, State::at(s), formula));
      ASSERT_EQ(satisfies(lts, State::at(s), formula),
                satisfies(lts, State::at(s), compact(formula)));
      for (std::size_t t = 0; t < s; ++t) {
        if (!related[s][t]) continue;
        ASSERT_EQ(satisfies(lts, State::at(s), formula),
                  satisfies(lts, State::at(t), formula))
            << to_string(formula, *labels);
      }
    }
  }
}

/// Small systems, written as lists of transitions from state 0.
class Explanation : public testing::Test {
 protected:
  struct Step {
    std::uint32_t source;
    const char* label;
    std::uint32_t target;
  };
  Lts make(const std::vector<Step>& steps) {
    LtsBuilder builder(labels);
    builder.ensure_states(1);
    builder.set_initial(State(0));
    for (const auto& [source, label, target] : steps) {
      builder.ensure_states(std::max(source, target) + 1);
      builder.add_transition(State(source), labels->intern(label),
                             State(target));
    }
    return std::move(builder).build();
  }
  std::string explain(const Lts& left, const Lts& right, Equivalence by) {
    const auto result = compare(left, right, by, context);
    EXPECT_EQ(result.verdict, Verdict::Violated);
    if (!result.formula) return "";
    EXPECT_TRUE(satisfies(left, left.initial(), *result.formula));
    EXPECT_FALSE(satisfies(right, right.initial(), *result.formula));
    return to_string(*result.formula, *labels);
  }

  lts::SharedLabels labels = std::make_shared<lts::LabelTable>();
  support::Context context;
};

TEST_F(Explanation, OfTheMomentOfChoice) {
  const Lts early = make({{0, "a", 1}, {0, "a", 2}, {1, "b", 3}, {2, "c", 3}});
  const Lts late = make({{0, "a", 1}, {1, "b", 2}, {1, "c", 2}});
  EXPECT_EQ(explain(early, late, Equivalence::Strong), "<a>!<c>true");
  EXPECT_EQ(explain(early, late, Equivalence::Weak), "<<a>>!<<c>>true");
}

TEST_F(Explanation, OfAMissingLabel) {
  const Lts left = make({{0, "a", 1}});
  const Lts right = make({});
  EXPECT_EQ(explain(left, right, Equivalence::Strong), "<a>true");
  EXPECT_EQ(explain(right, left, Equivalence::Strong), "!<a>true");
}

TEST_F(Explanation, OfWhatIsOnlyBranching) {
  // tau (a + tau b) + b, with an a in the middle or not: a.tau.(…) law.
  const Lts left = make({{0, "a", 1}, {0, "tau", 2}, {2, "b", 3}, {0, "b", 3}});
  const Lts right = make({{0, "a", 1}, {0, "tau", 2}, {2, "b", 3}});
  EXPECT_EQ(compare(left, right, Equivalence::Weak, context).verdict,
            Verdict::Holds);
  EXPECT_NE(explain(left, right, Equivalence::Branching).find("<b>"),
            std::string::npos);
}

TEST_F(Explanation, IgnoresKinds) {
  LtsBuilder builder(labels);
  builder.set_initial(builder.add_state(lts::StateKind::Terminated));
  const Lts end = std::move(builder).build();
  for (const auto by :
       {Equivalence::Strong, Equivalence::Branching, Equivalence::Weak}) {
    EXPECT_EQ(compare(end, make({}), by, context).verdict, Verdict::Holds);
  }
}

TEST_F(Explanation, OfLongChainsIsBounded) {
  const auto chain = [&](std::uint32_t n) {
    std::vector<Step> steps;
    for (std::uint32_t i = 0; i < n; ++i) steps.push_back({i, "a", i + 1});
    return make(steps);
  };
  const auto result =
      compare(chain(20'000), chain(20'001), Equivalence::Strong, context);
  ASSERT_TRUE(result.formula);
  EXPECT_EQ(result.formula->diamonds.size(), 20'001U);
  const std::string text = to_string(*result.formula, *labels);
  EXPECT_LT(text.size(), 3'000U);
  EXPECT_NE(text.find("more definitions"), std::string::npos);
}

TEST_F(Explanation, IsMissingIfThereIsNoTime) {
  support::Limits limits;
  limits.time = std::chrono::milliseconds(1);
  support::Context hurried(limits);
  while (!hurried.exhausted()) {
  }
  const Lts left = make({{0, "a", 1}});
  const auto result = compare(left, make({}), Equivalence::Strong, hurried);
  EXPECT_EQ(result.verdict, Verdict::Violated);
  EXPECT_FALSE(result.formula);
  const Lts silent = make({{0, "tau", 1}, {0, "a", 2}});
  EXPECT_EQ(compare(left, silent, Equivalence::Weak, hurried).verdict,
            Verdict::Unknown);
}

TEST_F(Explanation, LeavesOutWhatIsNotNeeded) {
  const Lts lts =
      make({{0, "a", 2}, {2, "b", 3}, {2, "c", 3}, {1, "a", 4}, {4, "c", 3}});
  const auto label = [&](const char* name) { return labels->intern(name); };
  Formula formula;  // <a>(<b>true & <c>true)
  formula.diamonds.push_back({Modality::Step, label("b"), {}, {}});
  formula.diamonds.push_back({Modality::Step, label("c"), {}, {}});
  formula.diamonds.push_back(
      {Modality::Step, label("a"), {}, {{0, false}, {1, false}}});
  formula.root = {{2, false}};
  const Formula simple = simplify(formula, lts, State(0), State(1));
  EXPECT_EQ(to_string(simple, *labels), "<a><b>true");
  EXPECT_EQ(simple.size(), 4U);
}

TEST(FormulaText, NamesWhatIsShared) {
  const auto labels = std::make_shared<lts::LabelTable>();
  const auto a = labels->intern("a");
  Formula formula;
  formula.diamonds.push_back({Modality::Step, a, {}, {}});
  formula.diamonds.push_back({Modality::Step, a, {}, {{0, false}}});
  formula.diamonds.push_back({Modality::Weak, kTau, {}, {{1, true}}});
  formula.diamonds.push_back(
      {Modality::Until, kTau, {{1, false}}, {{0, true}, {2, false}}});
  formula.root = {{3, false}, {2, true}};
  EXPECT_EQ(to_string(formula, *labels),
            "(<a><a>true <tau> (!<a>true & F1)) & !F1 where "
            "F1 = <<>>!<a><a>true");
}

}  // namespace
}  // namespace agon::game
