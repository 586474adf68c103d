// SPDX-License-Identifier: Apache-2.0
#include "algol/decide.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <vector>

#include "algol/interpreter.h"
#include "algol/model.h"
#include "algol/parser.h"
#include "algol/tree.h"
#include "lts/bisimulation.h"
#include "support/context.h"
#include "support/error.h"
#include "support/source.h"

namespace agon::algol {
namespace {

using ::testing::ElementsAre;

/// A term and its tree.
struct Subject {
  explicit Subject(support::Source text, const Constants& constants = {})
      : source(std::move(text)),
        judgement(read_judgement(source, constants)),
        tree(build_tree(judgement, source)) {}
  explicit Subject(const std::string& text)
      : Subject(support::Source::from_string("t.ia", text)) {}

  static Subject example(const std::string& name,
                         const Constants& constants = {}) {
    return Subject(support::Source::open(AGON_SOURCE_DIR "/examples/" + name),
                   constants);
  }

  Decision ask(const std::string& move, const DecideOptions& options = {},
               support::Limits limits = {}) const {
    support::Context context(limits);
    return decide(judgement, tree, {parse_pattern(move, tree)}, options,
                  context);
  }

  bool can(const std::string& move) const {
    const Decision decision = ask(move);
    EXPECT_NE(decision.kind, Decision::Kind::Unknown);
    return decision.kind == Decision::Kind::Reachable;
  }

  std::vector<std::string> play(const std::string& move) const {
    std::vector<std::string> labels;
    for (const Move& made : ask(move).example) {
      labels.push_back(to_string(made, tree));
    }
    return labels;
  }

  support::Source source;
  Judgement judgement;
  Tree tree;
};

TEST(Decide, AValueIsItself) {
  const std::string start = "x : exp int |- new int y := x in ";
  for (const char* never :
       {"y < y", "y > y", "y != y", "!(y = y)", "!(y <= y)", "!(y >= y)",
        "y - y > 0", "(y + 1) * 3 != (y + 1) * 3", "!((y = y) = (y = y))"}) {
    EXPECT_FALSE(Subject(start + "if " + never + " then abort fi").can("abort"))
        << never;
  }
  EXPECT_FALSE(
      Subject(start + "let z be y * 7 in if z < z then abort fi").can("abort"));
  // What is not memory may answer otherwise the second time.
  EXPECT_TRUE(Subject("x : exp int |- if x < x then abort fi").can("abort"));
  EXPECT_TRUE(Subject("x : exp int |- let z be x in if z < z then abort fi")
                  .can("abort"));
  EXPECT_TRUE(Subject(start + "if (y := y + 1; y) != (y := y + 1; y) then "
                              "abort fi")
                  .can("abort"));
}

TEST(Decide, StackOverflowsAfterAsManyPushesAsItHasPlaces) {
  for (const std::int64_t size : {1, 2, 7, 64}) {
    const auto stack = Subject::example("stack.ia", {{"size", size}});
    for (const bool precise : {false, true}) {
      for (const Order order : {Order::Program, Order::Random}) {
        const Decision oflo = stack.ask("oflo", {precise, order});
        ASSERT_EQ(oflo.kind, Decision::Kind::Reachable);
        std::int64_t pushed = 0;
        for (const Move& move : oflo.example) {
          const std::string label = to_string(move, stack.tree);
          if (label == "input.read") ++pushed;
          if (label.starts_with("output.write")) --pushed;
        }
        EXPECT_EQ(pushed, size);
        EXPECT_EQ(to_string(oflo.example.back(), stack.tree), "oflo.run");
      }
    }
  }
}

// MAGE, table 2.
TEST(Decide, IterationsForAStackOf32BitNumbers) {
  for (std::int64_t size = 2; size <= 1024; size *= 2) {
    const auto stack = Subject::example("stack32.ia", {{"size", size}});
    EXPECT_EQ(stack.ask("uflo").iterations, 2U) << size;
    const auto size_bits = std::bit_width(static_cast<std::uint64_t>(size));
    const Decision oflo = stack.ask("oflo");
    EXPECT_LE(oflo.iterations, static_cast<std::size_t>(size_bits)) << size;
    EXPECT_EQ(oflo.play.size(), static_cast<std::size_t>(4 * size + 4));
    EXPECT_EQ(to_string(oflo.play[4], stack.tree), "input.0..4294967295");
  }
}

// MAGE, section 5.1.
TEST(Decide, TracesOfTheStackOfBits) {
  for (std::int64_t size = 1; size <= 6; ++size) {
    const auto stack = Subject::example("stack.ia", {{"size", size}});
    support::Context context;
    const Model model =
        build_model(stack.tree, std::make_shared<lts::LabelTable>(), context);
    ASSERT_TRUE(model.lts);
    const lts::Lts minimal = lts::quotient(
        *model.lts, lts::strong_bisimulation(*model.lts), lts::Inert::Keep);
    const std::uint64_t power = std::uint64_t{1} << (size - 1);
    EXPECT_EQ(count_loop_free_traces(minimal), 10 * power - 2);
    // What was popped is still there, though nobody can see it.
    EXPECT_EQ(count_loop_free_traces(*model.lts),
              static_cast<std::uint64_t>(3 * size + 2) * 2 * power + 1);
  }
}

// MAGE, section 5.2.
TEST(Decide, LargeArraysAndAssertionsAtOnce) {
  const auto array = Subject::example("array.ia");
  EXPECT_EQ(array.ask("bounds").kind, Decision::Kind::Unreachable);
  EXPECT_EQ(array.ask("bounds").iterations, 1U);
  const auto assertion = Subject::example("assertion.ia");
  EXPECT_EQ(assertion.ask("abort").kind, Decision::Kind::Unreachable);
  EXPECT_LE(assertion.ask("abort").iterations, 3U);
}

// MAGE, section 5.3.
TEST(Decide, BillAndBen) {
  const auto ages = Subject::example("ages.ia");
  const auto solution =
      ElementsAre("q", "Bill.read", "Bill.48", "Ben.read", "Ben.36", "true");
  EXPECT_THAT(ages.play("true"), solution);
  const Decision precise = ages.ask("true", {true, Order::Program});
  EXPECT_EQ(precise.example.size(), 6U);
  EXPECT_EQ(precise.example[2].value, Interval::single(48));
}

TEST(Decide, ArgumentsAreCalledByName) {
  // The second evaluation may give something else.
  const Subject subject(
      "e : exp nat%4 |- (\\x:exp nat%4. assert (x = x) abort)(e)");
  EXPECT_TRUE(subject.can("abort"));
  const Subject stored(
      "e : exp nat%4 |- new nat%4 x := e in assert (x = x) abort");
  EXPECT_FALSE(stored.can("abort"));
}

TEST(Decide, FreeVariablesAreNoCells) {
  EXPECT_TRUE(
      Subject("x : nat%4 |- x := 1; assert (x = 1) abort").can("abort"));
  EXPECT_FALSE(
      Subject("|- new nat%4 x in x := 1; assert (x = 1) abort").can("abort"));
}

TEST(Decide, CallsAreNested) {
  // While the inner call is pending, only its own argument can be asked.
  const Subject subject(
      "f : com -> com |- new nat%4 depth in new bool bad in "
      "f(depth := depth+1; f(assert (depth = 1) abort); depth := depth-1)");
  EXPECT_FALSE(subject.can("abort"));
  EXPECT_TRUE(Subject("f : com -> com |- new nat%4 n in "
                      "f(n := n+1); assert (n < 3) abort")
                  .can("abort"));
}

TEST(Decide, TermsThatAreVariablesOrFunctions) {
  const Subject variable("x : nat%4 |- x");
  EXPECT_THAT(variable.play("x.write(3)"),
              ElementsAre("write(3)", "x.write(3)"));
  EXPECT_FALSE(Subject("x : nat%4 |- skip; (x := 1)").can("x.write(2)"));
  const Subject function("|- \\x:nat%3. \\c:com. c; x := 1");
  EXPECT_THAT(function.play("x.ok"),
              ElementsAre("run", "c.run", "c.done", "x.write(1)", "x.ok"));
  const Subject partial("f : com -> exp nat%2 -> com |- f(skip)");
  EXPECT_THAT(partial.play("f.2.1"), ElementsAre("run", "f.run", "f.2.q",
                                                 "arg1.q", "arg1.1", "f.2.1"));
}

TEST(Decide, EveryElementInsideOfTheArray) {
  const Subject subject(
      "e : exp nat%4, a : nat%4[4] |- new nat%4 v := e in a[v+1] := v");
  EXPECT_TRUE(subject.can("a[3].write(2)"));
  EXPECT_FALSE(subject.can("a[3].write(1)"));
  EXPECT_FALSE(subject.can("a[0]"));
  EXPECT_TRUE(subject.can("a[1].ok"));
  EXPECT_TRUE(subject.can("bounds"));
}

TEST(Decide, ArgumentsAreReducedToTheirTypes) {
  const Subject subject("e : exp nat%4, f : exp nat%4 -> com |- f(e + 2)");
  EXPECT_TRUE(subject.can("f.1.0"));
  EXPECT_FALSE(
      Subject("e : exp nat%2, f : exp nat%4 -> com |- f(e + 3)").can("f.1.1"));
}

TEST(Decide, DivisionByZeroAborts) {
  EXPECT_TRUE(Subject("e : exp nat%100 |- 7 / e").can("abort"));
  EXPECT_FALSE(Subject("e : exp nat%100 |- 7 / (e + 1)").can("abort"));
  EXPECT_TRUE(Subject("e : exp nat%100 |- 7 % (e - 50)").can("abort"));
}

TEST(Decide, LoopsThatNeverEndAreLeft) {
  const Subject subject(
      "c : com |- new nat%100 n in while n < 100 do n := n + 1 od; c");
  for (const bool precise : {false, true}) {
    EXPECT_EQ(subject.ask("c", {precise, Order::Program}).kind,
              Decision::Kind::Unreachable);
  }
}

TEST(Decide, DeepTerms) {
  // Almost as deep as terms may be.
  std::string text = "c : com |- let f0 be \\x:com. x in ";
  for (int i = 1; i < 150; ++i) {
    text += fmt::format("let f{} be \\x:com. skip; f{}(x) in ", i, i - 1);
  }
  EXPECT_TRUE(Subject(text + "f149(skip; c)").can("c"));
  std::string nested = "c";
  for (int i = 0; i < 230; ++i) nested = "if true then " + nested + " fi";
  EXPECT_TRUE(Subject("c : com |- " + nested).can("c"));
}

TEST(Decide, LimitsAreAnswers) {
  const auto stack = Subject::example("stack.ia", {{"size", 500}});
  const Decision few =
      stack.ask("done", {true, Order::Program}, {.max_states = 10});
  EXPECT_EQ(few.kind, Decision::Kind::Unknown);
  EXPECT_EQ(few.reason, "more than 10 states");
  const Subject slow(
      "|- new int x in new int y in while x < 2000000000 do x := x + 1 od");
  const Decision late = slow.ask("done", {true, Order::Program},
                                 {.time = std::chrono::milliseconds(50)});
  EXPECT_EQ(late.kind, Decision::Kind::Unknown);
  EXPECT_FALSE(late.reason.empty());
}

TEST(Decide, PatternsThatCannotMatch) {
  const Subject subject(
      "x : nat%4, c : com, f : com -> com, a : int[3] |- skip");
  const auto error = [&](const std::string& move) {
    try {
      parse_pattern(move, subject.tree);
    } catch (const support::InputError& caught) {
      return caught.message();
    }
    return std::string("no error");
  };
  EXPECT_EQ(error("y"),
            "move 'y': the term makes no move 'y'; did you mean 'x'?");
  EXPECT_EQ(error("x.write(4)"), "move 'x.write(4)': 4 is not from 0 to 3");
  EXPECT_EQ(error("x.run"), "move 'x.run': the term makes no move 'run'");
  EXPECT_EQ(error("f.2"), "move 'f.2': there is no argument 2");
  EXPECT_EQ(error("a[3]"), "move 'a[3]': there is no such element");
  EXPECT_EQ(error("c.done.x"), "move 'c.done.x': '.x' is too much");
  EXPECT_EQ(error("x."), "move 'x.': the term makes no move ''");
  for (const char* const good :
       {"x", "x.read", "x.3", "x.write", "x.write(0)", "x.ok", "c.done", "f.1",
        "f.1.done", "a", "a[2].write(-5)", "a.7", "done", "run", "abort",
        "bounds", "result"}) {
    EXPECT_EQ(error(good), "no error") << good;
  }
}

TEST(Replay, RefusesWhatTheTermDoesNot) {
  const Subject subject("x : nat%4, c : com |- if x < 2 then c fi");
  Play play = subject.ask("c").play;
  ASSERT_EQ(play.size(), 4U);
  EXPECT_TRUE(replay(subject.judgement, play));
  Play other_value = play;
  other_value[2].value = Interval::single(3);
  EXPECT_FALSE(replay(subject.judgement, other_value));
  Play impossible_value = play;
  impossible_value[2].value = Interval::single(4);
  EXPECT_FALSE(replay(subject.judgement, impossible_value));
  Play other_order = play;
  std::swap(other_order[1], other_order[3]);
  EXPECT_FALSE(replay(subject.judgement, other_order));
  Play too_long = play;
  too_long.push_back(play.back());
  EXPECT_FALSE(replay(subject.judgement, too_long));
}

}  // namespace
}  // namespace agon::algol
