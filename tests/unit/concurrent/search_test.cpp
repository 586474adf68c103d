// SPDX-License-Identifier: Apache-2.0
/// Quotients and the search on them, against composition by the definition.
#include "concurrent/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>

#include "concurrent/stages.h"
#include "helpers/components.h"
#include "helpers/naive_preorders.h"
#include "lts/explore.h"

namespace agon::test {
namespace {

using concurrent::AllMoves;
using concurrent::Class;
using concurrent::Composer;
using concurrent::Merging;
using concurrent::Quotient;
using concurrent::Search;
using lts::Label;
using lts::State;
using support::Verdict;

/// The path of a finding is one of the components, step by step.
void expect_path(const Composer& composer, const concurrent::Finding& finding) {
  concurrent::Place here = composer.initial();
  for (const auto& step : finding.path) {
    if (step.after.empty()) {
      EXPECT_TRUE(composer.num_outcomes(here, step.move) > 0);
      return;
    }
    bool leads_there = false;
    composer.outcomes(here, step.move, [&](const auto& there) {
      leads_there = leads_there || there == step.after;
    });
    ASSERT_TRUE(leads_there);
    here = step.after;
  }
}

void expect_right_traces(std::uint64_t seed, Moves moves) {
  Random random(seed);
  std::size_t violated = 0;
  const std::size_t cases = scaled(1500);
  for (std::size_t round = 0; round < cases; ++round) {
    const auto labels = four_labels();
    support::Context context;
    const lts::Lts spec = random_part(random, labels);
    Side side(random_parts(random, labels), &spec, Merging::None, moves);
    Search search(side.composer(), &spec, context);
    const auto finding = search.run();
    const bool has = naive_trace_violation(side.whole(&spec, context), spec,
                                           /*weak=*/true)
                         .has_value();
    ASSERT_EQ(finding.verdict == Verdict::Violated, has) << "round " << round;
    if (!has) continue;
    ++violated;
    expect_path(side.composer(), finding);
  }
  EXPECT_GT(violated, cases / 10);
  EXPECT_LT(violated, cases - cases / 10);
}

TEST(Search, FindsOffendingTracesAsDefined) {
  expect_right_traces(41, Moves::All);
}

TEST(Search, FindsThemWithoutSilentMoves) {
  expect_right_traces(44, Moves::Visible);
}

TEST(Search, FindsThemWhereSilentStatesArePassedOver) {
  expect_right_traces(45, Moves::Settled);
}

void expect_right_deadlocks(std::uint64_t seed, Moves moves) {
  Random random(seed);
  std::size_t stuck = 0;
  const std::size_t cases = scaled(1500);
  for (std::size_t round = 0; round < cases; ++round) {
    const auto labels = four_labels();
    support::Context context;
    Side side(random_parts(random, labels), nullptr, Merging::None, moves);
    Search search(side.composer(), nullptr, context);
    const lts::Lts whole = side.whole(nullptr, context);
    bool has = false;
    for (const State state : lts::reachable(whole)) {
      has = has || whole.out(state).empty();
    }
    ASSERT_EQ(search.run().verdict == Verdict::Violated, has)
        << "round " << round;
    if (has) ++stuck;
  }
  EXPECT_GT(stuck, cases / 10);
  EXPECT_LT(stuck, cases - cases / 10);
}

TEST(Search, FindsDeadlocksAsDefined) {
  expect_right_deadlocks(42, Moves::All);
}

TEST(Search, FindsThemWhereWhatIsSilentIsPassedOver) {
  expect_right_deadlocks(46, Moves::Settled);
}

/// What is said when two components, after an action of their own each, rest.
Verdict verdict_at_rest(concurrent::Rest first, concurrent::Rest second) {
  const auto labels = four_labels();
  const std::vector<lts::Lts> parts{chain(labels, {"a"}), chain(labels, {"b"})};
  concurrent::Composition composition{
      {0, 1}, {}, concurrent::Composition::kNone};
  std::vector<std::unique_ptr<lts::ExplicitSuccessors>> views;
  std::vector<std::unique_ptr<AllMoves>> moves;
  std::vector<std::unique_ptr<Quotient>> quotients;
  for (std::uint32_t i = 0; i < 2; ++i) {
    const auto rest = static_cast<std::uint32_t>(i == 0 ? first : second);
    views.push_back(std::make_unique<lts::ExplicitSuccessors>(parts[i]));
    moves.push_back(std::make_unique<AllMoves>(*views.back()));
    quotients.push_back(std::make_unique<Quotient>(
        *moves.back(),
        [rest](State state) { return state == State(1) ? rest : 1U; },
        Merging::ByEnabledActions));
    const Label own = *labels->find(i == 0 ? "a" : "b");
    composition.events.push_back({"", {{i, {own}}}, lts::kTau});
  }
  const Composer composer(composition,
                          {quotients[0].get(), quotients[1].get()});
  support::Context context;
  return Search(composer, nullptr, context).run().verdict;
}

TEST(Search, TakesForADeadlockWhereSomeWaitAndNobodyRunsOn) {
  using enum concurrent::Rest;
  EXPECT_EQ(verdict_at_rest(Waiting, Waiting), Verdict::Violated);
  EXPECT_EQ(verdict_at_rest(Waiting, Ended), Verdict::Violated);
  EXPECT_EQ(verdict_at_rest(Ended, Waiting), Verdict::Violated);
  EXPECT_EQ(verdict_at_rest(Ended, Ended), Verdict::Holds);
  EXPECT_EQ(verdict_at_rest(None, Waiting), Verdict::Holds);
  EXPECT_EQ(verdict_at_rest(Waiting, None), Verdict::Holds);
}

/// One state that does all actions of a system.
lts::Lts anything(const lts::Lts& system) {
  lts::LtsBuilder builder(system.labels());
  const State only = builder.add_state();
  builder.set_initial(only);
  for (const Label label : system.alphabet()) {
    builder.add_transition(only, label, only);
  }
  return std::move(builder).build();
}

TEST(Search, LetsComponentsDoAnythingThatAreLeftOut) {
  Random random(47);
  std::size_t violated = 0;
  const std::size_t cases = scaled(1500);
  for (std::size_t round = 0; round < cases; ++round) {
    const auto labels = four_labels();
    support::Context context;
    const lts::Lts spec = random_part(random, labels);
    const std::vector<lts::Lts> parts = random_parts(random, labels);
    const std::uint64_t present = below(random, 1U << parts.size());
    std::vector<lts::Lts> freed;
    for (std::uint32_t i = 0; i < parts.size(); ++i) {
      const bool is_present = (present & concurrent::bit(i)) != 0;
      freed.push_back(is_present ? parts[i] : anything(parts[i]));
    }
    Side side(parts, &spec, Merging::None, Moves::Visible, present);
    Search search(side.composer(), &spec, context);
    const auto finding = search.run();
    const lts::Lts whole =
        Side(freed, &spec, Merging::None).whole(&spec, context);
    const bool has =
        naive_trace_violation(whole, spec, /*weak=*/true).has_value();
    ASSERT_EQ(finding.verdict == Verdict::Violated, has) << "round " << round;
    if (has) ++violated;
  }
  EXPECT_GT(violated, cases / 10);
  EXPECT_LT(violated, cases - cases / 20);
}

/// Divides a class at random. False if there is none.
bool divide_for(const std::vector<Search*>& searches, Random& random,
                Side& side) {
  const std::optional<Division> division = divide_one(random, side);
  if (!division) return false;
  for (Search* const search : searches) {
    search->forget(division->model, division->changed);
  }
  return true;
}

// Classes are divided at random; the answer must never be "holds" for what is
// violated, and when every state is a class of its own it must be right.
TEST(Search, StaysRightWhileClassesAreDivided) {
  Random random(43);
  const std::size_t cases = scaled(1600);
  std::size_t too_coarse = 0;
  for (std::size_t round = 0; round < cases; ++round) {
    const auto labels = four_labels();
    support::Context context;
    const std::vector<lts::Lts> parts = random_parts(random, labels);
    // Often the composition itself, which a coarse one goes beyond.
    const lts::Lts spec =
        round % 8 == 0
            ? random_part(random, labels)
            : Side(parts, nullptr, Merging::None).whole(nullptr, context);
    Side side(parts, &spec, Merging::ByEnabledActions,
              round % 2 == 0 ? Moves::All : Moves::Visible);
    Search search(side.composer(), &spec, context);
    const bool has = naive_trace_violation(side.whole(&spec, context), spec,
                                           /*weak=*/true)
                         .has_value();
    auto verdict = search.run().verdict;
    while (verdict == Verdict::Violated &&
           divide_for({&search}, random, side)) {
      if (!has) ++too_coarse;
      verdict = search.run().verdict;
    }
    ASSERT_EQ(verdict == Verdict::Violated, has) << "round " << round;
  }
  EXPECT_GT(too_coarse, cases / 80);
}

// What one search asks for makes the classes of the other grow.
TEST(Search, StaysRightWhileAnotherUsesTheSameQuotients) {
  Random random(48);
  const std::size_t cases = scaled(1000);
  std::size_t differ = 0;
  for (std::size_t round = 0; round < cases; ++round) {
    const auto labels = four_labels();
    support::Context context;
    const std::vector<lts::Lts> parts = random_parts(random, labels);
    const lts::Lts spec =
        round % 4 == 0
            ? random_part(random, labels)
            : Side(parts, nullptr, Merging::None).whole(nullptr, context);
    const std::uint64_t present = below(random, 1U << parts.size());
    std::vector<lts::Lts> freed;
    for (std::uint32_t i = 0; i < parts.size(); ++i) {
      const bool is_present = (present & concurrent::bit(i)) != 0;
      freed.push_back(is_present ? parts[i] : anything(parts[i]));
    }
    Side side(parts, &spec, Merging::ByEnabledActions, Moves::Visible);
    const Composer few(side.composition(), side.composer().models(), present);
    Search of_few(few, &spec, context);
    Search of_all(side.composer(), &spec, context);
    const auto is_violated = [](Search& search) {
      return search.run().verdict == Verdict::Violated;
    };
    bool few_violated = is_violated(of_few);
    bool all_violated = is_violated(of_all);
    while ((few_violated || all_violated) &&
           divide_for({&of_few, &of_all}, random, side)) {
      all_violated = is_violated(of_all);
      few_violated = is_violated(of_few);
    }
    const auto truth = [&](const lts::Lts& whole) {
      return naive_trace_violation(whole, spec, /*weak=*/true).has_value();
    };
    ASSERT_EQ(of_all.run().verdict == Verdict::Violated,
              truth(side.whole(&spec, context)))
        << "round " << round;
    ASSERT_EQ(of_few.run().verdict == Verdict::Violated,
              truth(Side(freed, &spec, Merging::None).whole(&spec, context)))
        << "round " << round;
    if (few_violated != all_violated) ++differ;
  }
  EXPECT_GT(differ, cases / 20);
}

// The search of one component is told what is divided for the sake of all, and
// is right when the others are gone.
TEST(Stages, StayRightWhileAnotherIsUsed) {
  Random random(49);
  const std::size_t cases = scaled(1000);
  std::size_t divided = 0;
  for (std::size_t round = 0; round < cases; ++round) {
    const auto labels = four_labels();
    support::Context context;
    std::vector<lts::Lts> parts = random_parts(random, labels);
    parts.push_back(random_part(random, labels));
    const lts::Lts spec =
        Side(parts, nullptr, Merging::None).whole(nullptr, context);
    Side side(parts, &spec, Merging::ByEnabledActions, Moves::Visible);
    concurrent::Stages<Search> stages;
    const auto make = [&](const Composer& composer) {
      return Search(composer, &spec, context);
    };
    const auto pursue = [&] {
      while (stages.engine().run().verdict == Verdict::Violated) {
        const auto division = divide_one(random, side);
        if (!division) return true;
        ++divided;
        stages.forget(division->model, division->changed);
      }
      return false;
    };
    stages.add(Composer(side.composition(), side.composer().models(), 1), make);
    stages.engine().run();
    stages.add(Composer(side.composition(), side.composer().models()), make);
    pursue();
    stages.drop({1});
    ASSERT_FALSE(stages.select(concurrent::kAllComponents));
    ASSERT_TRUE(stages.select(1));

    std::vector<lts::Lts> freed{parts[0]};
    for (std::size_t i = 1; i < parts.size(); ++i) {
      freed.push_back(anything(parts[i]));
    }
    const lts::Lts whole =
        Side(freed, &spec, Merging::None).whole(&spec, context);
    ASSERT_EQ(pursue(),
              naive_trace_violation(whole, spec, /*weak=*/true).has_value())
        << "round " << round;
    stages.drop({0, 1});  // Of which only the first takes part.
    EXPECT_FALSE(stages.select(1));
  }
  EXPECT_GT(divided, cases / 10);
}

// What offers a is one class. Only its second member, which is found when the
// class was looked at already, leads to c; and all is one state to the
// specification, so that there is no other position with the class.
TEST(Search, LooksAgainAtClassesThatGrow) {
  const auto labels = four_labels();
  std::vector<lts::Lts> parts;
  parts.push_back(chain(labels, {"a", "b", "a", "c"}));
  lts::LtsBuilder builder(labels);
  builder.set_initial(builder.add_state());
  for (const char* name : {"a", "b"}) {
    builder.add_transition(State(0), *labels->find(name), State(0));
  }
  builder.extend_alphabet(*labels->find("c"));
  const lts::Lts spec = std::move(builder).build();
  for (const Moves moves : {Moves::All, Moves::Visible}) {
    support::Context context;
    Side side(parts, &spec, Merging::ByEnabledActions, moves);
    Search search(side.composer(), &spec, context);
    EXPECT_EQ(search.run().verdict, Verdict::Violated);
  }
}

// As for simulation: of 24 positions, the two of the class that is divided are
// gone, those of its parts are new, and what leads there is visited again.
TEST(Search, VisitsAgainOnlyWhatADivisionConcerns) {
  const auto labels = std::make_shared<lts::LabelTable>();
  const std::vector<lts::Lts> parts{slow_starter(labels), pendulum(labels)};
  const lts::Lts spec = all_allowed(labels);
  support::Context context;
  Side side(parts, &spec, Merging::ByEnabledActions, Moves::All);
  Search search(side.composer(), &spec, context);
  EXPECT_EQ(search.run().verdict, Verdict::Holds);
  EXPECT_EQ(search.num_states(), 24U);
  const std::size_t before = search.num_visits();

  const std::vector<std::vector<State>> last{{State(12)}};
  search.forget(0, side.quotient(0).divide(last));
  EXPECT_EQ(search.run().verdict, Verdict::Holds);
  EXPECT_EQ(search.num_states(), 26U);
  EXPECT_EQ(search.num_visits(), before + 6U);
}

TEST(Quotient, MergesWhatOffersTheSame) {
  const auto labels = four_labels();
  const lts::Lts system = chain(labels, {"a", "a", "b", "a"});
  lts::ExplicitSuccessors view(system);
  AllMoves moves(view);
  Quotient quotient(moves, [](State) { return 0U; }, Merging::ByEnabledActions);
  const Label a = *labels->find("a");
  const Class first = quotient.initial();
  EXPECT_EQ(quotient.members(first).size(), 1U);
  const std::vector<Class> next = quotient.targets(first, a);
  // The second state offers a, too; the third offers b.
  EXPECT_EQ(next.size(), 2U);
  EXPECT_EQ(next.front(), first);
  EXPECT_EQ(quotient.members(first).size(), 2U);
  std::size_t seen = 0;
  const auto grown = quotient.grown_since(seen);
  EXPECT_EQ(std::vector(grown.begin(), grown.end()), std::vector{first});
  EXPECT_TRUE(quotient.grown_since(seen).empty());
  std::size_t seen_by_another = 0;
  EXPECT_EQ(quotient.grown_since(seen_by_another).size(), 1U);

  const std::vector<std::vector<State>> second{{State(1)}};
  EXPECT_EQ(quotient.divide(second).size(), 2U);
  EXPECT_EQ(quotient.targets(first, a).size(), 1U);
  EXPECT_TRUE(quotient.divide(second).empty());
}

TEST(Quotient, StabilisesToWhatGoesOnAlike) {
  const auto labels = four_labels();
  const lts::Lts system = chain(labels, {"a", "a", "b", "a", "b"});
  lts::ExplicitSuccessors view(system);
  AllMoves moves(view);
  Quotient quotient(moves, [](State) { return 0U; }, Merging::ByEnabledActions);
  for (std::size_t i = 0; i < system.num_states(); ++i) {
    quotient.class_of(State::at(i));
  }
  EXPECT_EQ(quotient.num_classes(), 3U);
  // What offers a, and what offers b, is not what it was; and three are new.
  const std::vector<Class> changed = quotient.stabilise();
  EXPECT_EQ(std::set(changed.begin(), changed.end()),
            (std::set{Class(0), Class(1), Class(3), Class(4), Class(5)}));
  // No two states of a chain have the same future.
  EXPECT_EQ(quotient.num_classes(), system.num_states());
  EXPECT_TRUE(quotient.stabilise().empty());
}

// Two components together would offend after two actions, one alone after
// three.
TEST(Search, FindsFirstWhatNeedsTheFewestComponents) {
  const auto labels = std::make_shared<lts::LabelTable>();
  const std::vector<lts::Lts> parts{
      chain(labels, {"start", "meet", "both"}),
      chain(labels, {"start", "meet", "both"}),
      chain(labels, {"start", "x", "y", "one"}),
  };
  lts::LtsBuilder builder(labels);
  builder.set_initial(builder.add_state());
  for (const char* name : {"start", "meet", "x", "y"}) {
    builder.add_transition(State(0), *labels->find(name), State(0));
  }
  for (const char* name : {"both", "one"}) {
    builder.extend_alphabet(*labels->find(name));
  }
  const lts::Lts spec = std::move(builder).build();
  support::Context context;
  Side side(parts, &spec, Merging::None);
  Search search(side.composer(), &spec, context);
  const auto finding = search.run();
  ASSERT_EQ(finding.verdict, Verdict::Violated);
  const auto last = finding.path.back().move.event;
  EXPECT_EQ(side.composition().events[last].name, "one");
}

// Components that nobody observes move first, so that they do not multiply.
TEST(Search, LetsIndependentComponentsWait) {
  const auto labels = std::make_shared<lts::LabelTable>();
  const lts::Lts spec = chain(labels, {"seen"});
  std::vector<lts::Lts> parts;
  parts.push_back(chain(labels, {"seen"}));
  for (int i = 0; i < 8; ++i) {
    const std::string name = "own" + std::to_string(i);
    parts.push_back(chain(labels, {name + ".x", name + ".y", name + ".z"}));
  }
  support::Context context;
  Side side(std::move(parts), &spec, Merging::None);
  Search search(side.composer(), &spec, context);
  EXPECT_EQ(search.run().verdict, Verdict::Holds);
  EXPECT_LT(search.num_states(), 100U);
  EXPECT_EQ(search.performed(), std::set{*labels->find("seen")});
}

}  // namespace
}  // namespace agon::test
