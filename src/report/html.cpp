// SPDX-License-Identifier: Apache-2.0
#include "report/html.h"

#include <algorithm>

#include "report/page_data.h"
#include "support/error.h"

namespace agon::report {
namespace {

constexpr std::size_t kMostBytes = 9'900'000;  // Of a page.

void note(std::vector<std::string>& names, const std::string& name) {
  if (!name.empty() && std::ranges::count(names, name) == 0) {
    names.push_back(name);
  }
}

void note_history(std::vector<std::string>& names, const Result& result) {
  for (const evidence::Iteration& iteration : result.history) {
    for (const auto& found : iteration.found) note(names, found.place.file);
    for (const auto& play : iteration.spurious) note(names, play.place.file);
  }
  for (const evidence::Model& model : result.models) {
    for (const auto& cut : model.cuts) note(names, cut.place.file);
  }
}

}  // namespace

std::vector<std::string> mentioned_files(
    const Report& report, const std::vector<std::string>& first) {
  std::vector<std::string> names;
  for (const std::string& name : first) note(names, name);
  for (const Result& result : report.results) {
    if (result.counterexample) {
      for (const auto& step : result.counterexample->steps) {
        note(names, step.file);
      }
    }
    note_history(names, result);
  }
  for (const auto& assumption : report.assumptions) {
    note(names, assumption.file);
  }
  return names;
}

std::string to_html(const Report& report, std::span<const SourceText> sources) {
  constexpr std::string_view kMark = "@agon-data@";
  const std::string_view page = page_text();
  const std::size_t at = page.find(kMark);
  AGON_ASSERT(at != std::string_view::npos);
  const std::string data = page_data(report, sources, kMostBytes - page.size());
  std::string html;
  html.reserve(page.size() + data.size());
  html += page.substr(0, at);
  html += data;
  html += page.substr(at + kMark.size());
  return html;
}

}  // namespace agon::report
