// SPDX-License-Identifier: Apache-2.0
/// Symmetry in compositions of any shape, where an event can have several
/// participants and a component several actions for it, against a search that
/// visits every place.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "concurrent/search.h"
#include "concurrent/simulation.h"
#include "helpers/components.h"
#include "helpers/random_lts.h"

namespace agon::test {
namespace {

using concurrent::Composer;
using concurrent::Composition;
using concurrent::Event;
using concurrent::Merging;
using concurrent::Participant;
using concurrent::Quotient;
using concurrent::Search;
using lts::Label;
using lts::State;
using support::Verdict;

using Where = std::vector<State>;

/// Systems side by side, each for some components.
class Group {
 public:
  Group(std::vector<lts::Lts> models, Composition composition)
      : models_(std::move(models)), composition_(std::move(composition)) {
    std::vector<Quotient*> quotients;
    for (const lts::Lts& model : models_) {
      views_.push_back(std::make_unique<lts::ExplicitSuccessors>(model));
      behaviours_.push_back(
          std::make_unique<concurrent::AllMoves>(*views_.back()));
      quotients_.push_back(std::make_unique<Quotient>(
          *behaviours_.back(), [](State) { return 1U; }, Merging::None));
      quotients.push_back(quotients_.back().get());
    }
    composer_ = std::make_unique<Composer>(composition_, quotients);
  }

  const Composer& composer() const { return *composer_; }

  /// Whether some way leads to a deadlock or, with a specification, to what it
  /// does not allow.
  bool is_violated(const lts::Lts* spec) const {
    using Position = std::pair<Where, std::set<State>>;
    Where start;
    for (const auto m : composition_.model_of) {
      start.push_back(models_[m].initial());
    }
    std::set<State> allowed;
    if (spec != nullptr) allowed.insert(spec->initial());
    std::set<Position> seen{{start, allowed}};
    std::vector<Position> open{*seen.begin()};
    bool is_violated = false;
    while (!open.empty() && !is_violated) {
      const auto [here, set] = open.back();
      open.pop_back();
      bool can_move = false;
      for_each_move(here, [&](Label label, const Where& there) {
        can_move = true;
        std::set<State> then = set;
        if (spec != nullptr && label != lts::kTau) {
          then = after(*spec, set, label);
          is_violated = is_violated || then.empty();
        }
        if (seen.emplace(there, then).second) open.emplace_back(there, then);
      });
      is_violated = is_violated || (spec == nullptr && !can_move);
    }
    return is_violated;
  }

 private:
  using Reach = std::function<void(Label, const Where&)>;

  static std::set<State> after(const lts::Lts& spec, const std::set<State>& set,
                               Label label) {
    std::set<State> result;
    for (const State state : set) {
      for (const lts::Transition t : spec.out(state)) {
        if (t.label == label) result.insert(t.target);
      }
    }
    return result;
  }

  void for_each_move(const Where& here, const Reach& reach) const {
    for (std::size_t i = 0; i < here.size(); ++i) {
      const lts::Lts& model = models_[composition_.model_of[i]];
      for (const lts::Transition t : model.out(here[i])) {
        if (t.label != lts::kTau) continue;
        Where there = here;
        there[i] = t.target;
        reach(lts::kTau, there);
      }
    }
    for (const Event& event : composition_.events) {
      combine(event, 0, here, reach);
    }
  }

  void combine(const Event& event, std::size_t next, const Where& here,
               const Reach& reach) const {
    if (next == event.participants.size()) return reach(event.visible, here);
    const Participant& each = event.participants[next];
    const lts::Lts& model = models_[composition_.model_of[each.component]];
    for (const lts::Transition t : model.out(here[each.component])) {
      if (std::ranges::count(each.locals, t.label) == 0) continue;
      Where there = here;
      there[each.component] = t.target;
      combine(event, next + 1, there, reach);
    }
  }

  std::vector<lts::Lts> models_;
  Composition composition_;
  std::vector<std::unique_ptr<lts::Successors>> views_;
  std::vector<std::unique_ptr<concurrent::Behaviour>> behaviours_;
  std::vector<std::unique_ptr<Quotient>> quotients_;
  std::unique_ptr<Composer> composer_;
};

/// What becomes of labels when two of them change places.
Label exchanged(Label label) {
  if (label == Label(1)) return Label(2);
  if (label == Label(2)) return Label(1);
  return label;
}

/// The event when the second and the third component change places, and so do
/// two labels of the others and of the specification.
Event image_of(const Event& event) {
  Event result = event;
  for (Participant& each : result.participants) {
    if (each.component == 1 || each.component == 2) {
      each.component = 3 - each.component;
      continue;
    }
    for (Label& label : each.locals) label = exchanged(label);
    std::ranges::sort(each.locals);
  }
  std::ranges::sort(result.participants, {}, &Participant::component);
  result.visible = exchanged(event.visible);
  return result;
}

bool is_same(const Event& a, const Event& b) {
  return a.visible == b.visible &&
         std::ranges::equal(a.participants, b.participants,
                            [](const Participant& p, const Participant& q) {
                              return p.component == q.component &&
                                     p.locals == q.locals;
                            });
}

/// Both labels do the same nearly everywhere.
lts::Lts nearly_alike(Random& random, const lts::Lts& from) {
  lts::LtsBuilder builder(from.labels());
  builder.ensure_states(from.num_states());
  builder.set_initial(from.initial());
  for (std::size_t l = 1; l < from.labels()->size(); ++l) {
    builder.extend_alphabet(Label::at(l));
  }
  for (std::size_t s = 0; s < from.num_states(); ++s) {
    for (const lts::Transition t : from.out(State::at(s))) {
      builder.add_transition(State::at(s), t.label, t.target);
      if (below(random, 12) == 0) continue;
      builder.add_transition(State::at(s), exchanged(t.label), t.target);
    }
  }
  return std::move(builder).build();
}

Event random_event(Random& random, std::uint32_t components) {
  Event event;
  event.visible = Label::at(below(random, 4));  // kTau is one of them.
  for (std::uint32_t i = 0; i < components; ++i) {
    if (below(random, 2) == 0) continue;
    std::vector<Label> locals{Label::at(1 + below(random, 3))};
    const Label other = Label::at(1 + below(random, 3));
    if (other > locals[0] && below(random, 3) == 0) locals.push_back(other);
    event.participants.push_back({i, std::move(locals)});
  }
  return event;
}

/// Most events come with what they become when the second and the third
/// component change places.
Composition random_composition(Random& random) {
  Composition result{{0, 1, 1}, {}, Composition::kNone};
  if (below(random, 2) == 0) {
    result.model_of.push_back(static_cast<std::uint32_t>(below(random, 2)));
  }
  const auto components = static_cast<std::uint32_t>(result.model_of.size());
  const std::size_t count = 2 + below(random, 3);
  while (result.events.size() < count) {
    const Event event = random_event(random, components);
    if (event.participants.empty()) continue;
    result.events.push_back(event);
    const Event image = image_of(event);
    if (!is_same(event, image) && below(random, 6) != 0) {
      result.events.push_back(image);
    }
  }
  return result;
}

lts::SharedLabels three_labels() {
  const auto labels = std::make_shared<lts::LabelTable>();
  for (const char* name : {"a", "b", "c"}) labels->intern(name);
  return labels;
}

class Permutations : public testing::Test {
 protected:
  struct Case {
    std::unique_ptr<Group> group;
    lts::Lts spec;
  };

  Case next() {
    const auto draw = [&](double silent) {
      return random_lts(random_, three_labels(), {3, 3, silent, 2.0});
    };
    std::vector<lts::Lts> models;
    models.push_back(nearly_alike(random_, draw(0.1)));
    models.push_back(draw(0.1));
    auto group =
        std::make_unique<Group>(std::move(models), random_composition(random_));
    return {std::move(group), nearly_alike(random_, draw(0.0))};
  }

  /// Compares; `is_deadlock`: without the specification.
  void expect_right(bool is_deadlock) {
    const std::size_t cases = scaled(10'000);
    std::size_t violated = 0;
    std::size_t smaller = 0;
    for (std::size_t round = 0; round < cases; ++round) {
      const Case drawn = next();
      const lts::Lts* const spec = is_deadlock ? nullptr : &drawn.spec;
      support::Context context;
      Search search(drawn.group->composer(), spec, context, {.many = 1});
      const bool has = drawn.group->is_violated(spec);
      ASSERT_EQ(search.run().verdict == Verdict::Violated, has)
          << "round " << round;
      if (has) {
        ++violated;
        continue;
      }
      Search plain(drawn.group->composer(), spec, context, {.many = 1'000'000});
      plain.run();
      if (search.num_states() < plain.num_states()) ++smaller;
    }
    EXPECT_GT(violated, cases / 10);
    EXPECT_LT(violated, cases - cases / 20);
    EXPECT_GT(smaller, cases / 200);
  }

  Random random_{61};
};

TEST_F(Permutations, LoseNoOffendingTrace) { expect_right(false); }

TEST_F(Permutations, LoseNoDeadlock) { expect_right(true); }

// Three places of two components, and six of the others.
TEST(Permutation, IsUsedForEachGroup) {
  const auto labels = three_labels();
  std::vector<lts::Lts> models;
  models.push_back(chain(labels, {"a"}));
  models.push_back(chain(labels, {"a", "b"}));
  Composition composition{{0, 0, 1, 1}, {}, Composition::kNone};
  for (std::uint32_t i = 0; i < 4; ++i) {
    for (const char* name : {"a", "b"}) {
      const Label label = *labels->find(name);
      composition.events.push_back({name, {{i, {label}}}, label});
    }
  }
  const Group group(std::move(models), composition);
  const lts::Lts spec = all_allowed(labels);
  support::Context context;
  Search plain(group.composer(), &spec, context, {.many = 1'000'000});
  EXPECT_EQ(plain.run().verdict, Verdict::Holds);
  EXPECT_EQ(plain.num_states(), 36U);
  Search search(group.composer(), &spec, context, {.many = 1});
  EXPECT_EQ(search.run().verdict, Verdict::Holds);
  EXPECT_EQ(search.num_states(), 18U);
}

}  // namespace
}  // namespace agon::test
