// SPDX-License-Identifier: Apache-2.0
#include "lts/operators.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "helpers/random_lts.h"
#include "lts/explore.h"
#include "support/error.h"

namespace agon::lts {
namespace {

using Move = std::tuple<std::uint32_t, std::string, std::uint32_t>;

std::unique_ptr<Successors> view(const Lts& lts) {
  return std::make_unique<ExplicitSuccessors>(lts);
}

/// All moves of the states of `lts`, seen through an operator that keeps them.
std::set<Move> moves(Successors& system, const Lts& lts) {
  std::set<Move> result;
  for (std::size_t s = 0; s < lts.num_states(); ++s) {
    const auto out = system.expand(State::at(s));
    EXPECT_TRUE(std::is_sorted(out.begin(), out.end()));
    EXPECT_EQ(std::adjacent_find(out.begin(), out.end()), out.end());
    for (const Transition& t : out) {
      result.insert({s, system.labels()->name(t.label), t.target.value()});
    }
  }
  return result;
}

std::set<std::string> alphabet(const Successors& system) {
  std::set<std::string> names;
  for (const Label label : system.alphabet()) {
    names.insert(system.labels()->name(label));
  }
  return names;
}

TEST(Operators, RelabelRenamesDuplicatesAndHides) {
  test::Random random(5);
  for (std::size_t i = 0; i < test::scaled(3000); ++i) {
    const auto labels = std::make_shared<LabelTable>();
    const Lts lts = test::random_lts(random, labels);
    const Label a = labels->intern("a");
    const Label b = labels->intern("b");
    const Label c = labels->intern("c");
    const Label d = labels->intern("d");
    const auto system =
        relabel(view(lts), {{a, {c, d}}, {b, {kTau}}});  // c stays.
    std::set<Move> expected;
    std::set<std::string> names;
    for (const Label label : lts.alphabet()) {
      if (label == a) names.insert({"c", "d"});
      if (label == c) names.insert("c");
    }
    ExplicitSuccessors original(lts);
    for (const auto& [s, name, t] : moves(original, lts)) {
      if (name == "a") {
        expected.insert({s, "c", t});
        expected.insert({s, "d", t});
      } else {
        expected.insert({s, name == "b" ? "tau" : name, t});
      }
    }
    ASSERT_EQ(moves(*system, lts), expected);
    ASSERT_EQ(alphabet(*system), names);
  }
}

TEST(Operators, HideMatchesTheNamesItIsGiven) {
  LtsBuilder builder(std::make_shared<LabelTable>());
  builder.set_initial(builder.add_state());
  for (const char* const name : {"a", "a.x", "ab", "b"}) {
    builder.add_transition(State(0), builder.labels()->intern(name), State(0));
  }
  const Lts lts = std::move(builder).build();
  const auto system = hide(view(lts), [](const std::string& name) {
    return matches_prefix(name, "a");
  });
  EXPECT_EQ(moves(*system, lts),
            (std::set<Move>{{0, "tau", 0}, {0, "ab", 0}, {0, "b", 0}}));
  EXPECT_EQ(alphabet(*system), (std::set<std::string>{"ab", "b"}));
}

TEST(Operators, PriorityAgreesWithItsDefinition) {
  test::Random random(6);
  for (std::size_t i = 0; i < test::scaled(3000); ++i) {
    const auto labels = std::make_shared<LabelTable>();
    const Lts lts = test::random_lts(random, labels);
    const std::vector<Label> listed{labels->intern("a"), labels->intern("c")};
    ExplicitSuccessors original(lts);
    const std::set<Move> all = moves(original, lts);
    const auto is_listed = [](const std::string& name) {
      return name == "a" || name == "c";
    };
    std::set<std::uint32_t> offers_listed;
    std::set<std::uint32_t> offers_other;
    for (const auto& [s, name, t] : all) {
      (is_listed(name) ? offers_listed : offers_other).insert(s);
    }
    std::set<Move> high;
    std::set<Move> low;
    for (const Move& move : all) {
      const auto& [s, name, t] = move;
      if (is_listed(name) || offers_listed.count(s) == 0) high.insert(move);
      if (!is_listed(name) || offers_other.count(s) == 0) low.insert(move);
    }
    ASSERT_EQ(moves(*prioritise(view(lts), Priority::High, listed), lts), high);
    ASSERT_EQ(moves(*prioritise(view(lts), Priority::Low, listed), lts), low);
  }
}

TEST(Explore, KeepsKindsAndAlphabetAndDropsTheUnreachable) {
  LtsBuilder builder(std::make_shared<LabelTable>());
  builder.ensure_states(4);
  builder.set_initial(State(2));
  const Label a = builder.labels()->intern("a");
  builder.add_transition(State(2), a, State(1));
  builder.add_transition(State(2), kTau, State(3));
  builder.set_kind(State(1), StateKind::Terminated);
  builder.set_kind(State(3), StateKind::Error);
  builder.extend_alphabet(builder.labels()->intern("b"));
  const Lts lts = std::move(builder).build();
  ExplicitSuccessors system(lts);
  support::Context context;
  const Lts built = explore(system, context);
  EXPECT_EQ(built.num_states(), 3U);
  EXPECT_EQ(built.initial(), State(0));
  EXPECT_EQ(built.kind(State(1)), StateKind::Error);  // tau comes first.
  EXPECT_EQ(built.kind(State(2)), StateKind::Terminated);
  EXPECT_EQ(built.alphabet().size(), 2U);

  support::Context small(support::Limits{.max_states = 2});
  EXPECT_THROW(explore(system, small), support::InputError);
}

}  // namespace
}  // namespace agon::lts
