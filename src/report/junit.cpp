// SPDX-License-Identifier: Apache-2.0
#include "report/junit.h"

#include <fmt/format.h>

#include <iterator>
#include <map>

#include "support/utf8.h"

namespace agon::report {
namespace {

using support::Verdict;

/// Tests of one specification file, or of the whole run.
struct Suite {
  std::string cases;
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t errors = 0;
  double time_s = 0;
};

std::string extra_text(const Result& result, std::string_view name) {
  for (const auto& [key, value] : result.extra) {
    if (key != name) continue;
    if (const auto* const text = std::get_if<std::string>(&value)) return *text;
  }
  return "";
}

std::string explanation(const Counterexample& counterexample) {
  std::string text =
      fmt::format("actions: {}\n", fmt::join(counterexample.actions, ", "));
  if (counterexample.allowed) {
    text += fmt::format("allowed instead of the last: {}\n",
                        fmt::join(*counterexample.allowed, ", "));
  }
  constexpr std::size_t kMostLines = 200;
  std::size_t lines = 0;
  for (const evidence::SourceStep& step : counterexample.steps) {
    if (step.line == 0 || (step.is_technical && step.action.empty())) continue;
    if (++lines > kMostLines) return text + "...\n";
    text += fmt::format("{}:{}: {}{}\n", step.file, step.line,
                        step.action.empty() ? "" : "--> ", step.text);
  }
  return text;
}

void add(const Result& result, Suite& suite) {
  ++suite.tests;
  suite.time_s += result.time_s;
  const std::string guard = extra_text(result, "guard");
  auto out = std::back_inserter(suite.cases);
  fmt::format_to(out,
                 "    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"",
                 xml_text(result.target),
                 xml_text(fmt::format("{}: {}{}", result.target, result.spec,
                                      guard.empty() ? "" : " if " + guard)),
                 result.time_s);
  if (!result.file.empty()) {
    fmt::format_to(out, " file=\"{}\" line=\"{}\"", xml_text(result.file),
                   result.line);
  }
  if (result.verdict == Verdict::Violated) {
    ++suite.failures;
    fmt::format_to(
        out,
        ">\n      <failure type=\"violated\" message=\"{}\">{}"
        "</failure>\n    </testcase>\n",
        xml_text(fmt::format("{} is violated", result.spec)),
        xml_text(result.counterexample ? explanation(*result.counterexample)
                                       : ""));
  } else if (result.verdict == Verdict::Unknown) {
    ++suite.errors;
    fmt::format_to(out,
                   ">\n      <error type=\"unknown\" message=\"{}\"/>\n"
                   "    </testcase>\n",
                   xml_text(result.reason));
  } else {
    suite.cases += "/>\n";
  }
}

}  // namespace

std::string xml_text(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const support::Utf8Piece piece = support::take_utf8(text);
    // XML has neither control characters nor the last two of a plane.
    const char32_t c = piece.character;
    const bool is_allowed = piece.is_valid && (c >= 0x20 || c == '\n') &&
                            c != 0x7f && c != 0xfffe && c != 0xffff;
    if (!is_allowed) {
      result += support::kReplacement;
    } else if (c == '<' || c == '>' || c == '&' || c == '"' || c == '\n') {
      result += fmt::format("&#{};", static_cast<unsigned>(c));
    } else {
      result += piece.bytes;
    }
  }
  return result;
}

std::string to_junit(const Report& report) {
  std::map<std::string, Suite> suites;
  Suite all;
  for (const Result& result : report.results) {
    if (!result.verdict) continue;
    const std::string file = extra_text(result, "spec_file");
    add(result, suites[file.empty() ? "agon " + report.command : file]);
  }
  std::string text;
  for (const auto& [name, suite] : suites) {
    text += fmt::format(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" "
        "time=\"{:.3f}\">\n{}  </testsuite>\n",
        xml_text(name), suite.tests, suite.failures, suite.errors, suite.time_s,
        suite.cases);
    all.tests += suite.tests;
    all.failures += suite.failures;
    all.errors += suite.errors;
    all.time_s += suite.time_s;
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites name=\"agon\" tests=\"{}\" failures=\"{}\" errors=\"{}\" "
      "time=\"{:.3f}\">\n{}</testsuites>\n",
      all.tests, all.failures, all.errors, all.time_s, text);
}

}  // namespace agon::report
