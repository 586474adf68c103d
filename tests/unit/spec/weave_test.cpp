// SPDX-License-Identifier: Apache-2.0
#include "spec/weave.h"

#include <algorithm>

#include "woven.h"

namespace agon::test {
namespace {

using spec::GuardCheck;
using spec::Question;

bool is_in_alphabet(const lts::Lts& lts, const std::string& label) {
  const auto found = lts.labels()->find(label);
  return found && std::ranges::binary_search(lts.alphabet(), *found);
}

/// Whether a trace without silent steps is one of the system.
bool allows(const lts::Lts& lts, const Trace& trace) {
  std::set<lts::State> now{lts.initial()};
  for (const std::string& name : trace) {
    std::set<lts::State> next;
    for (const lts::State state : now) {
      for (const lts::Transition& step : lts.out(state)) {
        if (lts.labels()->name(step.label) == name) next.insert(step.target);
      }
    }
    now = std::move(next);
  }
  return !now.empty();
}

TEST_F(Spec, PerformsTheActionsOfAnAssumption) {
  weave("void do_a(void);\nint proc(void) { do_a(); do_a(); return 3; }\n",
        "DoA = (a -> return -> STOP).\n"
        "assume void do_a(void) : DoA;\n"
        "verify int proc(void) : (a -> a -> return[3] -> STOP);\n");
  ASSERT_EQ(woven_.questions.size(), 1U);
  EXPECT_EQ(run(woven_.questions[0].entry, {0}).complete,
            (std::set<Trace>{{"a", "a", "return[3]"}}));
}

TEST_F(Spec, ClassifiesResults) {
  weave("int id(int x) { return x; }\n",
        "verify int id(int x) : (return[0] -> STOP | return[1..3] -> STOP\n"
        "  | return{result < 0} -> STOP | return[-1] -> STOP);\n");
  const Question& question = woven_.questions.at(0);
  const auto label = [&](std::int64_t argument) {
    const auto all =
        run(question.entry, {0}, {static_cast<std::uint64_t>(argument)});
    EXPECT_EQ(all.complete.size(), 1U);
    return *all.complete.begin();
  };
  EXPECT_EQ(label(0), Trace{"return[0]"});
  EXPECT_EQ(label(1), Trace{"return[1..3]"});
  EXPECT_EQ(label(3), Trace{"return[1..3]"});
  EXPECT_EQ(label(4), Trace{"return of another value"});
  EXPECT_EQ(label(-1), Trace{"return[-1]"});
  EXPECT_EQ(label(-2), Trace{"return{result < 0 && !(result == -1)}"});
  EXPECT_TRUE(allows(*question.lts, label(-2)));
  EXPECT_TRUE(allows(*question.lts, label(-1)));
  EXPECT_FALSE(allows(*question.lts, label(4)));
  EXPECT_TRUE(is_in_alphabet(*question.lts, "return of another value"));
}

TEST_F(Spec, SaysNothingOfReturnsThatNoProcessMentions) {
  weave("void a(void);\nint f(void) { a(); return 7; }\n",
        "assume void a(void) : (a -> return -> STOP);\n"
        "verify int f(void) : (a -> STOP);\n");
  EXPECT_EQ(run(woven_.questions.at(0).entry, {0}).complete,
            (std::set<Trace>{{"a"}}));
}

TEST_F(Spec, ChoosesTheArmByTheGuard) {
  weave(
      "enum { RESET = 5 };\nint rd(int fd);\n"
      "int f(int x) { return rd(x); }\n",
      "assume int rd(int fd) when (fd == RESET) : (reset -> return[0] -> "
      "STOP)\n  when (fd < 0) : (return[-1] -> STOP)\n"
      "  otherwise : (read -> return[1..2] -> STOP);\n"
      "verify int f(int x) when (x > 0) : (reset -> read -> STOP)\n"
      "  otherwise : (read -> reset -> return[_] -> STOP);\n");
  const auto f = [&](std::int64_t argument) {
    return run("f", {0, 1, 2, 3}, {static_cast<std::uint64_t>(argument)});
  };
  EXPECT_EQ(f(5).complete, (std::set<Trace>{{"reset"}}));
  EXPECT_EQ(f(-2).complete, (std::set<Trace>{{}}));
  EXPECT_EQ(f(9).complete, (std::set<Trace>{{"read"}}));
  ASSERT_EQ(woven_.questions.size(), 2U);
  EXPECT_EQ(woven_.questions[0].guard, "x > 0");
  EXPECT_EQ(woven_.questions[1].guard, "!(x > 0)");
  EXPECT_TRUE(woven_.questions[0].covers_all_entries);
  // The wrappers let only the calls of their arm pass.
  EXPECT_TRUE(run(woven_.questions[0].entry, {0}, {0}).complete.empty());
  EXPECT_FALSE(run(woven_.questions[0].entry, {0}, {5}).complete.empty());
  EXPECT_FALSE(run(woven_.questions[1].entry, {1}, {0}).complete.empty());
  EXPECT_TRUE(run(woven_.questions[1].entry, {0}, {5}).complete.empty());
}

TEST_F(Spec, FindsGuardsThatOverlapOrLeaveGaps) {
  weave("int rd(int fd);\nint f(int x) { return rd(x); }\n",
        "P = (return[0] -> STOP).\n"
        "assume int rd(int fd) when (fd < 2) : P when (fd == 1) : P\n"
        "                      when (fd > 3) : P;\n"
        "verify int f(int x) when (x > 0) : P;\n");
  ASSERT_EQ(woven_.guard_checks.size(), 1U);
  const GuardCheck& check = woven_.guard_checks[0];
  EXPECT_TRUE(check.must_be_complete);
  EXPECT_FALSE(woven_.questions.at(0).covers_all_entries);
  const auto found = [&](std::uint64_t argument) {
    return *run(check.entry, {0}, {argument}).complete.begin();
  };
  EXPECT_EQ(found(0), Trace{});
  EXPECT_EQ(found(1), Trace{GuardCheck::kOverlap});
  EXPECT_EQ(found(2), Trace{GuardCheck::kIncomplete});
  EXPECT_EQ(found(4), Trace{});
}

TEST_F(Spec, ReplacesBodiesAndPointers) {
  weave(
      "static int rd(int fd) { return fd; }\n"
      "int (*table[1])(int) = {rd};\n"
      "int f(int x) { int (*p)(int) = rd; return p(x) + table[0](x); }\n",
      "assume int rd(int fd) : (read -> return[2] -> STOP);\n"
      "verify int f(int x) : (read -> read -> return[4] -> STOP);\n");
  EXPECT_EQ(run(woven_.questions.at(0).entry, {0}, {9}).complete,
            (std::set<Trace>{{"read", "read", "return[4]"}}));
}

TEST_F(Spec, ModifiesWhatALineSays) {
  weave(
      "struct dev { int a, b; } d; int other; char text[4];\n"
      "void change(struct dev *p, int *q);\n"
      "int f(void) { d.a = 1; d.b = 2; other = 3; text[1] = 4; text[3] = 5;\n"
      "  change(&d, &other);\n"
      "  return d.a * 10000 + d.b * 1000 + other * 100 + text[1] * 10 + "
      "text[3]; }\n",
      "assume void change(struct dev *p, int *q) : (return -> STOP)\n"
      "  modifies p->b, text[0..2];\n"
      "verify int f(void) : (return[17375] -> STOP);\n");
  EXPECT_EQ(run(woven_.questions.at(0).entry, {7}).complete,
            (std::set<Trace>{{"return[17375]"}}));
}

TEST_F(Spec, PerformsEventsAroundRoutinesWithAndWithoutBodies) {
  const std::string agon =
      "event open = call dev_open(dev) when (dev != 0);\n"
      "event ok = return dev_open when (result == 0);\n"
      "event bad = return dev_open(d) when (result != 0 && d == 0);\n"
      "verify int f(int x) : (open -> ok -> return[_] -> STOP);\n";
  const std::string f = "int f(int x) { return dev_open(x); }\n";
  weave("int dev_open(int n) { return n == 5; }\n" + f, agon);
  const auto trace = [&](std::uint64_t argument) {
    return *run(woven_.questions.at(0).entry, {0}, {argument}).complete.begin();
  };
  EXPECT_EQ(trace(1), (Trace{"open", "ok", "return[_]"}));
  EXPECT_EQ(trace(0), (Trace{"ok", "return[_]"}));
  EXPECT_EQ(trace(5), (Trace{"open", "return[_]"}));
  for (const std::string prototype :
       {"int dev_open(int);\n", "int dev_open(int, ...);\n"}) {
    weave(prototype + f, agon);  // Without a body it returns 0 here.
    EXPECT_EQ(trace(1), (Trace{"open", "ok", "return[_]"}));
    EXPECT_EQ(trace(0), (Trace{"ok", "return[_]"}));
  }
}

TEST_F(Spec, PutsEventsAroundAssumptions) {
  weave("int rd(int);\nint f(int x) { return rd(x); }\n",
        "assume int rd(int fd) : (read -> return[3] -> STOP);\n"
        "event before = call rd(fd) when (fd == 1);\n"
        "event after = return rd when (result == 3);\n"
        "verify int f(int x) : (before -> STOP);\n");
  EXPECT_EQ(run(woven_.questions.at(0).entry, {0}, {1}).complete,
            (std::set<Trace>{{"before", "read", "after"}}));
}

TEST_F(Spec, UsesTheSpecificationOfATargetWhereItCallsItself) {
  weave(
      "void a(void);\n"
      "int f(int n) { if (n == 0) return 0; a(); return f(n - 1); }\n"
      "int g(int n) { return f(n); }\n",
      "assume void a(void) : (a -> return -> STOP);\n"
      "F = (a -> F | return[0] -> STOP).\n"
      "verify int f(int n) when (n >= 0) : F;\n"
      "verify int g(int n) : (a -> return[_] -> STOP);\n");
  const std::string entry = woven_.questions.at(0).entry;
  EXPECT_EQ(run(entry, {0, 1}, {0}).complete, (std::set<Trace>{{"return[0]"}}));
  // One step by the body, the rest by the specification.
  const Outcomes all = run(entry, {0, 1}, {1}, 4, 5);
  EXPECT_TRUE(all.complete.contains({"a", "return[0]"}));
  EXPECT_TRUE(all.complete.contains({"a", "a", "a", "return[0]"}));
  for (const Trace& each : all.complete) EXPECT_EQ(each.front(), "a");
  // Outside of the guards nothing is promised, which shows.
  const std::string outside = "call outside the guards of f";
  EXPECT_TRUE(is_in_alphabet(*woven_.questions[0].lts, outside));
  weave("int f(int n) { return n == 0 ? 0 : f(-1); }\n",
        "verify int f(int n) when (n >= 0) : (return[0] -> STOP);\n");
  EXPECT_EQ(run(woven_.questions.at(0).entry, {0}, {1}).all,
            (std::set<Trace>{{outside}}));
}

}  // namespace
}  // namespace agon::test
