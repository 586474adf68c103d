// SPDX-License-Identifier: Apache-2.0
/// Like components around a hub: the search that takes permuted places for one,
/// against composition by the definition.
#include "concurrent/symmetry.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>

#include "concurrent/search.h"
#include "concurrent/simulation.h"
#include "helpers/components.h"
#include "helpers/naive_preorders.h"
#include "helpers/random_lts.h"
#include "lts/composition.h"
#include "lts/explore.h"
#include "lts/operators.h"

namespace agon::test {
namespace {

using concurrent::Composer;
using concurrent::Composition;
using concurrent::Quotient;
using concurrent::Search;
using concurrent::Simulation;
using lts::Label;
using lts::State;
using support::Verdict;

using Images = std::map<Label, std::vector<Label>>;

/// Each transition once for each image of its label.
lts::Lts renamed(const lts::Lts& from, const Images& images) {
  lts::LtsBuilder builder(from.labels());
  builder.ensure_states(from.num_states());
  builder.set_initial(from.initial());
  for (const auto& [label, news] : images) {
    for (const Label each : news) builder.extend_alphabet(each);
  }
  for (std::size_t s = 0; s < from.num_states(); ++s) {
    for (const lts::Transition t : from.out(State::at(s))) {
      if (t.label == lts::kTau) {
        builder.add_transition(State::at(s), t.label, t.target);
        continue;
      }
      for (const Label each : images.at(t.label)) {
        builder.add_transition(State::at(s), each, t.target);
      }
    }
  }
  return std::move(builder).build();
}

/// One transition is missing.
lts::Lts spoiled(Random& random, const lts::Lts& from) {
  lts::LtsBuilder builder(from.labels());
  builder.ensure_states(from.num_states());
  builder.set_initial(from.initial());
  for (const Label label : from.alphabet()) builder.extend_alphabet(label);
  const std::size_t count = from.transitions().size();
  const std::size_t missing = count == 0 ? 0 : below(random, count);
  std::size_t number = 0;
  for (std::size_t s = 0; s < from.num_states(); ++s) {
    for (const lts::Transition t : from.out(State::at(s))) {
      if (number++ == missing) continue;
      builder.add_transition(State::at(s), t.label, t.target);
    }
  }
  return std::move(builder).build();
}

/// A random system over a, b, c in a table that has other labels, too.
lts::Lts drawn(Random& random, const lts::SharedLabels& labels, double silent) {
  const auto few = std::make_shared<lts::LabelTable>();
  for (const char* name : {"a", "b", "c"}) few->intern(name);
  const lts::Lts made = random_lts(random, few, {4, 3, silent, 1.8});
  lts::LtsBuilder builder(labels);
  builder.ensure_states(made.num_states());
  builder.set_initial(made.initial());
  for (std::size_t s = 0; s < made.num_states(); ++s) {
    for (const lts::Transition t : made.out(State::at(s))) {
      const Label label =
          t.label == lts::kTau ? t.label : *labels->find(few->name(t.label));
      builder.add_transition(State::at(s), label, t.target);
    }
  }
  return std::move(builder).build();
}

/// A hub that knows a and b of each of several members, whose c is their own.
class Star {
 public:
  Star(Random& random, std::size_t count, bool is_deadlock) : Star(count) {
    hub_ = around(random, drawn(random, labels_, 0.2), 2);
    member_ = drawn(random, labels_, 0.2);
    spec_ = around(random, drawn(random, labels_, 0.0), 3);
    make_composition(is_deadlock);
  }

  /// One of them may do a, and then does c. The specification allows all.
  static std::unique_ptr<Star> for_one(std::size_t count) {
    std::unique_ptr<Star> made(new Star(count));
    made->hub_ = made->alike(chain(made->labels_, {"a"}), 2);
    made->member_ = chain(made->labels_, {"a", "c"});
    made->spec_ = made->alike(chain(made->labels_, {"a", "c"}), 3);
    made->make_composition(false);
    return made;
  }

  /// Two of them may do a, one of them. Only the first can then do b, which is
  /// not allowed, and the hub gets there silently.
  static std::unique_ptr<Star> lopsided() {
    std::unique_ptr<Star> made(new Star(2));
    lts::LtsBuilder hub(made->labels_);
    hub.ensure_states(4);
    hub.set_initial(State(0));
    for (const auto& own : made->own_) {
      hub.add_transition(State(0), own[0], State(1));
      hub.extend_alphabet(own[1]);
    }
    hub.add_transition(State(1), lts::kTau, State(2));
    hub.add_transition(State(2), made->own_[0][1], State(3));
    made->hub_ = std::move(hub).build();
    made->member_ = chain(made->labels_, {"a", "b"});
    made->spec_ = made->alike(chain(made->labels_, {"a"}), 3);
    made->make_composition(false);
    return made;
  }

  /// Each may do a or c to the same effect. Only a is allowed.
  static std::unique_ptr<Star> with_two_ways(std::size_t count) {
    std::unique_ptr<Star> made(new Star(count));
    const auto state_with = [&](const std::vector<std::size_t>& labels,
                                State after) {
      lts::LtsBuilder builder(made->labels_);
      builder.ensure_states(2);
      builder.set_initial(State(0));
      for (const std::size_t k : labels) {
        builder.add_transition(State(0), made->locals_[k], after);
      }
      return std::move(builder).build();
    };
    made->hub_ = made->alike(state_with({0}, State(0)), 2);
    made->member_ = state_with({0, 2}, State(1));
    made->spec_ = made->alike(state_with({0}, State(0)), 3);
    made->make_composition(false);
    return made;
  }

  const lts::Lts& spec() const { return *spec_; }
  const Composer& composer() const { return *composer_; }

  lts::Lts whole(bool is_deadlock, support::Context& context) const {
    std::vector<std::unique_ptr<lts::Successors>> systems;
    std::vector<lts::Lts> parts{*hub_};
    for (const auto& own : own_) {
      Images images;
      for (std::size_t k = 0; k < own.size(); ++k) {
        images[locals_[k]] = {own[k]};
      }
      parts.push_back(renamed(*member_, images));
    }
    for (const lts::Lts& part : parts) {
      systems.push_back(std::make_unique<lts::ExplicitSuccessors>(part));
    }
    auto all = std::make_unique<lts::Composition>(std::move(systems), context);
    if (is_deadlock) return lts::explore(*all, context);
    const auto hidden = lts::hide(std::move(all), [&](const std::string& name) {
      return !std::ranges::binary_search(spec_->alphabet(),
                                         *labels_->find(name));
    });
    return lts::explore(*hidden, context);
  }

 private:
  explicit Star(std::size_t count)
      : labels_(std::make_shared<lts::LabelTable>()) {
    for (const char* name : {"a", "b", "c"}) locals_.push_back(intern(name));
    for (std::size_t i = 0; i < count; ++i) {
      auto& own = own_.emplace_back();
      for (const char* name : {".a", ".b", ".c"}) {
        own.push_back(intern(std::to_string(i) + name));
      }
    }
  }

  Label intern(const std::string& name) { return labels_->intern(name); }

  /// Treats members alike, mostly.
  lts::Lts around(Random& random, const lts::Lts& system, std::size_t known) {
    const lts::Lts made = alike(system, known);
    return below(random, 3) == 0 ? spoiled(random, made) : made;
  }

  /// Knows the first labels of each member.
  lts::Lts alike(const lts::Lts& system, std::size_t known) const {
    Images images;
    for (std::size_t k = 0; k < locals_.size(); ++k) {
      auto& news = images[locals_[k]];
      for (const auto& own : own_) {
        if (k < known) news.push_back(own[k]);
      }
    }
    return renamed(system, images);
  }

  void make_composition(bool is_deadlock) {
    for (const lts::Lts* system : {&*hub_, &*member_}) {
      views_.push_back(std::make_unique<lts::ExplicitSuccessors>(*system));
      behaviours_.push_back(
          std::make_unique<concurrent::AllMoves>(*views_.back()));
      quotients_.push_back(std::make_unique<Quotient>(
          *behaviours_.back(), [](State) { return 1U; },
          concurrent::Merging::None));
    }
    composition_.model_of.assign(own_.size() + 1, 1);
    composition_.model_of[0] = 0;
    for (std::uint32_t i = 0; i < own_.size(); ++i) {
      for (std::size_t k = 0; k < locals_.size(); ++k) {
        const Label label = own_[i][k];
        concurrent::Event event{labels_->name(label), {}, lts::kTau};
        const bool is_seen =
            std::ranges::binary_search(spec_->alphabet(), label);
        if (is_seen && !is_deadlock) event.visible = label;
        if (k < 2) event.participants.push_back({0, {label}});
        event.participants.push_back({i + 1, {locals_[k]}});
        composition_.events.push_back(std::move(event));
      }
    }
    composer_ = std::make_unique<Composer>(
        composition_,
        std::vector<Quotient*>{quotients_[0].get(), quotients_[1].get()});
  }

  lts::SharedLabels labels_;
  std::vector<Label> locals_;
  std::vector<std::vector<Label>> own_;  // By member.
  std::optional<lts::Lts> hub_;
  std::optional<lts::Lts> member_;
  std::optional<lts::Lts> spec_;
  std::vector<std::unique_ptr<lts::Successors>> views_;
  std::vector<std::unique_ptr<concurrent::Behaviour>> behaviours_;
  std::vector<std::unique_ptr<Quotient>> quotients_;
  Composition composition_;
  std::unique_ptr<Composer> composer_;
};

/// The path can be taken, and only its last action is not allowed.
void expect_path(const Star& star, const concurrent::Finding& finding,
                 bool is_deadlock) {
  concurrent::Place here = star.composer().initial();
  std::set<State> allowed{star.spec().initial()};
  for (const auto& step : finding.path) {
    bool leads_there = false;
    star.composer().outcomes(here, step.move, [&](const auto& there) {
      leads_there = leads_there || step.after.empty() || there == step.after;
    });
    ASSERT_TRUE(leads_there);
    const Label label = star.composer().visible(step.move);
    if (label != lts::kTau) {
      std::set<State> then;
      for (const State state : allowed) {
        for (const lts::Transition t : star.spec().out(state)) {
          if (t.label == label) then.insert(t.target);
        }
      }
      ASSERT_EQ(then.empty(), step.after.empty());
      allowed = std::move(then);
    }
    here = step.after;
  }
  if (is_deadlock) {
    EXPECT_TRUE(
        star.composer().moves(here, concurrent::kAllComponents).empty());
  }
}

void expect_right(std::uint64_t seed, bool is_deadlock) {
  Random random(seed);
  std::size_t violated = 0;
  std::size_t smaller = 0;
  const std::size_t cases = scaled(1500);
  for (std::size_t round = 0; round < cases; ++round) {
    support::Context context;
    const Star star(random, 2 + below(random, 3), is_deadlock);
    const lts::Lts* const spec = is_deadlock ? nullptr : &star.spec();
    Search plain(star.composer(), spec, context, {.many = 1'000'000});
    const bool was_violated = plain.run().verdict == Verdict::Violated;
    Search search(star.composer(), spec, context, {.many = 1});
    const auto finding = search.run();
    const lts::Lts whole = star.whole(is_deadlock, context);
    bool has = false;
    if (is_deadlock) {
      for (const State state : lts::reachable(whole)) {
        has = has || whole.out(state).empty();
      }
    } else {
      has = naive_trace_violation(whole, *spec, /*weak=*/true).has_value();
    }
    ASSERT_EQ(finding.verdict == Verdict::Violated, has) << "round " << round;
    ASSERT_EQ(was_violated, has) << "round " << round;
    if (!has && search.num_states() < plain.num_states()) ++smaller;
    if (!has && !is_deadlock) {
      ASSERT_EQ(search.performed(), plain.performed()) << "round " << round;
    }
    if (!has) continue;
    ++violated;
    expect_path(star, finding, is_deadlock);
  }
  EXPECT_GT(violated, cases / 10);
  EXPECT_LT(violated, cases - cases / 10);
  EXPECT_GT(smaller, cases / 100);
}

TEST(Symmetry, LosesNoOffendingTrace) { expect_right(51, false); }

TEST(Symmetry, ChangesNoGameOfSimulation) {
  Random random(53);
  std::size_t violated = 0;
  std::size_t smaller = 0;
  const std::size_t cases = scaled(1500);
  for (std::size_t round = 0; round < cases; ++round) {
    support::Context context;
    const Star star(random, 2 + below(random, 3), false);
    Simulation plain(star.composer(), star.spec(), context, 1'000'000);
    const bool was_violated = plain.run().verdict == Verdict::Violated;
    Simulation simulation(star.composer(), star.spec(), context, 1);
    const auto played = simulation.run();
    const lts::Lts whole = star.whole(false, context);
    const bool has = !naive_simulation(whole, star.spec(), /*weak=*/true)
                          .contains({whole.initial(), star.spec().initial()});
    ASSERT_EQ(played.verdict == Verdict::Violated, has) << "round " << round;
    ASSERT_EQ(was_violated, has) << "round " << round;
    if (!has && simulation.num_states() < plain.num_states()) ++smaller;
    if (!has) continue;
    ++violated;
    expect_winning(star.composer(), star.spec(), played.tree);
  }
  EXPECT_GT(violated, cases / 10);
  EXPECT_LT(violated, cases - cases / 10);
  EXPECT_GT(smaller, cases / 100);
}

// When symmetry is looked for, it is not known yet that the hub prefers one.
TEST(Symmetry, IsCheckedAgainInTheEnd) {
  const auto star = Star::lopsided();
  support::Context context;
  Search search(star->composer(), &star->spec(), context, {.many = 1});
  EXPECT_EQ(search.run().verdict, Verdict::Violated);
  const auto again = Star::lopsided();
  Simulation simulation(again->composer(), again->spec(), context, 1);
  EXPECT_EQ(simulation.run().verdict, Verdict::Violated);
}

TEST(Symmetry, GivesStrategiesTheirOwnLabelsBack) {
  const auto star = Star::with_two_ways(3);
  support::Context context;
  Simulation simulation(star->composer(), star->spec(), context, 0);
  const auto played = simulation.run();
  ASSERT_EQ(played.verdict, Verdict::Violated);
  expect_winning(star->composer(), star->spec(), played.tree);
}

TEST(Symmetry, KnowsWhatOthersCouldHaveDoneInstead) {
  const auto star = Star::for_one(3);
  support::Context context;
  Search plain(star->composer(), &star->spec(), context, {.many = 1'000'000});
  EXPECT_EQ(plain.run().verdict, Verdict::Holds);
  Search search(star->composer(), &star->spec(), context, {.many = 1});
  EXPECT_EQ(search.run().verdict, Verdict::Holds);
  EXPECT_LT(search.num_states(), plain.num_states());
  EXPECT_EQ(plain.performed().size(), 6U);
  EXPECT_EQ(search.performed(), plain.performed());
}

TEST(Symmetry, LosesNoDeadlock) { expect_right(52, true); }

}  // namespace
}  // namespace agon::test
