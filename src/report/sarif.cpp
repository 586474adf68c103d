// SPDX-License-Identifier: Apache-2.0
#include "report/sarif.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "report/specification.h"
#include "report/version.h"
#include "support/digest.h"

namespace agon::report {
namespace {

using Json = nlohmann::ordered_json;
using evidence::SourceStep;
using support::Verdict;

// What GitHub accepts.
constexpr std::size_t kMostResults = 25'000;
constexpr std::size_t kMostSteps = 10'000;
constexpr std::size_t kLongestText = 2'000;
constexpr std::size_t kMostStates = 10;  // Of a specification, at one step.

struct Rule {
  const char* id;
  const char* name;
  const char* text;
  const char* help;
  const char* level;
  const char* tag;  ///< Besides "verification"; may be null.
};

enum RuleIndex : std::size_t { kConformance, kError, kDeadlock, kUndecided };

constexpr std::array kRules = {
    Rule{"agon/conformance", "Conformance",
         "The code does something that its specification does not allow.",
         "The path shows an execution up to the first action that is not "
         "allowed, with the values that lead there.",
         "error", nullptr},
    Rule{"agon/error", "ReachableError",
         "An assertion can fail, or an error routine can be called.",
         "The path shows an execution that ends in the error, with the values "
         "that lead there.",
         "error", "external/cwe/cwe-617"},
    Rule{"agon/deadlock", "Deadlock",
         "Components can wait for each other for ever.",
         "The path shows what the components do until none of them can go on.",
         "error", "external/cwe/cwe-833"},
    Rule{"agon/undecided", "Undecided",
         "It could not be decided whether the code conforms.",
         "More time or memory, or a more detailed specification of the "
         "routines that are called, may help.",
         "note", nullptr},
};

/// Messages may have links and placeholders, and text of the user's must not
/// become one.
std::string plain(std::string_view text) {
  std::string result;
  const std::string_view shown = text.substr(0, kLongestText);
  const bool has_link = shown.find("](") != std::string_view::npos;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const char c = shown[i];
    const bool is_placeholder = c == '{' && i + 1 < shown.size() &&
                                shown[i + 1] >= '0' && shown[i + 1] <= '9';
    if (c == '[' && has_link) result += '\\';
    if (is_placeholder) result += '{';
    result += c;
  }
  return shown.size() < text.size() ? result + "..." : result;
}

Json message(std::string_view text) {
  return {{"text", plain(text.empty() ? " " : text)}};
}

/// A path as a part of a URI.
std::string encoded(std::string_view path) {
  constexpr std::string_view kKept = "-._~/!$&'()*+,;=@";
  std::string result;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                         (c >= '0' && c <= '9') ||
                         kKept.find(c) != std::string_view::npos;
    result += is_kept ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return result;
}

/// The path of a file below the root, or empty if it lies elsewhere.
std::string below(const std::string& file, const std::string& root) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path full = fs::absolute(file, error).lexically_normal();
  const std::string relative =
      full.lexically_relative(fs::path(root).lexically_normal())
          .generic_string();
  return error || relative.empty() || relative.starts_with("..") ? ""
                                                                 : relative;
}

class Writer {
 public:
  Writer(const Report& report, const SarifOptions& options)
      : report_(report), options_(options) {}

  Json document() {
    Json results = Json::array();
    for (const Result& result : report_.results) {
      if (results.size() == kMostResults) break;
      if (result.verdict == Verdict::Violated) results.push_back(shown(result));
      if (result.verdict == Verdict::Unknown) {
        results.push_back(undecided(result));
      }
    }
    Json run;
    run["tool"]["driver"] = driver();
    run["originalUriBaseIds"]["%SRCROOT%"] = {
        {"description", message("The directory of the sources.")}};
    run["columnKind"] = "utf16CodeUnits";
    run["invocations"] = Json::array({invocation()});
    run["results"] = std::move(results);
    run["properties"] = {{"command", report_.command}, {"holds", holds()}};
    return {{"$schema",
             "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/"
             "schemas/sarif-schema-2.1.0.json"},
            {"version", "2.1.0"},
            {"runs", Json::array({std::move(run)})}};
  }

 private:
  static Json driver() {
    Json rules = Json::array();
    for (const Rule& rule : kRules) {
      Json tags = {"verification"};
      if (rule.tag != nullptr) tags.push_back(rule.tag);
      rules.push_back(
          {{"id", rule.id},
           {"name", rule.name},
           {"shortDescription", message(rule.text)},
           {"fullDescription", message(rule.text)},
           {"help", message(rule.help)},
           {"defaultConfiguration", {{"level", rule.level}}},
           {"properties",
            {{"tags", tags},
             {"precision", "very-high"},
             {"problem.severity", rule.level == std::string_view("error")
                                      ? "error"
                                      : "recommendation"}}}});
    }
    return {{"name", "agon"},
            {"semanticVersion", kVersion},
            {"version", kVersion},
            {"rules", std::move(rules)}};
  }

  Json invocation() const {
    Json notes = Json::array();
    for (const ReportedAssumption& each : report_.assumptions) {
      Json note = {{"level", "note"},
                   {"message", message(fmt::format("Assumed: {}: {}",
                                                   each.subject, each.why))}};
      if (each.line != 0) {
        note["locations"] = Json::array({location(each.file, each.line)});
      }
      notes.push_back(std::move(note));
    }
    return {{"executionSuccessful", options_.exit_code <= 1},
            {"exitCode", options_.exit_code},
            {"toolExecutionNotifications", std::move(notes)}};
  }

  Json holds() const {
    Json names = Json::array();
    for (const Result& result : report_.results) {
      if (result.verdict == Verdict::Holds) {
        names.push_back(fmt::format("{}: {}", result.target, result.spec));
      }
    }
    return names;
  }

  Json location(const std::string& file, std::size_t line) const {
    const std::string relative = below(file, options_.root);
    Json artifact;
    if (relative.empty()) {
      artifact["uri"] = "file://" + encoded(std::filesystem::absolute(file)
                                                .lexically_normal()
                                                .generic_string());
    } else {
      artifact["uri"] = encoded(relative);
      artifact["uriBaseId"] = "%SRCROOT%";
    }
    Json place = {{"artifactLocation", std::move(artifact)}};
    if (line != 0) place["region"] = {{"startLine", line}};
    return {{"physicalLocation", std::move(place)}};
  }

  /// In the program if it can be said there, else in the specification.
  static evidence::Place place_of(const SourceStep& step) {
    const bool is_in_c = !step.file.ends_with(".agon");
    return is_in_c || step.call.line == 0
               ? evidence::Place{step.file, step.line}
               : step.call;
  }

  static bool has_place(const SourceStep& step) {
    const evidence::Place place = place_of(step);
    return place.line != 0 && !place.file.empty() &&
           !place.file.starts_with('<');
  }

  static bool is_in_c(const SourceStep& step) {
    return has_place(step) && !place_of(step).file.ends_with(".agon");
  }

  /// Where it goes wrong: the last step in C, if there is any.
  static const SourceStep* culprit(const Counterexample& counterexample) {
    const auto& steps = counterexample.steps;
    for (auto it = steps.rbegin(); it != steps.rend(); ++it) {
      if (is_in_c(*it) && !it->is_technical) return &*it;
    }
    return nullptr;
  }

  RuleIndex rule_of(const Result& result) const {
    if (!result.counterexample->waiting.empty() ||
        result.spec == "deadlock-free") {
      return kDeadlock;
    }
    return result.spec == "no error" ? kError : kConformance;
  }

  static std::string sentence(const Result& result, RuleIndex rule) {
    const Counterexample& shown = *result.counterexample;
    const std::string last =
        shown.actions.empty() ? "" : " '" + shown.actions.back() + "'";
    if (rule == kDeadlock) {
      return fmt::format("{}: the components are stuck.", result.target);
    }
    if (rule == kError) {
      return fmt::format("{}: an error can be reached here.", result.target);
    }
    const std::string instead =
        !shown.allowed || shown.allowed->empty()
            ? "nothing"
            : fmt::format("{}", fmt::join(*shown.allowed, ", "));
    return fmt::format("{}: {} does not allow{} here; allowed: {}.",
                       result.target, result.spec,
                       last.empty() ? " this" : last, instead);
  }

  Json shown(const Result& result) {
    if (!result.counterexample) return bare(result, kConformance, "violated");
    const Counterexample& counterexample = *result.counterexample;
    const RuleIndex rule = rule_of(result);
    Json json = bare(result, rule, sentence(result, rule));
    const SourceStep* const where = culprit(counterexample);
    if (where != nullptr) {
      const evidence::Place place = place_of(*where);
      json["locations"] = Json::array({location(place.file, place.line)});
    }
    json["partialFingerprints"] = fingerprints(
        result, rule, where != nullptr ? where->text : std::string());
    Json threads = thread_flows(result);
    if (!threads.empty()) {
      const std::string title =
          fmt::format("counterexample, {} steps", counterexample.steps.size());
      json["codeFlows"] = Json::array(
          {{{"message", message(title)}, {"threadFlows", std::move(threads)}}});
    }
    json["properties"] = {{"actions", counterexample.actions}};
    return json;
  }

  Json undecided(const Result& result) {
    Json json = bare(result, kUndecided,
                     fmt::format("{}: {}: not decided: {}.", result.target,
                                 result.spec, result.reason));
    json["partialFingerprints"] = fingerprints(result, kUndecided, "");
    return json;
  }

  Json bare(const Result& result, RuleIndex rule, const std::string& text) {
    Json json = {{"ruleId", kRules.at(rule).id},
                 {"ruleIndex", static_cast<std::size_t>(rule)},
                 {"level", kRules.at(rule).level},
                 {"message", message(text)}};
    if (!result.file.empty()) {
      json["locations"] = Json::array({location(result.file, result.line)});
    }
    return json;
  }

  /// The same violation keeps its fingerprint when code around it changes.
  Json fingerprints(const Result& result, RuleIndex rule,
                    const std::string& statement) {
    support::Digest digest;
    digest.add(kRules.at(rule).id).add(result.target).add(result.spec);
    digest.add(below(result.file, options_.root)).add(statement);
    for (const auto& [key, value] : result.extra) {
      if (key == "guard") digest.add(std::get<std::string>(value));
    }
    if (result.counterexample && !result.counterexample->actions.empty()) {
      digest.add(result.counterexample->actions.back());
    }
    const std::string hash = digest.text().substr(0, 16);
    const std::string value = fmt::format("{}:{}", hash, ++seen_[hash]);
    return {{"agonQuestion/v1", value}, {"primaryLocationLineHash", value}};
  }

  /// When each step happens: after what its component has done before, and
  /// together with those that perform the same event.
  static std::vector<std::size_t> order_of(
      const std::vector<SourceStep>& steps) {
    std::vector<std::size_t> order(steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) order[i] = i + 1;
    std::map<std::size_t, std::size_t> events;
    for (bool changes = true; changes;) {
      changes = false;
      std::map<std::string, std::size_t> last;
      for (std::size_t i = 0; i < steps.size(); ++i) {
        std::size_t& before = last[steps[i].component];
        std::size_t now = std::max(order[i], before + 1);
        if (steps[i].event != 0) {
          std::size_t& together = events[steps[i].event];
          changes = changes || now > together;
          now = together = std::max(now, together);
        }
        changes = changes || now != order[i];
        before = order[i] = now;
      }
    }
    return order;
  }

  /// Where the specification can be after each step; empty where it cannot be
  /// said.
  static std::vector<std::string> followed(const Result& result) {
    std::vector<std::string> after;
    for (const std::size_t count : performed(*result.counterexample)) {
      after.push_back(states_after(result, count));
    }
    return after;
  }

  static std::string states_after(const Result& result, std::size_t actions) {
    const auto& states = result.counterexample->specification_states;
    if (!result.specification || result.specification->transitions.empty() ||
        actions >= states.size()) {
      return "";
    }
    if (states[actions].empty()) return "none";
    std::vector<std::string> names;
    for (const std::uint32_t state : states[actions]) {
      if (names.size() == kMostStates) break;
      names.push_back(result.specification->name(state));
    }
    return fmt::format("{}", fmt::join(names, " or "));
  }

  /// One for each component, in the order in which they come.
  Json thread_flows(const Result& result) {
    const std::vector<SourceStep>& all = result.counterexample->steps;
    const std::vector<std::size_t> kept = few_enough(all);
    const std::vector<std::string> specification = followed(result);
    std::vector<SourceStep> steps;
    for (const std::size_t i : kept) steps.push_back(all[i]);
    const std::vector<std::size_t> order = order_of(steps);
    std::vector<std::string> names;
    std::map<std::string, Json> threads;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const std::string& name =
          steps[i].component.empty() ? result.target : steps[i].component;
      if (!threads.contains(name)) {
        names.push_back(name);
        threads[name] = Json::array();
        if (names.size() == 1) add_initial(result, threads[name]);
      }
      threads[name].push_back(
          flow_location(steps[i], order[i], specification[kept[i]]));
    }
    Json flows = Json::array();
    for (const std::string& name : names) {
      flows.push_back({{"id", name}, {"locations", threads[name]}});
    }
    return flows;
  }

  void add_initial(const Result& result, Json& flow) const {
    const auto& initial = result.counterexample->initial;
    if (initial.empty() || result.file.empty()) return;
    Json place = location(result.file, result.line);
    place["message"] = message("start");
    flow.push_back({{"executionOrder", 0},
                    {"importance", "important"},
                    {"state", state(initial)},
                    {"location", std::move(place)}});
  }

  static Json state(
      const std::vector<std::pair<std::string, std::string>>& values) {
    Json json = Json::object();
    for (const auto& [name, value] : values) json[name] = message(value);
    return json;
  }

  Json flow_location(const SourceStep& step, std::size_t order,
                     const std::string& specification) const {
    const evidence::Place at = place_of(step);
    Json place = has_place(step) ? location(at.file, at.line) : Json::object();
    place["message"] =
        message(step.action.empty() || step.action == step.text
                    ? step.text
                    : fmt::format("{}: {}", step.action, step.text));
    Json json = {{"executionOrder", order},
                 {"importance", !step.action.empty() ? "essential"
                                : step.is_technical  ? "unimportant"
                                                     : "important"}};
    Json values = state(step.values);
    if (!specification.empty() && !values.contains("spec")) {
      values["spec"] = message(specification);
    }
    if (!values.empty()) json["state"] = std::move(values);
    json["location"] = std::move(place);
    return json;
  }

  /// The numbers of the steps to show: without those that the source has not,
  /// and without the middle of a long path.
  static std::vector<std::size_t> few_enough(
      const std::vector<SourceStep>& steps) {
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const bool is_shown = !steps[i].action.empty() ||
                            (!steps[i].is_technical && is_in_c(steps[i]));
      if (is_shown) kept.push_back(i);
    }
    constexpr std::size_t kMost = kMostSteps - 1;  // One is the start.
    if (kept.size() > kMost) {
      const auto half = static_cast<std::ptrdiff_t>(kMost / 2);
      kept.erase(kept.begin() + half, kept.end() - half);
    }
    return kept;
  }

  const Report& report_;
  const SarifOptions& options_;
  std::map<std::string, std::size_t> seen_;
};

}  // namespace

std::string to_sarif(const Report& report, const SarifOptions& options) {
  return Writer(report, options)
             .document()
             .dump(2, ' ', /*ensure_ascii=*/false,
                   Json::error_handler_t::replace) +
         "\n";
}

}  // namespace agon::report
