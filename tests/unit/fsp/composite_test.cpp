// SPDX-License-Identifier: Apache-2.0
// Compositions: each rule with a model small enough to see the answer.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "lts/composition.h"
#include "unit/fsp/fixture.h"

namespace agon::fsp {
namespace {

using test::alphabet;
using test::compile;
using test::show;
using test::size;

const std::string kA = "A = (a -> s -> A). ";
const std::string kB = "B = (b -> s -> B). ";

TEST(FspComposite, SharedLabelsSynchroniseAndOthersInterleave) {
  EXPECT_EQ(show(kA + kB + "||C = (A || B)."),
            "0 a 1; 0 b 2; 1 b 3; 2 a 3; 3 s 0");
}

TEST(FspComposite, AlphabetExtensionBlocks) {
  EXPECT_EQ(show("P = (a -> P). Q = STOP + {a}. ||C = (P || Q)."), "S");
  EXPECT_EQ(show("P = (a -> P). Q = (when (0) a -> Q | b -> Q). "
                 "||C = (P || Q)."),
            "0 a 0; 0 b 0");
}

TEST(FspComposite, ErrorIsShared) {
  EXPECT_EQ(show("P = (a -> ERROR). Q = (b -> Q). ||C = (P || Q)."),
            "0 a !; 0 b 0");
}

TEST(FspComposite, PrefixesMakeCopies) {
  EXPECT_EQ(show("P = (x -> STOP). ||C = a:P."), "0 a.x S");
  EXPECT_EQ(show("P = (x -> P). ||C = {a, b}:P."), "0 a.x 0; 0 b.x 0");
  EXPECT_EQ(show("P = (x -> y -> P). ||C = {a, b}:P."),
            "0 a.x 1; 0 b.x 2; 1 a.y 0; 1 b.x 3; 2 a.x 3; 2 b.y 0; "
            "3 a.y 2; 3 b.y 1");
  EXPECT_EQ(show("P(N=0) = (x[N] -> P). ||C = a[i:1..2]:P(i)."),
            "0 a.1.x.1 0; 0 a.2.x.2 0");
}

TEST(FspComposite, SharingDuplicatesTransitions) {
  EXPECT_EQ(show("P = (x -> y -> P). ||C = {a, b}::P."),
            "0 a.x 1; 0 b.x 1; 1 a.y 0; 1 b.y 0");
  EXPECT_EQ(show("P = (x -> P). ||C = {a, b}::c:P."), "0 a.c.x 0; 0 b.c.x 0");
  EXPECT_EQ(show("P = (x -> P). ||C = d::{a, b}:P."), "0 d.a.x 0; 0 d.b.x 0");
}

TEST(FspComposite, ForallComposesOverARange) {
  const std::string text =
      "P(N=0) = (x[N] -> P). ||C = forall [i:0..1][j:0..1] P(i * 2 + j).";
  EXPECT_EQ(show(text), "0 x.0 0; 0 x.1 0; 0 x.2 0; 0 x.3 0");
  EXPECT_EQ(show("P = (x -> P). ||C = (forall [i:0..1] p[i]:P)."),
            "0 p.0.x 0; 0 p.1.x 0");
}

TEST(FspComposite, ConditionsAndRecursion) {
  const std::string text =
      "P = (x -> P). ||R(K=2) = if (K == 0) then p[0]:P else (p[K]:P || "
      "R(K - 1)).";
  EXPECT_EQ(show(text), "0 p.0.x 0; 0 p.1.x 0; 0 p.2.x 0");
  EXPECT_EQ(show(text, "R(0)"), "0 p.0.x 0");
  EXPECT_EQ(show("P = (x -> P). ||C = (P || if (0) then q:P)."), "0 x 0");
}

TEST(FspComposite, RelabellingAListAppliesBeforeComposing) {
  EXPECT_EQ(show("P = (a -> P). Q = (b -> c -> Q). "
                 "||C = (P || Q)/{s/a, s/b}."),
            "0 s 1; 1 c 0");
}

TEST(FspComposite, RelabellingANamedCompositeMayComposeFirst) {
  const std::string text = "P = (a -> P). Q = (b -> c -> Q). ||C = (P || Q). ";
  // s/a and s/b would synchronise in (P || Q), but C is composed first.
  EXPECT_EQ(show(text + "||D = C/{s/a, s/b}."), "0 s 0; 0 s 1; 1 c 0; 1 s 1");
  EXPECT_EQ(show(text + "||D = (C)/{s/a, s/b}."), "0 s 0; 0 s 1; 1 c 0; 1 s 1");
  // A new name that occurs already is a merger, too.
  EXPECT_EQ(show(text + "||D = C/{b/a}."), "0 b 0; 0 b 1; 1 b 1; 1 c 0");
  // Nothing becomes equal here.
  EXPECT_EQ(show(text + "||D = C/{b/a, a/b}."), "0 a 1; 0 b 0; 1 b 1; 1 c 0");
}

TEST(FspComposite, OneToManyRelabellingOfAComposite) {
  EXPECT_EQ(show("P = (a -> P). Q = (a -> b -> Q). ||C = (P || Q). "
                 "||D = C/{{x, y}/a}."),
            "0 x 1; 0 y 1; 1 b 0");
}

TEST(FspComposite, HidingFollowsComposition) {
  EXPECT_EQ(show(kA + kB + "||C = (A || B)\\{s}."),
            "0 a 1; 0 b 2; 1 b 3; 2 a 3; 3 tau 0");
  EXPECT_EQ(alphabet(compile(kA + kB + "||C = (A || B)@{s}.")), "s");
}

TEST(FspComposite, HiddenLabelsDoNotSynchroniseOutside) {
  EXPECT_EQ(show("A = (x -> A). ||H = A\\{x}. B = (x -> B). ||C = (H || B)."),
            "0 tau 0; 0 x 0");
}

TEST(FspComposite, HighPriority) {
  const std::string p = "P = (a -> P | b.x -> P | c -> c -> P). ";
  EXPECT_EQ(show(p + "||C = P << {a, b}."), "0 a 0; 0 b.x 0");
  EXPECT_EQ(show(p + "||C = P << {d}."), "0 a 0; 0 b.x 0; 0 c 1; 1 c 0");
  EXPECT_EQ(show("P = (h -> P | a -> P)\\{h}. ||C = P << {a}."), "0 a 0");
}

TEST(FspComposite, LowPriority) {
  const std::string p = "P = (a -> P | b -> b -> P). ";
  EXPECT_EQ(show(p + "||C = P >> {b}."), "0 a 0");
  EXPECT_EQ(show(p + "||C = P >> {a}."), "0 b 1; 1 b 0");
  EXPECT_EQ(show("P = (h -> P | a -> P)\\{h}. ||C = P >> {a}."), "0 tau 0");
}

TEST(FspComposite, PriorityActsBeforeHiding) {
  EXPECT_EQ(show("P = (h -> P | a -> P | b -> P). ||C = P >> {a} \\ {h}."),
            "0 b 0; 0 tau 0");
  EXPECT_EQ(show("P = (h -> P | a -> P). ||C = P << {h} \\ {h}."), "0 tau 0");
}

TEST(FspComposite, CompositesAreFlattened) {
  support::Context context;
  const auto labels = std::make_shared<lts::LabelTable>();
  const Model model = Model::parse(
      support::Source::from_string(
          "test.lts",
          "P = (x -> P). ||C = {a, b}:P. ||D = (C || c:C). "
          "compose ||F = {a, b}:P. ||G = (F || c:C). ||H = C/{d/a}."),
      context);
  const auto d = model.compile("D", labels, context);
  const auto* composed = dynamic_cast<const lts::Composition*>(d.get());
  ASSERT_NE(composed, nullptr);
  EXPECT_EQ(composed->num_components(), 4U);
  const auto g = model.compile("G", labels, context);
  composed = dynamic_cast<const lts::Composition*>(g.get());
  ASSERT_NE(composed, nullptr);
  EXPECT_EQ(composed->num_components(), 3U);
  const auto h = model.compile("H", labels, context);
  composed = dynamic_cast<const lts::Composition*>(h.get());
  ASSERT_NE(composed, nullptr);
  EXPECT_EQ(composed->num_components(), 2U);
}

TEST(FspComposite, TheOutermostCompositionIsNotBuilt) {
  // 2^60 states.
  const std::string text =
      "P = (x -> y -> P). ||C = (forall [i:1..60] p[i]:P)\\{p[1]}.";
  support::Context context;
  const auto labels = std::make_shared<lts::LabelTable>();
  const auto system =
      Model::parse(support::Source::from_string("test.lts", text), context)
          .compile("C", labels, context);
  EXPECT_EQ(system->expand(system->initial()).size(), 60U);
}

TEST(FspComposite, TheEmptyCompositionIsNeutral) {
  EXPECT_EQ(show("||C = ()."), "E");
  EXPECT_EQ(show("P = (a -> STOP). ||C = (P || ())."), "0 a S");
  EXPECT_EQ(show("P = (a -> STOP). ||N = (). ||C = (P || N)."), "0 a S");
  EXPECT_EQ(show("P = (a -> P). E = END. ||C = (P || E)."), "0 a 0");
}

TEST(FspComposite, TerminationNeedsAllThatCanEnd) {
  EXPECT_EQ(show("P = (a -> END). Q = (b -> END). ||C = (P || Q)."),
            "0 a 1; 0 b 2; 1 b E; 2 a E");
  EXPECT_EQ(show("P = (a -> END). Q = (a -> STOP). ||C = (P || Q)."), "0 a E");
  EXPECT_EQ(show("P = (a -> END). Q = (a -> b -> STOP). ||C = (P || Q)."),
            "0 a 1; 1 b S");
}

TEST(FspComposite, AnInnerCompositeEndsOnlyIfItReallyDoes) {
  // The END in I is never reached, so I is like a process without END. Its
  // alphabet is not covered, and so C is stuck in a deadlock after e.
  const std::string text =
      "P = (a -> END). Q = STOP + {a}. compose ||I = (P || Q). "
      "R = (e -> END). S = (e -> END) + {a}. ";
  EXPECT_EQ(show(text + "||C = (I || R)."), "0 e S");
  EXPECT_EQ(show(text + "||C = (I || S)."), "0 e E");
}

TEST(FspComposite, MinimalAndDeterministic) {
  EXPECT_EQ(show("P = (a -> h -> b -> P)\\{h}. minimal ||C = P."),
            "0 a 1; 1 b 0");
  EXPECT_EQ(size(compile("P = (a -> P | a -> b -> P). deterministic ||C = P.")),
            "2/3");
}

TEST(FspComposite, ACompositePropertyIsMadeDeterministic) {
  EXPECT_EQ(show("P = (a -> b -> P | a -> c -> P). property ||C = P."),
            "0 a 1; 0 b !; 0 c !; 1 a !; 1 b 0; 1 c 0");
  EXPECT_EQ(show("P = (a -> h -> b -> P). property ||C = P\\{h}."),
            "0 a 1; 0 b !; 1 a !; 1 b 0");
}

TEST(FspComposite, WithoutAnyTheDefaultComposesAllProcesses) {
  EXPECT_EQ(show(kA + kB + "property O = (a -> b -> O)."),
            "0 a 1; 0 b !; 1 b 2; 2 s 0");
  EXPECT_EQ(show("DEFAULT = (a -> DEFAULT). Q = (b -> Q).", "DEFAULT"),
            "0 a 0");
}

TEST(FspComposite, ImportsAreProcesses) {
  const auto folder = std::filesystem::temp_directory_path() /
                      ("agon_fsp_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "p.aut") << "des (0,2,2)\n(0,a.1,1)\n(1,tau,0)\n";
  std::ofstream(folder / "m.lts")
      << "import P = \"p.aut\"\n||C = x:P.\nimport Q = \"none.aut\"\n";
  const auto source = support::Source::open((folder / "m.lts").string());
  support::Context context;
  EXPECT_EQ(show(compile(source, "C", context)), "0 x.a.1 1; 1 tau 0");
  try {
    compile(source, "Q", context);
    ADD_FAILURE();
  } catch (const support::InputError& e) {
    EXPECT_EQ(e.location().line, 3U);
    EXPECT_EQ(e.location().column, 12U);
  }
  std::filesystem::remove_all(folder);
}

TEST(FspComposite, ProgressTests) {
  support::Context context;
  const Model model =
      Model::parse(support::Source::from_string(
                       "test.lts",
                       "progress END = {a, b[0..1]}\n"
                       "progress B[i:1..2][v:{x, y}] = if {c[i]} then {d.[v]}\n"
                       "menu M = {a}\n"
                       "P = (a -> P).\n"),
                   context);
  const auto tests = model.progress_tests(context);
  ASSERT_EQ(tests.size(), 5U);
  EXPECT_EQ(tests[0].name, "END");
  EXPECT_EQ(tests[0].actions, (std::vector<std::string>{"a", "b.0", "b.1"}));
  EXPECT_FALSE(tests[0].conditional);
  EXPECT_EQ(tests[4].name, "B.2.y");
  EXPECT_TRUE(tests[4].conditional);
  EXPECT_EQ(tests[4].condition, std::vector<std::string>{"c.2"});
  EXPECT_EQ(tests[4].actions, std::vector<std::string>{"d.y"});
}

}  // namespace
}  // namespace agon::fsp
