// SPDX-License-Identifier: Apache-2.0
/// Components for tests, as explicit systems, and their composition by other
/// code.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "concurrent/composer.h"
#include "concurrent/tree.h"
#include "helpers/naive_preorders.h"
#include "helpers/random_lts.h"
#include "lts/composition.h"
#include "lts/explore.h"
#include "lts/operators.h"

namespace agon::test {

/// An explicit system that is asked for the moves of one label, and promises
/// the label b wherever it can do anything.
class Promising final : public concurrent::ByLabel {
 public:
  explicit Promising(const lts::Lts& system) : system_(system) {}

  lts::State initial() override { return system_.initial(); }
  std::vector<lts::Label> possible(lts::State state) override {
    std::set<lts::Label> labels;
    for (const lts::Transition t : system_.out(state)) labels.insert(t.label);
    if (!labels.empty()) labels.insert(*system_.labels()->find("b"));
    return {labels.begin(), labels.end()};
  }
  std::span<const lts::Transition> expand(lts::State state,
                                          lts::Label label) override {
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
  Side(std::vector<lts::Lts> parts, const lts::Lts* spec,
       concurrent::Merging merging, Moves moves = Moves::All,
       std::uint64_t present = concurrent::kAllComponents)
      : parts_(std::move(parts)) {
    for (const lts::Lts& part : parts_) {
      views_.push_back(std::make_unique<lts::ExplicitSuccessors>(part));
      promising_.push_back(std::make_unique<Promising>(part));
      behaviours_.push_back(behave(moves));
      quotients_.push_back(std::make_unique<concurrent::Quotient>(
          *behaviours_.back(), [](lts::State) { return 1U; }, merging));
      composition_.model_of.push_back(
          static_cast<std::uint32_t>(composition_.model_of.size()));
    }
    for (std::size_t l = 1; l < parts_[0].labels()->size(); ++l) {
      add_event(lts::Label::at(l), spec);
    }
    std::vector<concurrent::Quotient*> models;
    for (const auto& each : quotients_) models.push_back(each.get());
    composer_ =
        std::make_unique<concurrent::Composer>(composition_, models, present);
  }

  const concurrent::Composer& composer() const { return *composer_; }
  const concurrent::Composition& composition() const { return composition_; }
  concurrent::Quotient& quotient(std::size_t i) { return *quotients_[i]; }

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
  std::unique_ptr<concurrent::Behaviour> behave(Moves moves) {
    if (moves == Moves::All)
      return std::make_unique<concurrent::AllMoves>(*views_.back());
    if (moves == Moves::Visible) {
      return std::make_unique<concurrent::VisibleMoves>(*promising_.back());
    }
    return std::make_unique<concurrent::SettledMoves>(*views_.back());
  }

  void add_event(lts::Label label, const lts::Lts* spec) {
    concurrent::Event event;
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
  std::vector<std::unique_ptr<concurrent::Behaviour>> behaviours_;
  std::vector<std::unique_ptr<concurrent::Quotient>> quotients_;
  concurrent::Composition composition_;
  std::unique_ptr<concurrent::Composer> composer_;
};

/// A system over some of the labels a, b, c, d.
inline lts::Lts random_part(Random& random, const lts::SharedLabels& labels,
                            const RandomShape& shape = {5, 3, 0.3, 1.6}) {
  const lts::Lts drawn = random_lts(random, labels, shape);
  lts::LtsBuilder builder(labels);
  builder.ensure_states(drawn.num_states());
  builder.set_initial(drawn.initial());
  const std::size_t shift = below(random, 2);
  const auto moved = [&](lts::Label label) {
    return label == lts::kTau ? label : lts::Label::at(label.index() + shift);
  };
  for (std::size_t s = 0; s < drawn.num_states(); ++s) {
    for (const lts::Transition t : drawn.out(lts::State::at(s))) {
      builder.add_transition(lts::State::at(s), moved(t.label), t.target);
    }
  }
  for (const lts::Label label : drawn.alphabet()) {
    builder.extend_alphabet(moved(label));
  }
  return std::move(builder).build();
}

inline lts::SharedLabels four_labels() {
  const auto labels = std::make_shared<lts::LabelTable>();
  for (const char* name : {"a", "b", "c", "d"}) labels->intern(name);
  return labels;
}

inline std::vector<lts::Lts> random_parts(Random& random,
                                          const lts::SharedLabels& labels,
                                          const RandomShape& shape = {5, 3, 0.3,
                                                                      1.6}) {
  std::vector<lts::Lts> parts;
  const std::size_t count = 1 + below(random, 3);
  for (std::size_t i = 0; i < count; ++i) {
    parts.push_back(random_part(random, labels, shape));
  }
  return parts;
}

/// Does some actions one after the other.
inline lts::Lts chain(const lts::SharedLabels& labels,
                      const std::vector<std::string>& actions) {
  lts::LtsBuilder builder(labels);
  lts::State at = builder.add_state();
  builder.set_initial(at);
  for (const std::string& action : actions) {
    const lts::State next = builder.add_state();
    builder.add_transition(at, labels->intern(action), next);
    at = next;
  }
  return std::move(builder).build();
}

/// One state that allows everything.
inline lts::Lts all_allowed(const lts::SharedLabels& labels) {
  lts::LtsBuilder builder(labels);
  builder.set_initial(builder.add_state());
  for (std::size_t l = 1; l < labels->size(); ++l) {
    builder.add_transition(lts::State(0), lts::Label::at(l), lts::State(0));
  }
  return std::move(builder).build();
}

/// Does x0 … x9, and then, as often as it likes, again and twice e.
inline lts::Lts slow_starter(const lts::SharedLabels& labels) {
  lts::LtsBuilder builder(labels);
  builder.ensure_states(13);
  builder.set_initial(lts::State(0));
  for (std::size_t i = 0; i < 10; ++i) {
    builder.add_transition(lts::State::at(i),
                           labels->intern("x" + std::to_string(i)),
                           lts::State::at(i + 1));
  }
  builder.add_transition(lts::State(10), labels->intern("again"),
                         lts::State(11));
  builder.add_transition(lts::State(11), labels->intern("e"), lts::State(12));
  builder.add_transition(lts::State(12), labels->intern("e"), lts::State(10));
  return std::move(builder).build();
}

/// Goes to and fro.
inline lts::Lts pendulum(const lts::SharedLabels& labels) {
  lts::LtsBuilder builder(labels);
  builder.ensure_states(2);
  builder.set_initial(lts::State(0));
  builder.add_transition(lts::State(0), labels->intern("to"), lts::State(1));
  builder.add_transition(lts::State(1), labels->intern("fro"), lts::State(0));
  return std::move(builder).build();
}

/// Takes a random member out of its class; none if all are alone.
struct Division {
  std::uint32_t model = 0;
  std::vector<concurrent::Class> changed;
};
inline std::optional<Division> divide_one(Random& random, Side& side) {
  const std::size_t count = side.composition().model_of.size();
  const std::size_t first = below(random, count);
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t m = (first + k) % count;
    concurrent::Quotient& quotient = side.quotient(m);
    for (std::size_t c = 0; c < quotient.num_classes(); ++c) {
      const auto members = quotient.members(concurrent::Class::at(c));
      if (members.size() < 2) continue;
      const std::vector<std::vector<lts::State>> one{
          {members[below(random, members.size())]}};
      return Division{static_cast<std::uint32_t>(m), quotient.divide(one)};
    }
  }
  return std::nullopt;
}

/// Whether a tree is a strategy that wins the weak simulation game: its steps
/// are steps of the components, and it has a child for each way in which the
/// specification can answer. Silent steps after an action are of no use to it.
inline void expect_winning(const concurrent::Composer& composer,
                           const lts::Lts& spec, const concurrent::Tree& tree) {
  ASSERT_FALSE(tree.nodes.empty());
  ASSERT_EQ(tree.nodes[0].before, composer.initial());
  ASSERT_EQ(tree.nodes[0].spec, spec.initial());
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const concurrent::Tree::Node& node = tree.nodes[i];
    bool leads_there = false;
    composer.outcomes(node.before, node.move, [&](const auto& there) {
      leads_there = leads_there || there == node.after;
    });
    ASSERT_TRUE(leads_there);
    std::set<lts::State> answers{node.spec};
    const lts::Label label = composer.visible(node.move);
    if (label != lts::kTau) {
      answers.clear();
      for (const lts::State state : silently(spec, node.spec)) {
        for (const lts::Transition t : spec.out(state)) {
          if (t.label == label) answers.insert(t.target);
        }
      }
    }
    std::set<lts::State> answered;
    for (const std::uint32_t child : node.children) {
      ASSERT_GT(child, i);
      ASSERT_EQ(tree.nodes[child].before, node.after);
      answered.insert(tree.nodes[child].spec);
    }
    ASSERT_EQ(answered, answers);
  }
}

}  // namespace agon::test
