// SPDX-License-Identifier: Apache-2.0
// What is read here may come from anywhere: every value is looked at before it
// is used.
#include "report/recorded.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "evidence/json_guard.h"
#include "support/error.h"

namespace agon::report {
namespace {

using evidence::Recording;
using Json = nlohmann::ordered_json;

constexpr int kMostDepth = 200;
constexpr std::size_t kMostBytes = std::size_t{1} << 28;
constexpr std::size_t kMostValues = 20'000'000;
constexpr std::size_t kMostDigits = 39;  // Of 2^128.

Json to_json(const std::vector<Recording::Cell>& cells) {
  Json result = Json::array();
  std::uint64_t next = 0;
  for (const Recording::Cell& cell : cells) {
    const std::string digits = fmt::format("{:02x}", cell.byte);
    if (result.empty() || cell.address != next) {
      result.push_back(
          {{"address", fmt::format("{:#x}", cell.address)}, {"bytes", digits}});
    } else {
      auto& text = result.back()["bytes"].get_ref<std::string&>();
      text += digits;
    }
    next = cell.address + 1;
  }
  return result;
}

Json to_json(const std::vector<Recording::Named>& values) {
  Json result = Json::array();
  for (const Recording::Named& each : values) {
    result.push_back({{"name", each.name}, {"value", each.value}});
  }
  return result;
}

Json to_json(const Recording::Answer& answer) {
  Json json;
  json["kind"] = to_string(answer.kind);
  json["name"] = answer.name;
  if (!answer.source.empty()) json["source"] = answer.source;
  if (!answer.reason.empty()) json["reason"] = answer.reason;
  if (answer.line != 0) {
    json["file"] = answer.file;
    json["line"] = answer.line;
    json["column"] = answer.column;
  }
  json["values"] = answer.values;
  json["matters"] = answer.matters;
  if (!answer.memory.empty()) json["memory"] = to_json(answer.memory);
  if (!answer.globals.empty()) json["globals"] = to_json(answer.globals);
  return json;
}

/// A value in a document, with the way to it for messages.
class Node {
 public:
  Node(const support::Source& source, const Json& json, std::string way)
      : source_(source), json_(json), way_(std::move(way)) {}

  [[noreturn]] void fail(const std::string& what) const {
    throw support::InputError(
        fmt::format("{}: {}: {}", source_.name(), way_, what));
  }

  bool has(const char* key) const {
    return json_.is_object() && json_.contains(key) && !json_[key].is_null();
  }
  Node operator[](const char* key) const {
    if (!has(key)) fail(fmt::format("there is no '{}'", key));
    return {source_, json_[key], way_ + "." + key};
  }

  std::string text() const {
    if (!json_.is_string()) fail("this is no text");
    auto result = json_.get<std::string>();
    if (result.find('\0') != std::string::npos) fail("this has a zero byte");
    return result;
  }
  std::string text(const char* key) const {
    return has(key) ? (*this)[key].text() : std::string();
  }
  bool flag(const char* key) const {
    if (!has(key)) return false;
    const Node node = (*this)[key];
    if (!node.json_.is_boolean()) node.fail("this is neither true nor false");
    return node.json_.get<bool>();
  }
  std::uint32_t number(const char* key) const {
    if (!has(key)) return 0;
    const Node node = (*this)[key];
    if (!node.json_.is_number_unsigned() ||
        node.json_.get<std::uint64_t>() > UINT32_MAX) {
      node.fail("this is no number that can be here");
    }
    return node.json_.get<std::uint32_t>();
  }
  std::string digits() const {
    std::string result = text();
    if (result.empty() || result.size() > kMostDigits ||
        result.find_first_not_of("0123456789") != std::string::npos) {
      fail("this is no number");
    }
    return result;
  }
  std::uint64_t address() const {
    const std::string digits = text();
    std::uint64_t value = 0;
    const char* const end = digits.data() + digits.size();
    if (!digits.starts_with("0x")) fail("this is no address");
    const auto read = std::from_chars(digits.data() + 2, end, value, 16);
    if (read.ec != std::errc() || read.ptr != end) fail("this is no address");
    return value;
  }

  /// The elements; none if there is no such key.
  template <class Read>
  auto list(const char* key, const Read& read) const {
    std::vector<decltype(read(*this))> result;
    if (!has(key)) return result;
    const Node node = (*this)[key];
    if (!node.json_.is_array()) node.fail("this is no list");
    for (std::size_t i = 0; i < node.json_.size(); ++i) {
      result.push_back(read(
          Node(source_, node.json_[i], fmt::format("{}[{}]", node.way_, i))));
    }
    return result;
  }

 private:
  const support::Source& source_;
  const Json& json_;
  std::string way_;
};

std::string text_of(const Node& node) { return node.text(); }
std::string digits_of(const Node& node) { return node.digits(); }

std::vector<Recording::Cell> read_cells(const Node& parent) {
  std::vector<Recording::Cell> result;
  const auto read = [&](const Node& node) {
    std::uint64_t address = node["address"].address();
    const std::string bytes = node["bytes"].text();
    if (bytes.size() % 2 != 0 ||
        bytes.find_first_not_of("0123456789abcdef") != std::string::npos) {
      node["bytes"].fail("these are no bytes");
    }
    for (std::size_t i = 0; i < bytes.size(); i += 2) {
      unsigned value = 0;
      std::from_chars(bytes.data() + i, bytes.data() + i + 2, value, 16);
      result.push_back({address++, static_cast<std::uint8_t>(value)});
    }
    return 0;
  };
  parent.list("memory", read);
  return result;
}

Recording::Named read_named(const Node& node) {
  return {node["name"].text(), node["value"].digits()};
}

Recording::Kind read_kind(const Node& node) {
  using enum Recording::Kind;
  const std::string name = node.text();
  for (const auto kind : {Choice, Array, Call, Object, Heap, Function}) {
    if (name == to_string(kind)) return kind;
  }
  node.fail("there is no such kind of answer");
}

Recording::Answer read_answer(const Node& node) {
  Recording::Answer answer;
  answer.kind = read_kind(node["kind"]);
  answer.name = node["name"].text();
  answer.source = node.text("source");
  answer.reason = node.text("reason");
  answer.file = node.text("file");
  answer.line = node.number("line");
  answer.column = node.number("column");
  answer.values = node.list("values", digits_of);
  answer.memory = read_cells(node);
  answer.globals = node.list("globals", read_named);
  answer.matters = node.flag("matters");
  return answer;
}

Recording read_recording(const Node& node) {
  Recording recording;
  recording.program_sha256 = node["program_sha256"].text();
  recording.variant.has_library = node.flag("library");
  recording.variant.is_unfolded = node.flag("unfolded");
  recording.entry = node["entry"].text();
  recording.any_state = node.flag("any_state");
  recording.is_branch = node.flag("branch");
  recording.actions = node.list("actions", text_of);
  recording.initial = node.list("initial", read_named);
  recording.memory = read_cells(node);
  recording.answers = node.list("answers", read_answer);
  if (recording.actions.empty()) node.fail("there are no actions");
  return recording;
}

evidence::Interleaving read_interleaving(const Node& node) {
  evidence::Interleaving result;
  result.events = node.list("events", text_of);
  result.components = node.list("components", read_recording);
  if (result.components.empty()) node.fail("there are no components");
  return result;
}

evidence::Inputs read_inputs(const Node& node) {
  const auto file = [](const Node& each) {
    return evidence::Inputs::File{each["name"].text(), each["sha256"].text()};
  };
  evidence::Inputs inputs;
  inputs.files = node.list("files", file);
  if (inputs.files.empty()) node.fail("there are no C files");
  if (node.has("spec")) inputs.spec = file(node["spec"]);
  inputs.arguments = node.list("arguments", text_of);
  inputs.build_directory = node.text("build_directory");
  inputs.data_model = node.text("data_model");
  inputs.overflow_is_error = node.flag("overflow_is_error");
  inputs.volatile_is_input = node.flag("volatile_is_input");
  inputs.malloc_may_fail = node.flag("malloc_may_fail");
  inputs.entry = node.text("entry");
  inputs.api = node.list("api", text_of);
  inputs.callbacks = node.flag("callbacks");
  return inputs;
}

/// Nothing if the result has no violation, or none that was recorded.
std::optional<Recorded> read_result(const Node& root, const Node& node) {
  if (!node.has("counterexample")) return std::nullopt;
  const Node shown = node["counterexample"];
  Recorded result;
  if (shown.has("recording")) {
    result.execution = read_recording(shown["recording"]);
  } else if (shown.has("interleaving")) {
    result.execution = read_interleaving(shown["interleaving"]);
  } else {
    return std::nullopt;
  }
  result.command = root["command"].text();
  result.target = node["target"].text();
  result.spec = node.text("spec");
  result.inputs =
      read_inputs(node.has("inputs") ? node["inputs"] : root["inputs"]);
  return result;
}

Json parse(const support::Source& source) {
  if (source.text().size() > kMostBytes) {
    throw support::InputError(source.name() + ": this is too large");
  }
  evidence::JsonGuard guard(source.name(), kMostDepth, kMostValues);
  try {
    return Json::parse(source.text(),
                       [&](int depth, Json::parse_event_t event, Json& parsed) {
                         return guard.see(depth, event, parsed);
                       });
  } catch (const Json::parse_error& error) {
    source.fail(std::min<std::size_t>(error.byte == 0 ? 0 : error.byte - 1,
                                      source.text().size()),
                "this is no JSON");
  } catch (const Json::exception&) {
    throw support::InputError(source.name() +
                              ": there is a number that is too large");
  }
}

}  // namespace

Json to_json(const evidence::Inputs& inputs) {
  const auto file = [](const evidence::Inputs::File& each) {
    return Json{{"name", each.name}, {"sha256", each.sha256}};
  };
  Json json;
  json["files"] = Json::array();
  for (const auto& each : inputs.files) json["files"].push_back(file(each));
  json["spec"] = inputs.spec.name.empty() ? Json(nullptr) : file(inputs.spec);
  json["arguments"] = inputs.arguments;
  json["build_directory"] = inputs.build_directory;
  json["data_model"] = inputs.data_model;
  json["overflow_is_error"] = inputs.overflow_is_error;
  json["volatile_is_input"] = inputs.volatile_is_input;
  json["malloc_may_fail"] = inputs.malloc_may_fail;
  json["entry"] = inputs.entry;
  json["api"] = inputs.api;
  json["callbacks"] = inputs.callbacks;
  return json;
}

Json to_json(const Recording& recording) {
  Json json;
  json["program_sha256"] = recording.program_sha256;
  json["library"] = recording.variant.has_library;
  json["unfolded"] = recording.variant.is_unfolded;
  json["entry"] = recording.entry;
  json["any_state"] = recording.any_state;
  json["branch"] = recording.is_branch;
  json["actions"] = recording.actions;
  json["initial"] = to_json(recording.initial);
  json["memory"] = to_json(recording.memory);
  json["answers"] = Json::array();
  for (const auto& each : recording.answers) {
    json["answers"].push_back(to_json(each));
  }
  return json;
}

Json to_json(const evidence::Interleaving& interleaving) {
  Json json;
  json["events"] = interleaving.events;
  json["components"] = Json::array();
  for (const Recording& each : interleaving.components) {
    json["components"].push_back(to_json(each));
  }
  return json;
}

std::string schedule(const evidence::Counterexample& counterexample) {
  Json json;
  json["components"] = counterexample.components;
  json["initial"] = Json::object();
  for (const auto& [name, value] : counterexample.initial) {
    json["initial"][name] = value;
  }
  json["actions"] = counterexample.actions;
  json["schedule"] = Json::array();
  for (const evidence::SourceStep& step : counterexample.steps) {
    Json values = Json::object();
    for (const auto& [name, value] : step.values) values[name] = value;
    json["schedule"].push_back(
        {{"component", step.component},
         {"event", step.event != 0 ? Json(step.event) : Json(nullptr)},
         {"action", step.action.empty() ? Json(nullptr) : Json(step.action)},
         {"file", step.file},
         {"line", step.line},
         {"text", step.text},
         {"values", std::move(values)}});
  }
  json["waiting"] = Json::object();
  for (const auto& [component, names] : counterexample.waiting) {
    json["waiting"][component] = names;
  }
  return json.dump(2, ' ', /*ensure_ascii=*/false,
                   Json::error_handler_t::replace) +
         "\n";
}

Recorded read_recorded(const support::Source& source, std::size_t number) {
  const Json json = parse(source);
  const Node root(source, json, "result");
  root["command"].text();
  std::optional<Recorded> found;
  std::size_t count = 0;
  const auto read = [&](const Node& node) {
    ++count;
    const bool is_wanted = number == 0 ? !found : number == count;
    if (is_wanted) found = read_result(root, node);
    return 0;
  };
  root.list("results", read);
  if (found) return *std::move(found);
  throw support::InputError(
      number == 0
          ? source.name() + ": no violation is recorded here"
          : fmt::format("{}: there is no recorded violation with number {}",
                        source.name(), number));
}

}  // namespace agon::report
