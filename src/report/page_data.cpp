// SPDX-License-Identifier: Apache-2.0
#include "report/page_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "report/json.h"
#include "report/specification.h"

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

std::string written(const Json& json) {
  return escaped(json.dump(-1, ' ', /*ensure_ascii=*/true,
                           Json::error_handler_t::replace));
}

/// The first states of a model, and what happens among them.
evidence::Model smaller(const evidence::Model& model, std::size_t states) {
  evidence::Model result = model;
  result.states.resize(states);
  std::erase_if(result.transitions, [&](const auto& transition) {
    return transition.from >= states || transition.to >= states;
  });
  return result;
}

std::optional<Json> fitting(const evidence::Model& model, std::size_t most) {
  Json json = to_json(model);
  for (std::size_t n = model.states.size() / 2; written(json).size() > most;
       n /= 2) {
    if (n == 0) return std::nullopt;
    json = to_json(smaller(model, n));
  }
  return json;
}

/// The beginning of a source, up to the end of a line.
std::optional<Json> fitting(const SourceText& source, std::size_t most) {
  std::string text = source.text;
  bool is_cut = source.is_cut;
  for (;;) {
    Json json = {{"name", source.name}, {"text", text}, {"cut", is_cut}};
    const std::size_t size = written(json).size();
    if (size <= most) return json;
    const std::size_t fewer = text.size() * most / size;
    const std::size_t end = text.rfind('\n', fewer);
    if (fewer == 0 || end == std::string::npos || end >= text.size()) {
      return std::nullopt;
    }
    text.resize(end);
    is_cut = true;
  }
}

/// Leaves out the middle of a path. What stands there instead says how many
/// actions are performed meanwhile, so that the rest can be followed.
void shorten(const Counterexample& path, std::size_t most, Json& shown) {
  const std::size_t count = path.steps.size();
  if (count <= most) return;
  const std::vector<std::size_t> done = performed(path);
  const std::size_t head = most / 2;
  const std::size_t tail = count - most / 2;
  Json steps = Json::array();
  const Json::array_t& all = shown["steps"].get_ref<Json::array_t&>();
  for (std::size_t i = 0; i < head; ++i) steps.push_back(all[i]);
  steps.push_back({{"file", nullptr},
                   {"line", 0},
                   {"text", fmt::format("{} steps are not shown", tail - head)},
                   {"action", nullptr},
                   {"values", Json::object()},
                   {"skipped_actions", done[tail - 1] - done[head - 1]}});
  for (std::size_t i = tail; i < count; ++i) steps.push_back(all[i]);
  shown["steps"] = std::move(steps);
}

/// Without what only programs want to know.
Json told(const Report& report) {
  Json json = as_json(report);
  json.erase("inputs");
  for (std::size_t i = 0; i < report.results.size(); ++i) {
    json["results"][i].erase("inputs");
    const auto& path = report.results[i].counterexample;
    if (!path) continue;
    Json& shown = json["results"][i]["counterexample"];
    shown.erase("recording");
    shown.erase("interleaving");
    if (!path->components.empty()) shown["components"] = path->components;
  }
  return json;
}

/// Makes what is told about results smaller than that, as far as possible.
Json told_in(const Report& report, std::size_t most) {
  constexpr std::size_t kFewSteps = 200;
  Json json = told(report);
  std::size_t size = written(json).size();
  if (size <= most) return json;
  std::size_t longest = 0;
  for (const Result& result : report.results) {
    if (!result.counterexample) continue;
    longest = std::max(longest, result.counterexample->steps.size());
  }
  for (Json& result : json["results"]) {
    if (!result.contains("history")) continue;
    for (Json& iteration : result["history"]) {
      iteration["spurious"] = Json::array();
    }
  }
  const Json whole = json;
  while ((size = written(json).size()) > most && longest > kFewSteps) {
    // As if steps were all there is; otherwise the next time.
    longest =
        std::max(kFewSteps, std::min(longest * 9 / 10, longest * most / size));
    for (std::size_t i = 0; i < report.results.size(); ++i) {
      if (!report.results[i].counterexample) continue;
      Json& shown = json["results"][i]["counterexample"];
      shown = whole["results"][i]["counterexample"];
      shorten(*report.results[i].counterexample, longest, shown);
    }
  }
  return json;
}

}  // namespace

std::string page_data(const Report& report, std::span<const SourceText> sources,
                      std::size_t most_bytes) {
  Json json = told_in(report, most_bytes / 2);
  const std::size_t size = written(json).size();
  std::size_t left = most_bytes - std::min(size, most_bytes);
  json["sources"] = Json::array();
  std::size_t for_sources = left / 2;
  for (const SourceText& source : sources) {
    auto shown = fitting(source, for_sources);
    if (!shown) continue;
    const std::size_t used = written(*shown).size();
    for_sources -= used;
    left -= used;
    json["sources"].push_back(std::move(*shown));
  }
  std::size_t models = 0;  // That are still to come, and share what is left.
  for (const Result& result : report.results) models += result.models.size();
  for (std::size_t i = 0; i < report.results.size(); ++i) {
    for (const evidence::Model& model : report.results[i].models) {
      auto shown = fitting(model, left / models--);
      if (!shown) continue;
      left -= written(*shown).size();
      json["results"][i]["models"].push_back(std::move(*shown));
    }
  }
  return written(json);
}

}  // namespace agon::report
