// SPDX-License-Identifier: Apache-2.0
#include "lts/lts.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "lts/dot.h"

namespace agon::lts {
namespace {

struct Fixture {
  Fixture() : builder(std::make_shared<LabelTable>()) {
    builder.ensure_states(3);
    builder.set_initial(State(0));
  }
  Label label(const char* name) { return builder.labels()->intern(name); }
  LtsBuilder builder;
};

TEST(Label, TauIsAlwaysTheFirst) {
  LabelTable table;
  EXPECT_EQ(table.intern("tau"), kTau);
  EXPECT_EQ(table.name(kTau), "tau");
  EXPECT_EQ(table.find("a"), std::nullopt);
  const Label a = table.intern("a");
  EXPECT_EQ(table.find("a"), a);
  EXPECT_EQ(table.intern("a"), a);
}

TEST(Label, MatchesWholeParts) {
  EXPECT_TRUE(matches_prefix("a", "a"));
  EXPECT_TRUE(matches_prefix("a.x", "a"));
  EXPECT_TRUE(matches_prefix("a.x.y", "a.x"));
  EXPECT_FALSE(matches_prefix("ab", "a"));
  EXPECT_FALSE(matches_prefix("a", "a.x"));
  EXPECT_FALSE(matches_prefix("b.a", "a"));
}

TEST(Lts, SortsRowsAndMergesDuplicates) {
  Fixture f;
  const Label b = f.label("b");
  const Label a = f.label("a");  // Later, so it sorts behind b.
  f.builder.add_transition(State(1), a, State(2));
  f.builder.add_transition(State(0), a, State(1));
  f.builder.add_transition(State(0), b, State(2));
  f.builder.add_transition(State(0), b, State(1));
  f.builder.add_transition(State(0), a, State(1));
  const Lts lts = std::move(f.builder).build();
  const auto out = lts.out(State(0));
  ASSERT_EQ(out.size(), 3U);
  EXPECT_EQ(out[0], (Transition{b, State(1)}));
  EXPECT_EQ(out[1], (Transition{b, State(2)}));
  EXPECT_EQ(out[2], (Transition{a, State(1)}));
  EXPECT_EQ(lts.out(State(1)).size(), 1U);
  EXPECT_TRUE(lts.out(State(2)).empty());
  EXPECT_EQ(lts.alphabet().size(), 2U);
}

TEST(Lts, InfoCounts) {
  Fixture f;
  f.builder.ensure_states(6);
  f.builder.add_transition(State(0), kTau, State(1));
  f.builder.add_transition(State(0), f.label("a"), State(2));
  f.builder.add_transition(State(0), f.label("a"), State(3));
  f.builder.set_kind(State(2), StateKind::Terminated);
  f.builder.set_kind(State(3), StateKind::Error);
  f.builder.extend_alphabet(f.label("never"));
  const LtsInfo counts = info(std::move(f.builder).build());
  EXPECT_EQ(counts.states, 5U);
  EXPECT_EQ(counts.reachable_states, 3U);
  EXPECT_EQ(counts.transitions, 3U);
  EXPECT_EQ(counts.labels, 2U);
  EXPECT_EQ(counts.silent, 1U);
  EXPECT_EQ(counts.deadlocks, 3U);
  EXPECT_EQ(counts.terminated, 1U);
  EXPECT_TRUE(counts.error);
  EXPECT_FALSE(counts.deterministic);
}

TEST(Lts, IsDeterministicIfRepeatedTransitionsAgree) {
  Fixture f;
  f.builder.add_transition(State(0), f.label("a"), State(1));
  f.builder.add_transition(State(0), f.label("a"), State(1));
  EXPECT_TRUE(info(std::move(f.builder).build(LtsBuilder::Duplicates::Keep))
                  .deterministic);
}

TEST(Dot, EscapesAndMarks) {
  Fixture f;
  f.builder.add_transition(State(0), f.label("say \"hi\\\""), State(1));
  f.builder.add_transition(State(0), kTau, State(1));
  f.builder.set_kind(State(1), StateKind::Error);
  f.builder.set_kind(State(2), StateKind::Terminated);
  const std::string text = write_dot(std::move(f.builder).build());
  EXPECT_NE(text.find(R"(0 -> 1 [label="say \"hi\\\""])"), std::string::npos);
  EXPECT_NE(text.find("0 -> 1 [label=\"tau\", style=dashed]"),
            std::string::npos);
  EXPECT_NE(text.find("label=\"ERROR\""), std::string::npos);
  EXPECT_NE(text.find("doublecircle"), std::string::npos);
}

}  // namespace
}  // namespace agon::lts
