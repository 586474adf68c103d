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

TEST_F(Spec, ListsAssumptionsAtTheirLines) {
  weave("void do_a(void);\nint proc(void) { do_a(); return 3; }\n",
        "\nassume void do_a(void) : (a -> return -> STOP);\n"
        "verify int proc(void) : (a -> STOP);\n");
  ASSERT_EQ(program_->assumptions.size(), 1U);
  const ir::Assumption& listed = program_->assumptions[0];
  EXPECT_EQ(listed.subject, "do_a");
  EXPECT_EQ(listed.position.line, 2U);
  EXPECT_EQ(listed.position.column, 13U);
  EXPECT_TRUE(
      program_->files[listed.position.file.index()].ends_with("test.agon"));
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
  ASSERT_EQ(woven_.guard_checks.size(), 2U);
  const GuardCheck& check = woven_.guard_checks[0];
  EXPECT_TRUE(check.must_be_complete);
  EXPECT_TRUE(check.must_be_exclusive);
  EXPECT_FALSE(woven_.questions.at(0).covers_all_entries);
  const auto found = [&](std::uint64_t argument) {
    return *run(check.entry, {0}, {argument}).complete.begin();
  };
  EXPECT_EQ(found(0), Trace{GuardCheck::covered(0)});
  EXPECT_EQ(found(1), (Trace{GuardCheck::kOverlap, GuardCheck::covered(0),
                             GuardCheck::covered(1)}));
  EXPECT_EQ(found(2), Trace{GuardCheck::kIncomplete});
  EXPECT_EQ(found(4), Trace{GuardCheck::covered(2)});
}

// One guard of a `verify` need be neither; but it may hold for no call.
TEST_F(Spec, TellsWhichCallsAGuardCovers) {
  weave("int f(int x) { return x; }\n",
        "P = (return[0] -> STOP).\n"
        "verify int f(int x) when (x > 5) : P;\n");
  ASSERT_EQ(woven_.guard_checks.size(), 1U);
  const GuardCheck& check = woven_.guard_checks[0];
  EXPECT_FALSE(check.must_be_complete);
  EXPECT_FALSE(check.must_be_exclusive);
  EXPECT_EQ(woven_.questions.at(0).guards, check.entry);
  EXPECT_EQ(*run(check.entry, {0}, {6}).complete.begin(),
            Trace{GuardCheck::covered(0)});
  EXPECT_EQ(*run(check.entry, {0}, {5}).complete.begin(), Trace{});
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
  const std::string agon =
      "assume void change(struct dev *p, int *q) : (return -> STOP)\n"
      "  modifies p->b, text[0..2];\n"
      "verify int f(void) : (return[0] -> STOP | return[1] -> STOP);\n";
  const auto returns = [&](const std::string& condition) {
    weave(
        "struct dev { int a, b; } d; int other; char text[4];\n"
        "void change(struct dev *p, int *q);\n"
        "int f(void) { d.a = 1; d.b = 2; other = 3; text[1] = 4; text[3] = 5;\n"
        "  change(&d, &other); return " +
            condition + "; }\n",
        agon);
    return run(woven_.questions.at(0).entry, {0, 1, 7}, {}, 6, 6).complete;
  };
  const std::set<Trace> always{{"return[1]"}};
  const std::set<Trace> sometimes{{"return[0]"}, {"return[1]"}};
  EXPECT_EQ(returns("d.a == 1 && other == 3 && text[3] == 5"), always);
  EXPECT_EQ(returns("d.b == 7"), sometimes);
  EXPECT_EQ(returns("text[1] == 7"), sometimes);
  EXPECT_EQ(returns("text[1] == 4 && text[0] == 7"), sometimes);
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
  // Others call the body.
  EXPECT_EQ(run(woven_.questions.at(1).entry, {0, 1}, {0}).complete,
            (std::set<Trace>{{"return[_]"}}));
  // Outside of the guards nothing is promised, which shows.
  const std::string outside = "call outside the guards of f";
  EXPECT_TRUE(is_in_alphabet(*woven_.questions[0].lts, outside));
  weave("int f(int n) { return n == 0 ? 0 : f(-1); }\n",
        "verify int f(int n) when (n >= 0) : (return[0] -> STOP);\n");
  EXPECT_EQ(run(woven_.questions.at(0).entry, {0}, {1}).all,
            (std::set<Trace>{{outside}}));
}

TEST_F(Spec, KeepsTheOrderOfActionsWhereATargetCallsItself) {
  weave(
      "void a(void), b(void), c(void);\n"
      "void f(int n) { if (n) f(0); else { a(); c(); } }\n"
      "int g(int n) { if (n) return g(0); a(); return 7; }\n",
      "assume void a(void) : (a -> return -> STOP);\n"
      "assume void b(void) : (b -> return -> STOP);\n"
      "assume void c(void) : (c -> return -> STOP);\n"
      "verify void f(int n) : (a -> c -> return -> STOP);\n"
      "verify int g(int n) : (a -> STOP) + {b, c};\n");
  std::set<Trace> without_b;
  bool has_b = false;
  for (Trace trace : run(woven_.questions.at(0).entry, {0, 1}, {1}).complete) {
    // The specification does not speak of b, which may happen at any time.
    has_b = std::erase(trace, "b") > 0 || has_b;
    without_b.insert(trace);
  }
  EXPECT_EQ(without_b, (std::set<Trace>{{"a", "c", "return"}}));
  EXPECT_TRUE(has_b);
  // That of g does not speak of returns.
  EXPECT_EQ(run(woven_.questions.at(1).entry, {0, 1}, {1}).complete,
            (std::set<Trace>{{}, {"a"}}));
}

TEST_F(Spec, KnowsWhatARecursiveCallChanges) {
  weave(
      "static int count; int other, list[2]; int *where;\n"
      "void f(int n) { count = n; if (n > 0) f(n - 1); }\n"
      "void g(int n) { where = &other; list[n] = n; if (n > 0) g(n - 1); }\n"
      "int pure(int n) { return n > 0 ? pure(n - 1) : other; }\n"
      "int get(void) { return count; }\nvoid outside(void);\n"
      "void h(int n) { outside(); if (n > 0) h(n - 1); }\n",
      "verify void f(int n) : (return -> STOP);\n"
      "verify void g(int n) : (return -> STOP);\n"
      "verify int pure(int n) : (return[_] -> STOP);\n"
      "verify void h(int n) : (return -> STOP);\n");
  const auto changed = [&](const std::string& own) {
    std::set<std::string> result;
    const ir::Function& function = (*program_)[*program_->find_function(own)];
    for (const ir::Edge& edge : function.body.edges()) {
      if (const auto* havoc = std::get_if<ir::Havoc>(&edge.statement)) {
        const ir::Variable& variable = (*program_)[havoc->target];
        if (variable.kind == ir::VariableKind::Global) {
          result.insert(variable.display);
        }
      } else if (const auto* call = std::get_if<ir::Call>(&edge.statement)) {
        const ir::Function& callee = (*program_)[call->callee];
        if (!callee.is_action) result.insert("what " + callee.name + " does");
      }
    }
    return result;
  };
  EXPECT_EQ(changed("__agon_own_0"), (std::set<std::string>{"count"}));
  EXPECT_EQ(changed("__agon_own_1"),
            (std::set<std::string>{"where", "what __agon_effects_1 does"}));
  EXPECT_EQ(changed("__agon_own_2"), std::set<std::string>{});
  EXPECT_EQ(
      changed("__agon_own_3"),
      (std::set<std::string>{"count", "where", "what __agon_effects_3 does"}));
}

TEST_F(Spec, ReplacesMutualRecursion) {
  weave(
      "void a(void);\nint odd(int);\n"
      "int even(int n) { a(); return n == 0 ? 1 : odd(n - 1); }\n"
      "int odd(int n) { return n == 0 ? 0 : even(n - 1); }\n",
      "assume void a(void) : (a -> return -> STOP);\n"
      "Even = (a -> Rest), Rest = (a -> Rest | return[0..1] -> STOP).\n"
      "verify int even(int n) : Even;\n"
      "verify int odd(int n) : (return[0..1] -> STOP);\n");
  const Outcomes all = run(woven_.questions.at(0).entry, {0, 1}, {3});
  // odd's specification says nothing of a, so that it may happen.
  EXPECT_TRUE(all.complete.contains({"a", "return[0..1]"}));
  EXPECT_TRUE(all.complete.contains({"a", "a", "return[0..1]"}));
}

TEST_F(Spec, FindsTheFileOfARoutine) {
  weave(
      std::vector<std::string>{
          "int rd(int);\nint f(int x) { return rd(x); }\n",
          "enum { LIMIT = 3 };\ntypedef struct { int n; } hidden;\n"
          "static hidden state;\n"
          "static int g(hidden *p) { return p->n; }\n"
          "int h(int x) { state.n = x; return g(&state); }\n"},
      "assume int rd(int fd) : (return[7] -> STOP);\n"
      "event low = call g(p) when (p->n < LIMIT);\n"
      "verify int h(int x) : (low -> return{result == state.n} -> STOP);\n"
      "verify int f(int x) : (return[7] -> STOP);\n");
  EXPECT_EQ(run(woven_.questions.at(0).entry, {0}, {1}).complete,
            (std::set<Trace>{{"low", "return{result == state.n}"}}));
  EXPECT_EQ(run(woven_.questions.at(0).entry, {0}, {3}).complete,
            (std::set<Trace>{{"return{result == state.n}"}}));
  EXPECT_EQ(run(woven_.questions.at(1).entry, {0}, {3}).complete,
            (std::set<Trace>{{"return[7]"}}));
}

TEST_F(Spec, WinsOverWhatTheLanguageKnows) {
  weave("int abs(int);\nint f(int x) { return abs(x) + __builtin_abs(x); }\n",
        "assume int abs(int n) : (abs -> return[-5] -> STOP);\n"
        "verify int f(int x) : (abs -> return[-10] -> STOP);\n");
  EXPECT_EQ(run(woven_.questions.at(0).entry, {0}, {1}).complete,
            (std::set<Trace>{{"abs", "abs", "return[-10]"}}));
}

TEST_F(Spec, CallsRoutinesThatNoFileDeclares) {
  weave("f(x) int x; { step(x); return step(x + 1); }\n",
        "assume int step(int n) when (n > 1) : (more -> return[2] -> STOP)\n"
        "  otherwise : (less -> return[3] -> STOP);\n"
        "verify int f(int x) : (less -> more -> return[2] -> STOP);\n");
  EXPECT_EQ(run(woven_.questions.at(0).entry, {0}, {1}).complete,
            (std::set<Trace>{{"less", "more", "return[2]"}}));
}

TEST_F(Spec, ImportsWhatConcernsTheProgram) {
  write("library.agon",
        "import \"test.agon\"\n"  // A circle does no harm.
        "const Limit = 4\n"
        "Take = (take -> return[0..Limit] -> STOP).\n"
        "assume int take(int n) : Take;\n"
        "assume missing_type not_there(void) : Take;\n"
        "verify int g(int x) : Take;\n"
        "assume int other(int n) : (never -> return[0] -> STOP);\n");
  weave(
      "int take(int), other(int);\n"
      "int f(int x) { return other(x) + take(x); }\n",
      "import \"library.agon\"\n"
      "assume int other(int n) : (other -> return[1] -> STOP);\n"
      "verify int f(int x) : (other -> take -> return[1..Limit + 1] -> "
      "STOP);\n");
  ASSERT_EQ(woven_.questions.size(), 1U);
  EXPECT_EQ(run(woven_.questions.at(0).entry, {0, 4, 5}, {1}).complete,
            (std::set<Trace>{{"other", "take", "return[1..5]"}}));
}

TEST_F(Spec, DescribesTheLibrary) {
  weave(
      "#include <errno.h>\n#include <fcntl.h>\n#include <pthread.h>\n"
      "#include <stdio.h>\n#include <string.h>\n#include <unistd.h>\n"
      "pthread_mutex_t m;\n"
      "int f(int x) {\n"
      "  char text[4] = {1, 1, 1, 1};\n"
      "  pthread_mutex_lock(&m);\n"
      "  int fd = open(\"x\", O_RDONLY);\n"
      "  if (fd >= 0 && read(fd, text, 2) == 2) { close(fd); }\n"
      "  pthread_mutex_unlock(&m);\n"
      "  return text[0] * 100 + text[1] * 10 + text[2];\n"
      "}\n",
      "import \"std.agon\"\n"
      "verify int f(int x) : (pthread_mutex_lock -> open -> return[_] -> "
      "STOP);\n");
  const Outcomes all = run(woven_.questions.at(0).entry, {0, 2}, {0}, 9, 9);
  EXPECT_TRUE(
      all.complete.contains({"pthread_mutex_lock", "open", "read", "close",
                             "pthread_mutex_unlock", "return[_]"}));
  EXPECT_TRUE(all.complete.contains(
      {"pthread_mutex_lock", "open", "pthread_mutex_unlock", "return[_]"}));
}

TEST_F(Spec, ReadsPrograms) {
  const spec::Specification all = load(
      "Agree = (x.out -> Agree).\n"
      "verify program Handshake = client || server : Agree;\n"
      "verify program Ring = x:node || y:node / {x.out/y.in}\n"
      "  when (id == 0; f(1, 2)) : deadlock-free;\n"
      "verify program Both = (x:node || y:node) / {a/b, c[1]/d.e} : Agree;\n");
  ASSERT_EQ(all.programs().size(), 3U);
  const auto& hand = all.programs()[0];
  EXPECT_EQ(hand.definition.components.at(1).routine, "server");
  EXPECT_NE(hand.lts, nullptr);
  const spec::ProgramDef& ring = all.programs()[1].definition;
  EXPECT_TRUE(ring.deadlock_free);
  EXPECT_EQ(ring.components.at(0).label, "x");
  EXPECT_TRUE(ring.components.at(0).relabels.empty());
  EXPECT_TRUE(ring.components.at(1).relabels.empty());
  EXPECT_EQ(ring.relabels.at(0).new_label, "x.out");
  EXPECT_EQ(ring.relabels.at(0).old_label, "y.in");
  EXPECT_EQ(ring.guards.at(1).text, "f(1, 2)");
  const spec::ProgramDef& both = all.programs()[2].definition;
  EXPECT_EQ(both.relabels.size(), 2U);
  EXPECT_EQ(both.relabels.at(1).new_label, "c.1");
}

TEST_F(Spec, ShowsTheExample) {
  const std::string folder = AGON_SOURCE_DIR "/examples/";
  const spec::Specification specification =
      spec::load(folder + "send.agon", context_);
  frontend::Options options;
  options.fragments = specification.fragments();
  const std::vector<std::string> files{folder + "send.c"};
  program_.emplace(frontend::lower(files, options, context_));
  woven_ = spec::weave(*program_, specification);
  const Question& question = woven_.questions.at(0);
  EXPECT_EQ(question.spec, "Send");
  const Outcomes all = run(question.entry, {0, 1, 2}, {2}, 8, 8);
  EXPECT_TRUE(all.complete.contains({"return[-1]"}));
  EXPECT_TRUE(
      all.complete.contains({"lock", "send", "send", "unlock", "return[0]"}));
  for (const Trace& trace : all.complete) {
    EXPECT_TRUE(allows(*question.lts, trace));
  }
}

}  // namespace
}  // namespace agon::test
