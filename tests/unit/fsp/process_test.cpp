// SPDX-License-Identifier: Apache-2.0
// Primitive processes: each rule with a model small enough to see the answer.
#include <gtest/gtest.h>

#include "unit/fsp/fixture.h"

namespace agon::fsp {
namespace {

using test::alphabet;
using test::compile;
using test::show;
using test::size;

TEST(FspProcess, PredefinedProcesses) {
  EXPECT_EQ(show("P = STOP."), "S");
  EXPECT_EQ(show("P = END."), "E");
  EXPECT_EQ(show("P = ERROR."), "!");
}

TEST(FspProcess, PrefixAndRecursion) {
  EXPECT_EQ(show("P = (a -> b -> P)."), "0 a 1; 1 b 0");
  EXPECT_EQ(show("P = (a -> Q), Q = (b -> P | c -> STOP)."),
            "0 a 1; 1 b 0; 1 c S");
}

TEST(FspProcess, ChoiceMayBeNondeterministic) {
  EXPECT_EQ(show("P = (a -> STOP | a -> END)."), "0 a S; 0 a E");
}

TEST(FspProcess, ALabelSetOffersEachLabelWithAStateOfItsOwn) {
  EXPECT_EQ(show("P = ({a, b} -> P)."), "0 a 0; 0 b 0");
  EXPECT_EQ(show("P = ({a, b} -> c -> P)."), "0 a 1; 0 b 2; 1 c 0; 2 c 0");
}

TEST(FspProcess, CompoundLabelsAreProductsInOrder) {
  EXPECT_EQ(alphabet(compile("P = ({a, b}.c[1..2] -> P).")),
            "a.c.1 a.c.2 b.c.1 b.c.2");
  EXPECT_EQ(alphabet(compile("P = (a[1].b -> P).")), "a.1.b");
  EXPECT_EQ(alphabet(compile("P = (a[0..1][2..3] -> P).")),
            "a.0.2 a.0.3 a.1.2 a.1.3");
  EXPECT_EQ(alphabet(compile("set S = {x, y.z}\nP = (a[S] -> P).")),
            "a.x a.y.z");
  EXPECT_EQ(alphabet(compile("set S = {x, y, z}\nP = (S\\{x, z}.w -> P).")),
            "y.w");
  EXPECT_EQ(alphabet(compile("P = (a[-1] -> P).")), "a.-1");
}

TEST(FspProcess, VariablesAreBoundForTheRestOfTheBranch) {
  EXPECT_EQ(show("P = (a[i:0..1] -> b[i + 1] -> P)."),
            "0 a.0 1; 0 a.1 2; 1 b.1 0; 2 b.2 0");
  EXPECT_EQ(show("P = (a[i:1..2][i * 2] -> P)."), "0 a.1.2 0; 0 a.2.4 0");
  EXPECT_EQ(show("set S = {x, y.z}\n"
                 "P = ([v:S].go -> when_[v] -> P)."),
            "0 x.go 1; 0 y.z.go 2; 1 when_.x 0; 2 when_.y.z 0");
}

TEST(FspProcess, GuardsAreEvaluatedBeforehand) {
  EXPECT_EQ(show("P = A[0], A[i:0..2] = (when (i < 2) up -> A[i + 1] "
                 "| when (i == 2) down -> A[0])."),
            "0 up 1; 1 up 2; 2 down 0");
  EXPECT_EQ(show("P = (when (0) a -> P | b -> P)."), "0 b 0");
  EXPECT_EQ(show("P = (when (-1) a -> P)."), "0 a 0");
  EXPECT_EQ(show("P = (when (0) a -> P)."), "S");
}

TEST(FspProcess, AFalseGuardContributesNoLabel) {
  EXPECT_EQ(alphabet(compile("P = (when (0) a -> P | b -> P).")), "b");
}

TEST(FspProcess, ConditionalsChooseOneSide) {
  EXPECT_EQ(show("P = (a[i:0..2] -> if (i == 0) then P else if (i == 1) then "
                 "END else ERROR)."),
            "0 a.0 0; 0 a.1 E; 0 a.2 !");
  EXPECT_EQ(show("P = (a[i:0..1] -> if (i) then P)."), "0 a.0 S; 0 a.1 0");
}

TEST(FspProcess, LocalProcessesAreSharedByIndex) {
  EXPECT_EQ(show("P = A[0][1], A[i:0..1][j:0..1] = (go -> A[j][i])."),
            "0 go 1; 1 go 0");
  EXPECT_EQ(show("P = A[0], A[0] = (x -> A[1]), A[i:1..2] = (y[i] -> A[0])."),
            "0 x 1; 1 y.1 0");
  EXPECT_EQ(show("set S = {l, r}\nP = A['l], "
                 "A[v:S] = ([v] -> A[@(S, (v == 'l))])."),
            "0 l 1; 1 r 0");
}

TEST(FspProcess, AliasesAreTheStateTheyReferTo) {
  EXPECT_EQ(show("P = Q, Q = R, R = (a -> Q)."), "0 a 0");
  EXPECT_EQ(show("P = A[0], A[i:0..999] = if (i == 999) then (z -> P) else "
                 "A[i + 1]."),
            "0 z 0");
}

TEST(FspProcess, UndefinedReferencesBecomeErrorWithAWarning) {
  test::Recorder log;
  support::Context context({}, &log);
  const auto source = support::Source::from_string(
      "test.lts",
      "P = A[0],\nA[i:0..1] = (up -> A[i + 1] | to -> Q | typo -> Stop).\n"
      "Q = (q -> Q).");
  EXPECT_EQ(show(compile(source, "P", context)),
            "0 to !; 0 typo !; 0 up 1; 1 to !; 1 typo !; 1 up !");
  ASSERT_EQ(log.warnings.size(), 3U);
  std::sort(log.warnings.begin(), log.warnings.end());
  EXPECT_TRUE(log.warnings[0].starts_with(
      "test.lts:2:20: warning: 'A.2' is not a local process of 'P' and "
      "becomes ERROR\n"));
  EXPECT_NE(log.warnings[1].find("2:37: warning: 'Q' is not a local process"),
            std::string::npos);
  EXPECT_NE(log.warnings[1].find("write 'Q;END'"), std::string::npos);
  EXPECT_NE(log.warnings[2].find("'Stop'"), std::string::npos);
}

TEST(FspProcess, APlaceIsWarnedAboutOnce) {
  test::Recorder log;
  support::Context context({}, &log);
  const auto source = support::Source::from_string(
      "test.lts", "P(N=0) = (a[N] -> Q). ||C = forall [i:0..9] P(i).");
  compile(source, "C", context);
  EXPECT_EQ(log.warnings.size(), 1U);
}

TEST(FspProcess, TheAlphabetHasLabelsOfUnreachableLocalProcesses) {
  const lts::Lts lts = compile("P = (a -> P), Q = (b -> Q) + {c.{d, e}}.");
  EXPECT_EQ(alphabet(lts), "a b c.d c.e");
  EXPECT_EQ(size(lts), "1/1");
}

TEST(FspProcess, SuffixesApplyInOrder) {
  EXPECT_EQ(show("P = (a -> b -> P) + {c}/{x/a}\\{b}."), "0 x 1; 1 tau 0");
  EXPECT_EQ(alphabet(compile("P = (a -> b -> P) + {c}/{x/a, y/c}\\{b}.")),
            "x y");
  EXPECT_EQ(show("P = (a -> b -> c -> P)/{d/b}@{d, a}."),
            "0 a 1; 1 d 2; 2 tau 0");
}

TEST(FspProcess, RelabellingIsARelationOnPrefixes) {
  EXPECT_EQ(show("P = (a -> b -> P)/{x/a, x/b}."), "0 x 1; 1 x 0");
  EXPECT_EQ(show("P = (a -> P)/{{x, y}/a}."), "0 x 0; 0 y 0");
  EXPECT_EQ(show("P = (a[0..1].b -> ab -> P)/{c/a}."),
            "0 c.0.b 1; 0 c.1.b 2; 1 ab 0; 2 ab 0");
  EXPECT_EQ(show("P = (a.x -> a.y -> P)/{c/a, d/a.x}."), "0 d 1; 1 c.y 0");
  EXPECT_EQ(show("P = (a[0..1] -> P)/{forall [i:0..1] {b[1 - i]/a[i]}}."),
            "0 b.0 0; 0 b.1 0");
  EXPECT_EQ(show("P = (a[0] -> a[1] -> P)/{b[i:0..1]/a[1 - i]}."),
            "0 b.1 1; 1 b.0 0");
}

TEST(FspProcess, HidingAndInterfacesMatchPrefixes) {
  EXPECT_EQ(show("P = (a.x -> ab -> P)\\{a}."), "0 tau 1; 1 ab 0");
  EXPECT_EQ(show("P = (a.x -> ab -> P)@{a}."), "0 a.x 1; 1 tau 0");
  EXPECT_EQ(show("P = (a.x -> a -> P)\\{a.x}."), "0 tau 1; 1 a 0");
  EXPECT_EQ(show("P = (a -> P)@{}."), "0 tau 0");
}

TEST(FspProcess, SequencesIdentifyEndWithTheNextBeginning) {
  const std::string parts = "A = (a -> END). B = (b -> END | c -> b -> END). ";
  EXPECT_EQ(show(parts + "P = A; B; END.", "P"), "0 a 1; 1 b E; 1 c 2; 2 b E");
  EXPECT_EQ(show(parts + "P = A; B; P.", "P"), "0 a 1; 1 b 0; 1 c 2; 2 b 0");
  EXPECT_EQ(show(parts + "P = (x -> A; Q), Q = (y -> STOP).", "P"),
            "0 x 1; 1 a 2; 2 y S");
  EXPECT_EQ(show("E = END. A = (a -> END). P = E; A; E; END.", "P"), "0 a E");
  EXPECT_EQ(show("A(N=1) = (a[N] -> END). P = A(2); A; END.", "P"),
            "0 a.2 1; 1 a.1 E");
  EXPECT_EQ(show("A = (a -> ERROR | b -> END). P = A; A; STOP.", "P"),
            "0 a !; 0 b 1; 1 a !; 1 b S");
}

TEST(FspProcess, SequencesHaveTheUnionOfTheAlphabets) {
  EXPECT_EQ(
      alphabet(compile("A = (a -> END) + {x}. P = A; Q, Q = (q -> Q).", "P")),
      "a q x");
}

TEST(FspProcess, ACompositeMayStandInASequence) {
  EXPECT_EQ(show("A = (a -> END). B = (b -> END). ||C = (A || B). "
                 "P = C; P.",
                 "P"),
            "0 a 1; 0 b 2; 1 b 0; 2 a 0");
}

TEST(FspProcess, ParametersAreNumbersOrLabels) {
  const std::string text =
      "const N = 2\n"
      "P(K=N, L='x.y) = (a[K].[L] -> P).\n";
  EXPECT_EQ(show(text, "P"), "0 a.2.x.y 0");
  EXPECT_EQ(show(text, "P(N * N, 'z)"), "0 a.4.z 0");
  EXPECT_EQ(show("P(N=1, M=N + 1) = (a[N][M] -> P).", "P"), "0 a.1.2 0");
}

TEST(FspProcess, ParametersHideConstants) {
  EXPECT_EQ(show("const N = 7\nP(N=1) = (a[N] -> P).", "P"), "0 a.1 0");
}

TEST(FspProcess, PropertiesAreCompleted) {
  EXPECT_EQ(show("property P = (a -> b -> P)."), "0 a 1; 0 b !; 1 a !; 1 b 0");
  EXPECT_EQ(show("property P = (a -> P) + {c}."), "0 a 0; 0 c !");
  EXPECT_EQ(show("property P = (a -> END)."), "0 a 1; 1 a !");
  EXPECT_EQ(show("property P = (a -> ERROR | b -> P)."), "0 a !; 0 b 0");
  EXPECT_EQ(show("property P = STOP + {a}."), "0 a !");
}

TEST(FspProcess, ModifiersReduce) {
  EXPECT_EQ(show("minimal P = (a -> b -> a -> b -> P)."), "0 a 1; 1 b 0");
  EXPECT_EQ(show("minimal P = (a -> h -> b -> P)\\{h}."), "0 a 1; 1 b 0");
  EXPECT_EQ(show("deterministic P = (a -> b -> P | a -> c -> P)."),
            "0 a 1; 1 b 0; 1 c 0");
  EXPECT_EQ(show("deterministic property P = (a -> b -> P | a -> c -> P)."),
            "0 a 1; 0 b !; 0 c !; 1 a !; 1 b 0; 1 c 0");
  EXPECT_EQ(show("minimal P = (a -> STOP | b -> END | c -> ERROR)."),
            "0 a S; 0 b E; 0 c !");
}

TEST(FspProcess, TheSilentActionIsAnOption) {
  ParseOptions options;
  options.allow_tau = true;
  EXPECT_EQ(show(compile("P = (tau -> a -> P).", "P", options)),
            "0 tau 1; 1 a 0");
  EXPECT_EQ(alphabet(compile("P = ({tau, a} -> P) + {tau}.", "P", options)),
            "a");
}

TEST(FspProcess, LongChainsNeedNoStack) {
  std::string text = "P = (";
  for (int i = 0; i < 100'000; ++i) text += "a -> ";
  EXPECT_EQ(size(compile(text + "P).")), "100000/100000");
  EXPECT_EQ(size(compile("P = A[0], A[i:0..100000] = if (i < 100000) then "
                         "A[i + 1] else (a -> P).")),
            "1/1");
}

TEST(FspProcess, MayStandInPlaceWithWholeRangesOfReturns) {
  ParseOptions options;
  options.allow_in_place = true;
  options.whole_return_ranges = true;
  const std::string text =
      "range R = 2..3\n"
      "(return[-1..1] -> STOP | return[R] -> STOP | return[4..4] -> STOP\n"
      "| return[i:5..6] -> STOP | x[0..1] -> STOP) + {b}\nP = STOP.\n";
  const auto lts = compile(
      text, in_place_name(static_cast<std::uint32_t>(text.find('('))), options);
  std::set<std::string> labels;
  for (const auto label : lts.alphabet()) {
    labels.insert(lts.labels()->name(label));
  }
  EXPECT_EQ(labels,
            (std::set<std::string>{"return.-1..1", "return.2..3", "return.4",
                                   "return.5", "return.6", "x.0", "x.1", "b"}));
}

/// What the states of a process are called, in the order of `explore`; `-` for
/// those without a name.
std::string names(const std::string& text, const std::string& process) {
  support::Context context;
  const Model model =
      Model::parse(support::Source::from_string("test.lts", text), context);
  const auto made = model.compile_named(
      process, std::make_shared<lts::LabelTable>(), context);
  std::string result;
  for (const std::string& name : made.state_names) {
    result += (result.empty() ? "" : " ") + (name.empty() ? "-" : name);
  }
  EXPECT_TRUE(made.state_names.empty() ||
              made.state_names.size() ==
                  made.system->as_explicit()->num_states());
  return result;
}

TEST(FspProcess, StatesAreCalledByTheirLocalProcesses) {
  EXPECT_EQ(
      names("P = (a -> Q | z -> END), Q = (b -> c -> P | d -> STOP).", "P"),
      "P Q END - STOP");
  EXPECT_EQ(
      names("P = A[0][1], A[i:0..1][j:1..2] = (a -> A[1 - i][3 - j]).", "P"),
      "P A[1][2]");
  EXPECT_EQ(names("P(N = 1) = (a[N] -> P).", "P(3)"), "P");
  EXPECT_EQ(names("property P = (a -> Q), Q = (b -> P).", "P"), "P Q -");
}

TEST(FspProcess, StatesOfOtherSystemsHaveNoNames) {
  EXPECT_EQ(names("P = (a -> P)/{b/a}.", "P"), "");
  EXPECT_EQ(names("minimal P = (a -> Q), Q = (a -> P).", "P"), "");
  EXPECT_EQ(names("P = (a -> P). Q = (b -> Q). ||C = (P || Q).", "C"), "");
}

}  // namespace
}  // namespace agon::fsp
