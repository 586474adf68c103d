// SPDX-License-Identifier: Apache-2.0
#include "report/archive.h"

#include <gtest/gtest.h>

#include <string>

#include "report/junit.h"

namespace agon::report {
namespace {

Work full_work() {
  Work work;
  work.exit_code = 1;
  work.text = std::string("text\0\xff", 6);
  work.error = "error";
  work.messages = {{1, "note"}, {2, "warning"}};
  Report& report = work.report;
  report.command = "check";
  report.extra = {{"one", std::size_t{1}}, {"two", true}};
  report.assumptions = {{"read", true, "why", "a.c", 3}};
  Result& result = report.results.emplace_back();
  result.target = "t\xfc";
  result.spec = "s";
  result.file = "f.c";
  result.line = 12;
  result.verdict = support::Verdict::Violated;
  result.decided_by = "trace";
  result.iterations = 3;
  result.predicates = {"x < 1"};
  result.solver_calls = 0;
  result.time_s = 0.1;
  result.extra = {{"list", std::vector<std::string>{"a", "b"}},
                  {"text", std::string("c")}};
  Counterexample& shown = result.counterexample.emplace();
  shown.actions = {"a", "b"};
  shown.allowed.emplace();
  shown.initial = {{"n", "4"}};
  shown.steps.push_back({.file = "f.c",
                         .line = 7,
                         .text = "x = 1",
                         .action = "a",
                         .is_technical = true,
                         .is_return = true,
                         .values = {{"x", "1"}},
                         .component = "c",
                         .event = 2});
  shown.strategy = {{"a", {1}}, {"b", {}}};
  shown.waiting = {{"c", {"d", "e"}}};
  return work;
}

TEST(Archive, LosesNothing) {
  const Work work = full_work();
  const auto again = unpack_work(pack(work));
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(pack(*again), pack(work));
  EXPECT_EQ(again->text, work.text);
  EXPECT_EQ(again->messages, work.messages);
  EXPECT_EQ(to_json(again->report, nullptr), to_json(work.report, nullptr));
  const Result& result = again->report.results.at(0);
  EXPECT_EQ(result.target, "t\xfc");
  EXPECT_EQ(result.line, 12);
  EXPECT_EQ(result.counterexample->allowed->size(), 0);
  EXPECT_FALSE(result.states.has_value());
  EXPECT_TRUE(result.counterexample->steps.at(0).is_return);
  EXPECT_EQ(result.counterexample->steps.at(0).event, 2);
}

TEST(Archive, RefusesOtherBytes) {
  const std::string bytes = pack(full_work());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(unpack_work(std::string_view(bytes).substr(0, size)));
  }
  EXPECT_FALSE(unpack_answer(bytes));
  EXPECT_FALSE(unpack_work("garbage"));
}

TEST(Junit, HoldsAnyText) {
  EXPECT_EQ(xml_text("<a b=\"&\">"), "&#60;a b=&#34;&#38;&#34;&#62;");
  EXPECT_EQ(xml_text(std::string_view("\0\x1b\xff", 3)),
            "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
}

}  // namespace
}  // namespace agon::report
