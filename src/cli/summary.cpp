// SPDX-License-Identifier: Apache-2.0
#include "cli/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace agon::cli {
namespace {

using report::Result;
using support::Verdict;

/// The end of a name tells more than its start.
std::string shortened(const std::string& text, std::size_t width) {
  return text.size() <= width ? text
                              : ".." + text.substr(text.size() - width + 2);
}

std::string file_of(const Result& result) {
  for (const auto& [key, value] : result.extra) {
    if (key == "spec_file") return std::get<std::string>(value);
  }
  return "";
}

}  // namespace

std::string summary(const report::Report& report, double time_s) {
  std::size_t file_width = 4;
  std::size_t target_width = 6;
  std::size_t spec_width = 7;
  std::size_t holds = 0;
  std::size_t violated = 0;
  for (const Result& result : report.results) {
    file_width = std::max(file_width, file_of(result).size());
    target_width = std::max(target_width, result.target.size());
    spec_width = std::max(spec_width, result.spec.size());
    holds += result.verdict == Verdict::Holds ? 1 : 0;
    violated += result.verdict == Verdict::Violated ? 1 : 0;
  }
  // 80 columns without the verdict, the time, and the spaces between.
  constexpr std::size_t kRoom = 80 - 8 - 11 - 8;
  target_width = std::min<std::size_t>(target_width, 20);
  spec_width = std::min<std::size_t>(spec_width, 14);
  file_width = std::min(file_width, kRoom - target_width - spec_width);
  std::string text = "Summary\n";
  for (const Result& result : report.results) {
    text += fmt::format("  {:<{}}  {:<{}}  {:<{}}  {:<8} {:>8.2f} s\n",
                        shortened(file_of(result), file_width), file_width,
                        shortened(result.target, target_width), target_width,
                        shortened(result.spec, spec_width), spec_width,
                        result.verdict ? to_string(*result.verdict) : "",
                        result.time_s);
  }
  return text + fmt::format(
                    "{} questions: {} hold, {} violated, {} unknown; "
                    "{:.1f} s\n",
                    report.results.size(), holds, violated,
                    report.results.size() - holds - violated, time_s);
}

}  // namespace agon::cli
