// SPDX-License-Identifier: Apache-2.0
// Mistakes: each is an InputError at the right place, and soon.
#include <gtest/gtest.h>

#include <chrono>

#include "unit/fsp/fixture.h"

namespace agon::fsp {
namespace {

using test::error;

struct Case {
  std::string text;
  std::string place;    ///< "line:column".
  std::string message;  ///< A part of it.
};

void expect_errors(const std::vector<Case>& cases) {
  for (const Case& expected : cases) {
    SCOPED_TRACE(expected.text.substr(0, 200));
    const std::string found = error(expected.text);
    EXPECT_EQ(found.substr(0, expected.place.size() + 1), expected.place + ":")
        << found;
    EXPECT_NE(found.find(expected.message), std::string::npos) << found;
  }
}

TEST(FspError, Words) {
  expect_errors({
      {"P = (a -> P).\n  $", "2:3", "no meaning"},
      {"P = (a -> P). /* x", "1:15", "never closed"},
      {"import P = \"x\n", "1:12", "never closed"},
      {"const N = 08\nP = (a -> P).", "1:11", "octal"},
      {"const N = 0x\nP = (a -> P).", "1:11", "hexadecimal"},
      {"const N = 12ab\nP = (a -> P).", "1:11", "not a number"},
      {"const N = 99999999999999999999", "1:11", "too large"},
      {"\xff", "1:1", "no meaning"},
  });
}

TEST(FspError, Syntax) {
  expect_errors({
      {"P = (a -> P)", "1:13", "'.' at the end"},
      {"P = (a P).", "1:8", "'->' after an action, but found the name 'P'"},
      {"P = (a -> when (1) b -> P).", "1:11", "only the first action"},
      {"P = a -> P.", "1:5", "expected a process"},
      {"P (a -> P).", "1:4", "name of a parameter"},
      {"P == (a -> P).", "1:3", "'=' after"},
      {"P = (Q -> P).", "1:6", "not a set"},
      {"P = (a -> P)\\{Q}.", "1:15", "not a set"},
      {"P = (a -> P)\\Q.", "1:14", "'Q' is not a set that was declared above"},
      {"||C = P || Q.", "1:9", "'.' at the end"},
      {"||C = a:.", "1:9", "name of a process"},
      {"p = (a -> p).", "1:1", "expected a definition"},
      {"range R = 1", "1:12", "'..'"},
      {"compose P = (a -> P).", "1:1", "'compose' is only"},
      {"minimal minimal P = (a -> P).", "1:9", "here already"},
      {"P = (a[i:3] -> P).", "1:11", "'..' in the range of 'i'"},
      {"P = (a -> P)/{a}.", "1:16", "'/'"},
      {"||C = forall P.", "1:14", "range in brackets"},
  });
}

TEST(FspError, WhatIsNotSupported) {
  expect_errors({
      {"P = (a -> P).\nassert A = []a", "2:1", "FLTL"},
      {"fluent F = <a, b>", "1:1", "FLTL"},
      {" constraint C = a", "1:2", "FLTL"},
      {"animation A = \"x\"", "1:1", "not supported"},
      {"P = (tau -> P).", "1:6", "silent"},
      {"P = (a.tau -> P).", "1:8", "silent"},
  });
  support::Context context;
  ParseOptions options;
  options.allow_import = false;
  EXPECT_THROW(
      Model::parse(support::Source::from_string("t", "import P = \"x\""),
                   context, options),
      support::InputError);
}

TEST(FspError, Definitions) {
  expect_errors({
      {"P = STOP.\nP = STOP.", "2:1", "already defined on line 1"},
      {"P = STOP.\n||P = ().", "2:3", "already defined on line 1"},
      {"const N = 1\nrange N = 0..1", "2:7", "already defined"},
      {"progress A = {a}\nprogress A = {a}", "2:10", "already defined"},
      {"P(N=1, N=2) = STOP.", "1:8", "already defined"},
      {"STOP = (a -> STOP).", "1:1", "predefined"},
      {"||END = ().", "1:3", "predefined"},
      {"P = (a -> ERROR), ERROR = STOP.", "1:19", "predefined"},
      {"P = (a -> A), A = STOP, A = STOP.", "1:25", "defined twice"},
      {"P = A[0], A[i:0..1] = STOP, A[1] = STOP.", "1:29",
       "'A.1' is defined twice"},
      {"", "1:1", "no process"},
      {"range R = 2..1\nP = STOP.", "1:7", "2..1 is empty"},
      {"const N = M\nconst M = 1", "1:11", "'M' is not defined"},
  });
}

TEST(FspError, Expressions) {
  expect_errors({
      {"const N = 1 / 0", "1:13", "divides by zero"},
      {"const N = 1 % (2 - 2)", "1:13", "divides by zero"},
      {"const N = 9223372036854775807 + 1", "1:31", "too large"},
      {"const N = (0 - 9223372036854775807 - 1) / (0 - 1)", "1:41",
       "too large"},
      {"const N = 4294967296 * 4294967296", "1:22", "too large"},
      {"const N = (1 << 63)", "1:14", "too large"},
      {"const N = (1 << -1)", "1:14", "shifted by -1"},
      {"const N = (1 >> 64)", "1:14", "shifted by 64"},
      {"const N = -(0 - 9223372036854775807 - 1)", "1:11", "too large"},
      {"P = (a[i] -> P).", "1:8", "'i' is not bound"},
      {"P = (a[N] -> P).", "1:7", "'N' is not defined"},
      {"const Size = 1\nP = (a[Siz + 1] -> P).", "2:8", "mean 'Size'"},
      {"range R = 0..1\nP = (a[R + 1] -> P).", "2:8", "is a range"},
      {"P = (when ('a + 1) b -> P).", "1:15", "label 'a'"},
      {"P = (when ('a) b -> P).", "1:12", "label 'a'"},
      {"const N = '{a, b}", "1:11", "2 labels"},
      {"const N = @({a}, 1)", "1:18", "out of range"},
  });
}

TEST(FspError, Labels) {
  expect_errors({
      {"P = (a[3..2] -> P).", "1:7", "3..2 is empty"},
      {"P = (a[i:0..1][j:i..2] -> P).", "1:18", "'i' is not bound"},
      {"P = (a[i:0..1][i:0..1] -> P).", "1:16", "'i' is bound already"},
      {"P = (a[i:0..1] -> b[i:0..1] -> P).", "1:21", "'i' is bound already"},
      {"P = (when (i) a[i:0..1] -> P).", "1:12", "'i' is not bound"},
      {"P = (a[i:R] -> P).", "1:8", "not a range or set"},
      {"P = A[0], A[i:0..1][j:i..1] = STOP.", "1:23", "'i' is not bound"},
  });
}

TEST(FspError, Processes) {
  expect_errors({
      {"P = P.", "1:5", "not guarded"},
      {"P = A, A = B,\nB = A.", "2:5", "not guarded"},
      {"E = END.\nP = E; P.\n||C = P.", "2:8", "not guarded"},
      {"P = A[0], A[i:0..1] = A[1 - i].", "1:23", "not guarded"},
      {"P = P; END.", "1:5", "in sequence with itself"},
      {"A = (a -> A).\nP = A; END.\n||C = P.", "2:5", "never reaches END"},
      {"P = Q; END.", "1:5", "no process 'Q'"},
      {"PIPE = STOP.\n||C = (PIP || PIPE).", "2:8", "mean 'PIPE'"},
      {"P(N=1) = STOP.\n||C = P(1, 2).", "2:7", "1 parameters, but 2"},
      {"P = STOP.\n||C = P(1).", "2:7", "0 parameters, but 1"},
      {"property P = (a -> P | a -> STOP).", "1:10", "not deterministic"},
      {"property P = (a -> b -> P)\\{b}.", "1:10", "not deterministic"},
  });
}

TEST(FspError, TheNameOfTheWantedProcess) {
  const std::string text = "PIPE(N=1) = (a[N] -> PIPE). ||Q = PIPE.";
  EXPECT_EQ(error(text, "PIPER"),
            "1:1: 'test.lts' defines no process 'PIPER'; did you mean 'PIPE'?");
  EXPECT_EQ(error(text, "DEFAULT"),
            "1:1: 'test.lts' defines no process 'DEFAULT'");
  EXPECT_EQ(error(text, "PIPE(1, 2)"),
            "1:1: 'PIPE' has 1 parameters, but 2 arguments are given");
  EXPECT_EQ(error(text, "PIPE(1 / 0)"), "1:8: this divides by zero");
  EXPECT_EQ(error(text, "PIPE("),
            "1:6: expected an expression, but found the end of the file");
  EXPECT_EQ(error(text, "PIPE Q"),
            "1:6: expected nothing after the process, but found the name 'Q'");
  EXPECT_EQ(error(text, "PIPE(3)"), "no error");
}

/// Runs what could explode, and checks that it does not.
void expect_too_large(const std::string& text, const std::string& message) {
  SCOPED_TRACE(text.substr(0, 200));
  const auto start = std::chrono::steady_clock::now();
  const std::string found = error(text);
  EXPECT_NE(found.find(message), std::string::npos) << found;
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
}

TEST(FspError, Explosions) {
  const std::string large = "expands to more than";
  expect_too_large("P = (a[0..2000000000] -> P).", large);
  expect_too_large(
      "range R = 0..999999\nP = (a[i:R] -> b[j:R] -> c[i][j] -> P).", large);
  expect_too_large("P = (a[0..9999][0..9999][0..9999] -> P).", large);
  expect_too_large("P = (a[-9223372036854775807-1..9223372036854775807] -> P).",
                   large);
  expect_too_large("P(N=1000000000) = A[0], A[i:0..N] = (a -> A[i]).", large);
  expect_too_large("set S = {a[0..9999]}\nset T = {S.S.S}\nP = STOP.", large);
  expect_too_large("P = STOP. ||C = forall [i:0..1000000000] P.", large);
  expect_too_large("P = STOP. ||C = a[0..1000000000]:P.", large);
  expect_too_large(
      "||R(K=60) = if (K == 0) then () else (R(K - 1) || R(K - 1)).", large);
  expect_too_large("||R(K=0) = (R(K + 1) || R(K + 1)).", "does this recursion");
  expect_too_large("P(N=0) = P(N + 1); END.", "does this recursion end");
  expect_too_large("P(N='a) = P('[N].[N]); END.", "longer than");
  expect_too_large(
      "P = (a -> P | a -> STOP). ||C = forall [i:0..60] (P || i[i]:P).",
      "a single step on 'a'");
  expect_too_large("P = (x -> P). ||C = p[1..5000]:P.",
                   "this composes more than 4096");
}

TEST(FspError, LimitsOfTheContextApply) {
  support::Limits limits;
  limits.max_states = 100;
  EXPECT_EQ(error("P = (a[0..99] -> P).", "", limits),
            "1:6: this expands to more than 100 labels, states and "
            "transitions");
  limits = {};
  limits.time = std::chrono::milliseconds(50);
  EXPECT_NE(error("P = (a[i:0..999] -> b[j:0..999] -> c[i] -> P).", "", limits)
                .find("time limit"),
            std::string::npos);
}

std::string repeat(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

TEST(FspError, DeepNesting) {
  const int deep = 100'000;
  const std::string message = "levels deep";
  expect_too_large("const N = " + repeat("(", deep), message);
  expect_too_large("const N = " + repeat("!", deep), message);
  expect_too_large("const N = " + repeat("1+(", deep), message);
  expect_too_large("const N = " + repeat("#{a[", deep), message);
  expect_too_large("P = " + repeat("(a -> ", deep), message);
  expect_too_large("P = " + repeat("if 1 then ", deep), message);
  expect_too_large("||C = " + repeat("(", deep), message);
  expect_too_large("||C = " + repeat("forall [0..1] ", deep), message);
  expect_too_large("||C = " + repeat("if 1 then ", deep), message);
  expect_too_large("set S = " + repeat("{", deep), message);
  expect_too_large("P = (" + repeat("[{", deep), message);
  expect_too_large("P = STOP/{" + repeat("forall [0..1] {", deep), message);
  expect_too_large("P = (a" + repeat(".a", deep) + " -> P).", "500 parts");
}

TEST(FspError, LabelsInIndicesOfLongLabelsNeedNoStack) {
  // Each level is a label of 400 parts, the last of which has the next one.
  const std::string head = "'a" + repeat("[1]", 400) + "[";
  expect_too_large("const N = " + repeat(head, 150) + "1" + repeat("]", 150),
                   "longer than");
}

}  // namespace
}  // namespace agon::fsp
