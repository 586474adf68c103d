// SPDX-License-Identifier: Apache-2.0
#include "report/html.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace agon::report {
namespace {

/// What stands between the script's tags.
std::string data_of(const std::string& html) {
  const std::string open = "id=\"agon-data\">";
  const std::size_t from = html.find(open) + open.size();
  return html.substr(from, html.find("</script>", from) - from);
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t result = 0;
  for (std::size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + 1)) {
    ++result;
  }
  return result;
}

TEST(Html, DataCannotEndTheirElement) {
  Report report;
  Result& result = report.results.emplace_back();
  result.target = "</script><!--<script>&amp;\xe2\x80\xa8\xff\x1b[31m\n\"'\\";
  const std::vector<SourceText> sources{
      {"</script>.c", "</SCRIPT >\r\n", true}};
  const std::string html = to_html(report, sources);
  const std::string empty = to_html({}, {});
  EXPECT_EQ(count(html, "</script"), count(empty, "</script"));
  EXPECT_EQ(count(html, "<!--"), count(empty, "<!--"));
  const std::string data = data_of(html);
  EXPECT_TRUE(std::ranges::all_of(
      data, [](char c) { return c >= ' ' && c < 0x7f && c != '<'; }));
  EXPECT_NE(data.find(R"(\u003c/script\u003e\u003c!--\u003cscript)"),
            std::string::npos);
  EXPECT_NE(data.find(R"(\u2028\ufffd\u001b[31m\n\"'\\)"), std::string::npos);
}

TEST(Html, IsAboutTheFilesThatStepsAndModelsAreIn) {
  Report report;
  Result& result = report.results.emplace_back();
  result.counterexample.emplace();
  for (const char* const file : {"b.c", "a.c", "b.c", ""}) {
    evidence::SourceStep step;
    step.file = file;
    result.counterexample->steps.push_back(step);
  }
  result.models.emplace_back().cuts.push_back({{"c.h", 3}, {}});
  report.assumptions.push_back({"f", true, "why", "d.c", 1});
  EXPECT_EQ(mentioned_files(report, {"main.c"}),
            (std::vector<std::string>{"main.c", "b.c", "a.c", "c.h", "d.c"}));
}

TEST(Html, ALargeModelStaysBelowTenMegabytes) {
  Report report;
  evidence::Model& model = report.results.emplace_back().models.emplace_back();
  model.num_states = 50'000;
  model.cuts.push_back({{"a.c", 1}, {}});
  for (std::uint32_t i = 0; i < 60; ++i) {
    model.predicates.emplace_back("x < 1", "x >= 1");
    model.cuts[0].predicates.push_back(i);
  }
  model.states.assign(50'000, {0, std::vector<bool>(60, true), true});
  model.labels = {"tau"};
  for (std::uint32_t i = 0; i < 200'000; ++i) {
    model.transitions.push_back({i % 50'000, 0, (i * 7) % 50'000});
  }
  EXPECT_LT(to_html(report, {}).size(), 10'000'000U);

  // Three of them have to share the room, and so do long texts, of which each
  // character takes six.
  report.results.resize(3, report.results[0]);
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "// \xc3\xa9\xc3\xa9\xc3\xa9 <&>\n";
  const std::vector<SourceText> sources(8, {"a.c", text, false});
  const std::string html = to_html(report, sources);
  EXPECT_LT(html.size(), 10'000'000U);
  EXPECT_GT(html.size(), 5'000'000U);
  EXPECT_EQ(count(html, "\"num_states\":50000"), 3U);
  EXPECT_GT(count(html, "\"cut\":true"), 0U);
}

/// A path of so many steps, of which every other one is an action.
Counterexample long_path(std::uint32_t steps) {
  Counterexample path;
  for (std::uint32_t i = 0; i < steps; ++i) {
    evidence::SourceStep& step = path.steps.emplace_back();
    step.file = "a.c";
    step.line = i + 1;
    step.text = "x = x + 1 /* and so on, and so on, and so on, and so on */";
    step.values = {{"x", std::to_string(i)}};
    if (i % 2 == 0) continue;
    step.action = "tick";
    path.actions.push_back("tick");
  }
  return path;
}

TEST(Html, ALongPathIsWholeAndAVeryLongOneLosesItsMiddle) {
  Report report;
  report.results.emplace_back().counterexample = long_path(10'000);
  const std::string whole = to_html(report, {});
  EXPECT_LT(whole.size(), 10'000'000U);
  EXPECT_EQ(count(whole, "\"line\":"), 10'000U);
  report.results[0].counterexample = long_path(60'000);
  const std::string cut = to_html(report, {});
  EXPECT_LT(cut.size(), 10'000'000U);
  EXPECT_GT(count(cut, "\"line\":"), 10'000U);
  EXPECT_EQ(count(cut, "\"line\":60000,"), 1U);
  // All actions are accounted for.
  const std::string mark = "\"skipped_actions\":";
  ASSERT_EQ(count(cut, mark), 1U);
  const std::size_t skipped =
      std::stoul(cut.substr(cut.find(mark) + mark.size()));
  EXPECT_EQ(count(cut, "\"action\":\"tick\"") + skipped, 30'000U);
}

}  // namespace
}  // namespace agon::report
