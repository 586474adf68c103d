// SPDX-License-Identifier: Apache-2.0
#include "report/html.h"

#include <algorithm>

#include "report/json.h"
#include "support/error.h"

namespace agon::report {
namespace {

/// JSON inside of HTML: nothing in it can look like markup. In JSON these
/// characters occur in strings only.
std::string escaped(const std::string& json) {
  std::string result;
  result.reserve(json.size() + json.size() / 16);
  for (const char c : json) {
    switch (c) {
      case '<':
        result += "\\u003c";
        break;
      case '>':
        result += "\\u003e";
        break;
      case '&':
        result += "\\u0026";
        break;
      default:
        result += c;
    }
  }
  return result;
}

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
  Json json = as_json(report);
  for (std::size_t i = 0; i < report.results.size(); ++i) {
    const Result& result = report.results[i];
    Json& shown = json["results"][i];
    for (const evidence::Model& model : result.models) {
      shown["models"].push_back(to_json(model));
    }
    if (result.counterexample && !result.counterexample->components.empty()) {
      shown["counterexample"]["components"] = result.counterexample->components;
    }
  }
  json["sources"] = Json::array();
  for (const SourceText& source : sources) {
    json["sources"].push_back(
        {{"name", source.name}, {"text", source.text}, {"cut", source.is_cut}});
  }
  const std::string data = escaped(json.dump(-1, ' ', /*ensure_ascii=*/true,
                                             Json::error_handler_t::replace));
  constexpr std::string_view kMark = "@agon-data@";
  const std::string_view page = page_text();
  const std::size_t at = page.find(kMark);
  AGON_ASSERT(at != std::string_view::npos);
  std::string html;
  html.reserve(page.size() + data.size());
  html += page.substr(0, at);
  html += data;
  html += page.substr(at + kMark.size());
  return html;
}

}  // namespace agon::report
