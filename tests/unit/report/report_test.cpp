// SPDX-License-Identifier: Apache-2.0
#include "report/report.h"

#include <gtest/gtest.h>

#include <string>

namespace agon::report {
namespace {

TEST(Report, EscapesAndReplacesWhatJsonCannotHold) {
  Report report;
  report.command = "lts check";
  Result& result = report.results.emplace_back();
  result.target = "a\"b\\c\n";
  result.verdict = support::Verdict::Violated;
  result.counterexample.emplace().actions = {"gr\xfc\xdf"};
  const std::string json = to_json(report, nullptr);
  EXPECT_NE(json.find(R"("target": "a\"b\\c\n")"), std::string::npos);
  EXPECT_NE(json.find("gr\xef\xbf\xbd\xef\xbf\xbd"), std::string::npos);
  EXPECT_EQ(json.find("statistics"), std::string::npos);
  EXPECT_EQ(json.back(), '\n');
}

TEST(Report, IncludesStatisticsIfGiven) {
  const support::Statistics statistics{{"game.positions", 7}};
  EXPECT_NE(to_json({}, &statistics).find("\"game.positions\": 7"),
            std::string::npos);
}

TEST(Report, TellsRoutinesFromConstructs) {
  Report report;
  report.assumptions = {{"read", true, "has no body", "a.c", 3},
                        {"floating point", false, "arbitrary", "", 0}};
  std::string json = to_json(report, nullptr);
  std::erase_if(json, [](char c) { return c == '\n' || c == ' '; });
  EXPECT_NE(json.find(R"({"routine":"read","construct":null,)"
                      R"("why":"hasnobody","file":"a.c","line":3})"),
            std::string::npos);
  EXPECT_NE(json.find(R"({"routine":null,"construct":"floatingpoint",)"
                      R"("why":"arbitrary","file":null,"line":null})"),
            std::string::npos);
}

}  // namespace
}  // namespace agon::report
