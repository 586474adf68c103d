// SPDX-License-Identifier: Apache-2.0
/// Quotients and the search on them, against composition by the definition.
#include "concurrent/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>

#include "concurrent/product.h"
#include "helpers/naive_preorders.h"
#include "helpers/random_lts.h"
#include "lts/composition.h"
#include "lts/explore.h"
#include "lts/operators.h"

namespace agon::test {
namespace {

using concurrent::AllMoves;
using concurrent::Behaviour;
using concurrent::Class;
using concurrent::Composer;
using concurrent::Composition;
using concurrent::Event;
using concurrent::Merging;
using concurrent::Quotient;
using concurrent::Search;
using lts::Label;
using lts::State;
using support::Verdict;

/// An explicit system that is asked for the moves of one label, and promises
/// the label b wherever it can do anything.
class Promising final : public concurrent::ByLabel {
 public:
  explicit Promising(const lts::Lts& system) : system_(system) {}

  State initial() override { return system_.initial(); }
  std::vector<Label> possible(State state) override {
    std::set<Label> labels;
    for (const lts::Transition t : system_.out(state)) labels.insert(t.label);
    if (!labels.empty()) labels.insert(*system_.labels()->find("b"));
    return {labels.begin(), labels.end()};
  }
  std::span<const lts::Transition> expand(State state, Label label) override {
    return std::ranges::equal_range(system_.out(state), label, {},
                                    &lts::Transition::label);
  }

 private:
  const lts::Lts& system_;
};

enum class Moves { All, Settled, Visible };

/// Systems with an event for each label that some of them have.
class Side {
 public:
  Side(std::vector<lts::Lts> parts, const lts::Lts* spec, Merging merging,
       Moves moves = Moves::All,
       std::uint64_t present = concurrent::kAllComponents)
      : parts_(std::move(parts)) {
    for (const lts::Lts& part : parts_) {
      views_.push_back(std::make_unique<lts::ExplicitSuccessors>(part));
      promising_.push_back(std::make_unique<Promising>(part));
      behaviours_.push_back(behave(moves));
      quotients_.push_back(std::make_unique<Quotient>(
          *behaviours_.back(), [](State) { return 1U; }, merging));
      composition_.model_of.push_back(
          static_cast<std::uint32_t>(composition_.model_of.size()));
    }
    for (std::size_t l = 1; l < parts_[0].labels()->size(); ++l) {
      add_event(Label::at(l), spec);
    }
    std::vector<Quotient*> models;
    for (const auto& each : quotients_) models.push_back(each.get());
    composer_ = std::make_unique<Composer>(composition_, models, present);
  }

  const Composer& composer() const { return *composer_; }
  const Composition& composition() const { return composition_; }
  Quotient& quotient(std::size_t i) { return *quotients_[i]; }

  /// The composition as one system, by other code.
  lts::Lts whole(const lts::Lts* spec, support::Context& context) const {
    std::vector<std::unique_ptr<lts::Successors>> systems;
    for (const lts::Lts& part : parts_) {
      systems.push_back(std::make_unique<lts::ExplicitSuccessors>(part));
    }
    auto all = std::make_unique<lts::Composition>(std::move(systems), context);
    if (spec == nullptr) return lts::explore(*all, context);
    const auto hidden = lts::hide(std::move(all), [&](const std::string& name) {
      const auto label = spec->labels()->find(name);
      return !std::ranges::binary_search(spec->alphabet(), *label);
    });
    return lts::explore(*hidden, context);
  }

 private:
  std::unique_ptr<Behaviour> behave(Moves moves) {
    if (moves == Moves::All) return std::make_unique<AllMoves>(*views_.back());
    if (moves == Moves::Visible) {
      return std::make_unique<concurrent::VisibleMoves>(*promising_.back());
    }
    return std::make_unique<concurrent::SettledMoves>(*views_.back());
  }

  void add_event(Label label, const lts::Lts* spec) {
    Event event;
    event.name = parts_[0].labels()->name(label);
    for (std::uint32_t i = 0; i < parts_.size(); ++i) {
      if (std::ranges::binary_search(parts_[i].alphabet(), label)) {
        event.participants.push_back({i, {label}});
      }
    }
    if (spec != nullptr &&
        std::ranges::binary_search(spec->alphabet(), label)) {
      event.visible = label;
    }
    if (!event.participants.empty()) composition_.events.push_back(event);
  }

  std::vector<lts::Lts> parts_;
  std::vector<std::unique_ptr<lts::Successors>> views_;
  std::vector<std::unique_ptr<Promising>> promising_;
  std::vector<std::unique_ptr<Behaviour>> behaviours_;
  std::vector<std::unique_ptr<Quotient>> quotients_;
  Composition composition_;
  std::unique_ptr<Composer> composer_;
};

/// A system over some of the labels a, b, c, d.
lts::Lts random_part(Random& random, const lts::SharedLabels& labels) {
  const lts::Lts drawn = random_lts(random, labels, {5, 3, 0.3, 1.6});
  lts::LtsBuilder builder(labels);
  builder.ensure_states(drawn.num_states());
  builder.set_initial(drawn.initial());
  const std::size_t shift = below(random, 2);
  const auto moved = [&](Label label) {
    return label == lts::kTau ? label : Label::at(label.index() + shift);
  };
  for (std::size_t s = 0; s < drawn.num_states(); ++s) {
    for (const lts::Transition t : drawn.out(State::at(s))) {
      builder.add_transition(State::at(s), moved(t.label), t.target);
    }
  }
  for (const Label label : drawn.alphabet()) {
    builder.extend_alphabet(moved(label));
  }
  return std::move(builder).build();
}

lts::SharedLabels four_labels() {
  const auto labels = std::make_shared<lts::LabelTable>();
  for (const char* name : {"a", "b", "c", "d"}) labels->intern(name);
  return labels;
}

std::vector<lts::Lts> random_parts(Random& random,
                                   const lts::SharedLabels& labels) {
  std::vector<lts::Lts> parts;
  const std::size_t count = 1 + below(random, 3);
  for (std::size_t i = 0; i < count; ++i) {
    parts.push_back(random_part(random, labels));
  }
  return parts;
}

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

TEST(Product, IsSimulatedAsDefinedWithoutSilentMoves) {
  Random random(48);
  std::size_t simulated = 0;
  const std::size_t cases = scaled(1000);
  for (std::size_t round = 0; round < cases; ++round) {
    const auto labels = four_labels();
    support::Context context;
    const std::vector<lts::Lts> parts = random_parts(random, labels);
    const lts::Lts spec =
        round % 2 == 0
            ? random_part(random, labels)
            : mutate(
                  random,
                  Side(parts, nullptr, Merging::None).whole(nullptr, context));
    const Moves moves = round % 4 < 2 ? Moves::Visible : Moves::All;
    Side side(parts, &spec, Merging::None, moves);
    concurrent::Product product(side.composer(), spec, context);
    const auto played = concurrent::simulate(product, spec, context);
    const lts::Lts whole = side.whole(&spec, context);
    const bool is = naive_simulation(whole, spec, /*weak=*/true)
                        .contains({whole.initial(), spec.initial()});
    ASSERT_EQ(played.verdict == Verdict::Holds, is) << "round " << round;
    if (is) ++simulated;
  }
  EXPECT_GT(simulated, cases / 10);
  EXPECT_LT(simulated, cases - cases / 10);
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
    for (bool is_divided = true; verdict == Verdict::Violated && is_divided;) {
      is_divided = false;
      if (!has) ++too_coarse;
      const std::size_t first =
          below(random, side.composition().model_of.size());
      for (std::size_t k = 0; k < side.composition().model_of.size(); ++k) {
        const std::size_t m = (first + k) % side.composition().model_of.size();
        Quotient& quotient = side.quotient(m);
        for (std::size_t c = 0; c < quotient.num_classes() && !is_divided;
             ++c) {
          const auto members = quotient.members(Class::at(c));
          if (members.size() < 2) continue;
          const std::vector<std::vector<State>> one{
              {members[below(random, members.size())]}};
          search.forget(static_cast<std::uint32_t>(m), quotient.divide(one));
          is_divided = true;
        }
      }
      verdict = search.run().verdict;
    }
    ASSERT_EQ(verdict == Verdict::Violated, has) << "round " << round;
  }
  EXPECT_GT(too_coarse, cases / 80);
}

lts::Lts chain(const lts::SharedLabels& labels,
               const std::vector<std::string>& actions) {
  lts::LtsBuilder builder(labels);
  State at = builder.add_state();
  builder.set_initial(at);
  for (const std::string& action : actions) {
    const State next = builder.add_state();
    builder.add_transition(at, labels->intern(action), next);
    at = next;
  }
  return std::move(builder).build();
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
  EXPECT_EQ(quotient.take_grown(), std::vector{first});
  EXPECT_TRUE(quotient.take_grown().empty());

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
  EXPECT_FALSE(quotient.stabilise().empty());
  // No two states of a chain have the same future.
  EXPECT_EQ(quotient.num_classes(), system.num_states());
  EXPECT_TRUE(quotient.stabilise().empty());
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
