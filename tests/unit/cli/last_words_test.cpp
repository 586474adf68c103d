// SPDX-License-Identifier: Apache-2.0
#include "cli/last_words.h"

#include <gtest/gtest.h>

#include "cli/session.h"

namespace agon::cli {
namespace {

using support::Verdict;

Learnt after(std::vector<Verdict> verdicts) {
  Learnt learnt;
  for (const Verdict verdict : verdicts) {
    learnt.report.results.emplace_back().verdict = verdict;
  }
  learnt.subject = "second";
  learnt.compared_to = "Spec";
  learnt.untried = {{"third", "Other"}};
  return learnt;
}

TEST(LastWords, AViolationFoundBeforeDecides) {
  const Learnt learnt = after({Verdict::Violated, Verdict::Holds});
  EXPECT_EQ(exit_code(last_report(learnt, "too slow").report),
            ExitCode::Violated);
}

TEST(LastWords, WithoutAViolationNothingIsKnown) {
  const Learnt learnt = after({Verdict::Holds});
  EXPECT_EQ(exit_code(last_report(learnt, "too slow").report),
            ExitCode::Unknown);
}

TEST(LastWords, WhatWasNotTriedIsListed) {
  const LastReport last = last_report(after({Verdict::Holds}), "too slow");
  ASSERT_EQ(last.report.results.size(), 3U);
  EXPECT_EQ(last.report.results[1].target, "second");
  EXPECT_EQ(last.report.results[1].reason, "too slow");
  EXPECT_EQ(last.report.results[2].target, "third");
  EXPECT_EQ(last.report.results[2].spec, "Other");
  EXPECT_EQ(last.report.results[2].verdict, Verdict::Unknown);
  EXPECT_EQ(last.report.results[2].reason, "not tried: too slow");
  EXPECT_EQ(last.text,
            "unknown: too slow\n"
            "third: Other: unknown (not tried: too slow)\n");
}

TEST(LastWords, OnlyTheCertificateIsMissing) {
  Learnt learnt = after({Verdict::Holds});
  learnt.untried.clear();
  learnt.text = "second: Spec: holds\n";
  learnt.answered.emplace();
  learnt.answered->target = "second";
  learnt.answered->verdict = Verdict::Holds;
  const LastReport last = last_report(learnt, "too slow");
  EXPECT_EQ(exit_code(last.report), ExitCode::Holds);
  ASSERT_EQ(last.report.results.size(), 2U);
  EXPECT_EQ(last.report.results[1].target, "second");
  EXPECT_EQ(last.text,
            "second: Spec: holds\n"
            "  no certificate: too slow\n");
}

TEST(LastWords, GivingUpKeepsAViolation) {
  Session session({}, nullptr, 0);
  session.report.results.emplace_back().verdict = Verdict::Violated;
  session.text = "found\n";
  EXPECT_EQ(give_up(session, "out of memory"), ExitCode::Violated);
  EXPECT_EQ(session.report.results.size(), 2U);
  EXPECT_EQ(session.text, "found\nunknown: out of memory\n");
}

}  // namespace
}  // namespace agon::cli
