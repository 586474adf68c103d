// SPDX-License-Identifier: Apache-2.0
#include "lts/composition.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "helpers/random_lts.h"
#include "lts/explore.h"

namespace agon::lts {
namespace {

/// A state of the product by its definition: local states, or nothing for the
/// one ERROR state.
using Tuple = std::vector<std::uint32_t>;
using Move = std::tuple<Tuple, std::string, Tuple>;

struct Product {
  Tuple initial;
  std::set<Tuple> states;
  std::set<Move> moves;
  std::set<Tuple> terminated;
  std::set<std::string> alphabet;
};

std::set<std::string> alphabet_of(const Lts& lts) {
  std::set<std::string> names;
  for (const Label label : lts.alphabet()) {
    names.insert(lts.labels()->name(label));
  }
  return names;
}

/// The definition of the composition, read out literally.
class Definition {
 public:
  explicit Definition(const std::vector<Lts>& parts) : parts_(parts) {
    for (const Lts& part : parts_) {
      alphabets_.push_back(alphabet_of(part));
      bool ends = false;
      for (std::size_t s = 0; s < part.num_states(); ++s) {
        ends = ends || part.kind(State::at(s)) == StateKind::Terminated;
      }
      has_end_.push_back(ends);
    }
  }

  Product product() {
    Tuple start;
    for (const Lts& part : parts_) start.push_back(part.initial().value());
    Product result;
    for (const auto& names : alphabets_) {
      result.alphabet.insert(names.begin(), names.end());
    }
    result.initial = normalised(start);
    std::vector<Tuple> work{result.initial};
    result.states.insert(result.initial);
    while (!work.empty()) {
      const Tuple here = work.back();
      work.pop_back();
      if (is_end(here)) result.terminated.insert(here);
      for (const auto& [name, target] : moves(here, result.alphabet)) {
        result.moves.insert({here, name, target});
        if (result.states.insert(target).second) work.push_back(target);
      }
    }
    return result;
  }

 private:
  Tuple normalised(const Tuple& tuple) const {
    for (std::size_t i = 0; i < tuple.size(); ++i) {
      if (parts_[i].kind(State(tuple[i])) == StateKind::Error) return {};
    }
    return tuple;
  }

  std::vector<std::uint32_t> local(std::size_t i, std::uint32_t state,
                                   const std::string& name) const {
    std::vector<std::uint32_t> targets;
    for (const Transition& t : parts_[i].out(State(state))) {
      if (parts_[i].labels()->name(t.label) == name) {
        targets.push_back(t.target.value());
      }
    }
    return targets;
  }

  std::set<std::pair<std::string, Tuple>> moves(
      const Tuple& here, const std::set<std::string>& alphabet) const {
    std::set<std::pair<std::string, Tuple>> result;
    if (here.empty()) return result;
    for (std::size_t i = 0; i < here.size(); ++i) {
      for (const std::uint32_t target : local(i, here[i], "tau")) {
        Tuple next = here;
        next[i] = target;
        result.insert({"tau", normalised(next)});
      }
    }
    for (const std::string& name : alphabet) {
      std::vector<Tuple> nexts{here};
      for (std::size_t i = 0; i < here.size(); ++i) {
        if (alphabets_[i].count(name) == 0) continue;
        std::vector<Tuple> longer;
        for (const Tuple& next : nexts) {
          for (const std::uint32_t target : local(i, here[i], name)) {
            longer.push_back(next);
            longer.back()[i] = target;
          }
        }
        nexts = longer;
      }
      for (const Tuple& next : nexts) result.insert({name, normalised(next)});
    }
    return result;
  }

  bool is_end(const Tuple& here) const {
    if (here.empty()) return false;
    std::set<std::string> covered;
    bool any = false;
    for (std::size_t i = 0; i < here.size(); ++i) {
      if (!has_end_[i]) continue;
      any = true;
      covered.insert(alphabets_[i].begin(), alphabets_[i].end());
      if (parts_[i].kind(State(here[i])) != StateKind::Terminated) return false;
    }
    for (std::size_t i = 0; i < here.size(); ++i) {
      if (has_end_[i]) continue;
      for (const std::string& name : alphabets_[i]) {
        if (covered.count(name) == 0) return false;
      }
    }
    return any;
  }

  const std::vector<Lts>& parts_;
  std::vector<std::set<std::string>> alphabets_;
  std::vector<bool> has_end_;
};

/// What Composition makes of it, in the same terms.
Product composed(const std::vector<Lts>& parts) {
  std::vector<std::unique_ptr<Successors>> components;
  for (const Lts& part : parts) {
    components.push_back(std::make_unique<ExplicitSuccessors>(part));
  }
  support::Context context;
  Composition system(std::move(components), context);
  const auto tuple_of = [&](State state) {
    Tuple tuple;
    if (system.kind(state) == StateKind::Error) return tuple;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      tuple.push_back(system.local(state, i).value());
    }
    return tuple;
  };
  Product result;
  for (const Label label : system.alphabet()) {
    result.alphabet.insert(system.labels()->name(label));
  }
  std::vector<State> order{system.initial()};
  result.initial = tuple_of(order[0]);
  result.states.insert(result.initial);
  for (std::size_t head = 0; head < order.size(); ++head) {
    const Tuple here = tuple_of(order[head]);
    if (system.kind(order[head]) == StateKind::Terminated) {
      EXPECT_TRUE(system.can_terminate());
      result.terminated.insert(here);
    }
    const auto out = system.expand(order[head]);
    EXPECT_TRUE(std::is_sorted(out.begin(), out.end()));
    for (const Transition& t : out) {
      const Tuple target = tuple_of(t.target);
      result.moves.insert({here, system.labels()->name(t.label), target});
      if (result.states.insert(target).second) order.push_back(t.target);
    }
  }
  return result;
}

/// A random system in which some stuck states are END or ERROR, and whose
/// alphabet may be larger than what it uses.
Lts random_component(test::Random& random, const SharedLabels& labels) {
  const Lts plain = test::random_lts(
      random, labels,
      {.max_states = 4, .max_labels = 3, .silent = 0.15, .density = 1.6});
  LtsBuilder builder(labels);
  builder.ensure_states(plain.num_states());
  builder.set_initial(plain.initial());
  for (std::size_t i = 0; i < plain.num_states(); ++i) {
    const State state = State::at(i);
    for (const Transition& t : plain.out(state)) {
      builder.add_transition(state, t.label, t.target);
    }
    if (!plain.out(state).empty()) continue;
    const std::size_t dice = test::below(random, 4);
    if (dice == 0) builder.set_kind(state, StateKind::Error);
    if (dice >= 2) builder.set_kind(state, StateKind::Terminated);
  }
  if (test::below(random, 3) == 0) {
    builder.extend_alphabet(labels->intern("c"));
  }
  return std::move(builder).build();
}

TEST(Composition, AgreesWithItsDefinitionOnRandomTuples) {
  test::Random random(2);
  std::size_t with_end = 0;
  std::size_t with_error = 0;
  for (std::size_t i = 0; i < test::scaled(20000); ++i) {
    const auto labels = std::make_shared<LabelTable>();
    std::vector<Lts> parts;
    const std::size_t width = 1 + test::below(random, 4);
    for (std::size_t k = 0; k < width; ++k) {
      parts.push_back(random_component(random, labels));
    }
    SCOPED_TRACE(i);
    const Product expected = Definition(parts).product();
    const Product actual = composed(parts);
    ASSERT_EQ(actual.initial, expected.initial);
    ASSERT_EQ(actual.states, expected.states);
    ASSERT_EQ(actual.moves, expected.moves);
    ASSERT_EQ(actual.terminated, expected.terminated);
    ASSERT_EQ(actual.alphabet, expected.alphabet);
    with_end += expected.terminated.empty() ? 0 : 1;
    with_error += expected.states.count({});
  }
  // Otherwise the test says little.
  EXPECT_GT(with_end, 500U);
  EXPECT_GT(with_error, 500U);
}

TEST(Composition, OfCompositionsIsTheCompositionOfAll) {
  test::Random random(3);
  for (std::size_t i = 0; i < test::scaled(2000); ++i) {
    const auto labels = std::make_shared<LabelTable>();
    std::vector<Lts> parts;
    for (std::size_t k = 0; k < 3; ++k) {
      parts.push_back(test::random_lts(random, labels, {.max_states = 4}));
    }
    const auto view = [&](std::size_t k) {
      return std::make_unique<ExplicitSuccessors>(parts[k]);
    };
    std::vector<std::unique_ptr<Successors>> inner;
    inner.push_back(view(0));
    inner.push_back(view(1));
    std::vector<std::unique_ptr<Successors>> outer;
    support::Context context;
    outer.push_back(std::make_unique<Composition>(std::move(inner), context));
    outer.push_back(view(2));
    Composition nested(std::move(outer), context);
    const Lts built = explore(nested, context);
    const Product flat = composed(parts);
    ASSERT_EQ(built.num_states(), flat.states.size());
    ASSERT_EQ(built.num_transitions(), flat.moves.size());
  }
}

}  // namespace
}  // namespace agon::lts
