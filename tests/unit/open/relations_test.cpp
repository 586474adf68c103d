// SPDX-License-Identifier: Apache-2.0
// Predicates on open terms: against the whole model of small ones, and on large
// data, where the answers are known from arithmetic.
#include "open/relations.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>

#include "algol/model.h"
#include "algol/parser.h"
#include "helpers/random_lts.h"
#include "support/error.h"
#include "support/source.h"
#include "unit/algol/random_judgement.h"

namespace agon::open {
namespace {

using algol::Decision;
using algol::read_judgement;

struct Subject {
  explicit Subject(const std::string& text)
      : source(support::Source::from_string("test.ia", text)),
        judgement(read_judgement(source, {})),
        tree(build_tree(judgement, source)) {}

  Decision ask(const std::string& move, std::size_t iterations = 8) {
    return decide_by_predicates(judgement, tree, {parse_pattern(move, tree)},
                                iterations, context);
  }

  support::Source source;
  algol::Judgement judgement;
  algol::Tree tree;
  support::Context context;
};

struct Counts {
  std::size_t reachable = 0;
  std::size_t unreachable = 0;
  std::size_t unknown = 0;
};

void compare(const std::string& text, const std::string& move,
             std::size_t iterations, Counts& counts) {
  SCOPED_TRACE(text + "   " + move);
  Subject subject(text);
  const algol::Model model = build_model(
      subject.tree, std::make_shared<lts::LabelTable>(), subject.context);
  const Decision eager = decide_eagerly(subject.judgement, model,
                                        {parse_pattern(move, subject.tree)});
  ASSERT_NE(eager.kind, Decision::Kind::Unknown);
  const Decision found = subject.ask(move, iterations);
  if (found.kind == Decision::Kind::Unknown) {
    ++counts.unknown;
    return;
  }
  EXPECT_EQ(found.kind, eager.kind);
  const bool is_reachable = found.kind == Decision::Kind::Reachable;
  ++(is_reachable ? counts.reachable : counts.unreachable);
}

/// Nothing if it is a certain mistake.
bool is_term(const std::string& text) {
  try {
    read_judgement(support::Source::from_string("random.ia", text), {});
    return true;
  } catch (const support::InputError&) {
    return false;
  }
}

TEST(Relations, RandomTermsAgreeWithTheWholeModel) {
  test::Random random(20081);
  Counts counts;
  const std::size_t terms = test::scaled(60);
  for (std::size_t i = 0; i < terms; ++i) {
    const std::string text = test::RandomJudgement(random).text();
    if (is_term(text))
      compare(text, i % 3 == 0 ? "result" : "abort", 8, counts);
  }
  for (std::size_t i = 0; i < terms / 3; ++i) {
    compare(test::RandomJudgement(random).text_about_numbers(),
            i % 2 == 0 ? "abort" : "c", 8, counts);
    compare(test::RandomJudgement(random).text_about_an_array(), "abort", 1,
            counts);
  }
  EXPECT_GT(counts.reachable, terms / 4);
  EXPECT_GT(counts.unreachable, terms / 4);
  EXPECT_LT(counts.unknown, terms / 6);
}

struct Case {
  const char* body;
  bool can_abort;
};

/// On `a` and `b`, free integers of 32 bits.
const std::array kCases = {
    Case{"if a < b then if b <= a then abort fi fi", false},
    Case{"if a <= b then if b <= a then abort fi fi", true},
    Case{"if a = b then if a != b then abort fi fi", false},
    Case{"if a + b != b + a then abort fi", false},
    Case{"if a - b > 0 & a < b then abort fi", false},
    Case{"new int t := a in a := b; b := t; assert (b = t) abort", false},
    Case{"new int s := a + b in assert (s - a = b) abort", true},
    Case{"new int s := a - b in assert (s != a + 7 | b != 0) abort", false},
    Case{"if 3 * a + 5 * b = 1 & a > 1000 & b < 0 - 600 then abort fi", true},
    Case{"if 6 * a + 9 * b = 1 then abort fi", false},
    Case{"if a % 2 = 1 & a / 2 * 2 = a then abort fi", false},
    Case{"new int i := 0 in while i < a do i := i + 1 od; "
         "if a > 0 & i != a then abort fi",
         false},
    Case{"new int m := a in if b > m then m := b fi; "
         "assert (m >= a & m >= b & (m = a | m = b)) abort",
         false},
    // Operands are evaluated from left to right, values before targets.
    Case{"new int s := a in if a + (a := b; 0) != s then abort fi", false},
    Case{"new int s := a in new int[2] v in v[(a := b; 0)] := a; "
         "assert (v[0] = s) abort",
         false},
    Case{"new int s := a in new int t := 0 in "
         "(if (a := b; true) then t else s fi) := a; assert (t = s) abort",
         false},
    Case{"new int[4] v in v[2] := a; v[1] := b; assert (v[2] = a) abort",
         false},
    Case{"new int[4] v in v[2] := a; v[(b % 4 + 4) % 4] := b; "
         "assert (v[2] = a) abort",
         true},
};

TEST(Relations, BetweenInputsOf32Bits) {
  for (const Case& each : kCases) {
    SCOPED_TRACE(each.body);
    Subject subject(std::string("x : exp int, y : exp int |- new int a := x in "
                                "new int b := y in ") +
                    each.body);
    const Decision found = subject.ask("abort");
    EXPECT_EQ(found.kind, each.can_abort ? Decision::Kind::Reachable
                                         : Decision::Kind::Unreachable)
        << found.reason;
    if (!each.can_abort) continue;
    ASSERT_FALSE(found.example.empty());
    EXPECT_EQ(found.example.back().kind, algol::MoveKind::Abort);
  }
}

/// A client that moves two bounds; they never cross.
TEST(Relations, KeptByAnyClient) {
  const std::string bounds =
      "set : nat%4294967296, f : com -> com -> com |- "
      "new nat%4294967296 lo := 0 in new nat%4294967296 hi := 0 in "
      "let up be (hi := set; if hi < lo then hi := lo fi) in "
      "let down be (lo := set; if lo {} hi then lo := hi fi; "
      "assert (lo <= hi) abort) in f(up, down)";
  EXPECT_EQ(Subject(fmt::format(fmt::runtime(bounds), ">")).ask("abort").kind,
            Decision::Kind::Unreachable);
  EXPECT_EQ(
      Subject(fmt::format(fmt::runtime(bounds), "> 5 +")).ask("abort").kind,
      Decision::Kind::Reachable);
}

TEST(Relations, MovesWithValuesAndIndices) {
  const std::string text =
      "x : exp int, y : exp int, out : int, f : int -> com, v : int[9] |- "
      "new int a := x in new int b := y in "
      "if a < b then out := b - a; f(a); v[b % 9] := a fi";
  Subject subject(text);
  EXPECT_EQ(subject.ask("out.write(0)").kind, Decision::Kind::Unreachable);
  EXPECT_EQ(subject.ask("out.write(77)").kind, Decision::Kind::Reachable);
  EXPECT_EQ(subject.ask("f.1.write(5)").kind, Decision::Kind::Reachable);
  EXPECT_EQ(subject.ask("f.1.12").kind, Decision::Kind::Reachable);
  EXPECT_EQ(subject.ask("v[4].write(8)").kind, Decision::Kind::Reachable);
  EXPECT_EQ(subject.ask("bounds").kind, Decision::Kind::Reachable);
}

TEST(Relations, GivesUp) {
  std::string text = "c : com |- let l0 be c in ";
  for (int i = 1; i < 40; ++i) {
    text += fmt::format("let l{0} be l{1}; l{1} in ", i, i - 1);
  }
  EXPECT_EQ(Subject(text + "l39").ask("abort").kind, Decision::Kind::Unknown);
}

}  // namespace
}  // namespace agon::open
