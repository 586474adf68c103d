// SPDX-License-Identifier: Apache-2.0
#include "report/report.h"

#include "evidence/essential.h"
#include "report/json.h"
#include "report/recorded.h"
#include "report/version.h"

namespace agon::report {
namespace {

Json or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

void add_extra(
    Json& json,
    const std::vector<std::pair<std::string, Result::Value>>& extra) {
  for (const auto& [key, value] : extra) {
    std::visit([&, &name = key](const auto& v) { json[name] = v; }, value);
  }
}

/// Nodes are referred to by index, so that shared parts are not repeated.
Json to_json(const StrategyTree& tree) {
  Json nodes = Json::array();
  for (const StrategyTree::Node& node : tree.nodes) {
    nodes.push_back({{"implementation", node.implementation},
                     {"specification", node.specification},
                     {"challenge", node.challenge},
                     {"to", node.moved_to},
                     {"responses", node.responses},
                     {"allowed", node.allowed}});
  }
  return {{"root", 0}, {"nodes", nodes}};
}

Json to_json(const std::vector<evidence::StrategyNode>& strategy) {
  Json nodes = Json::array();
  for (const evidence::StrategyNode& node : strategy) {
    nodes.push_back(
        {{"specification", node.specification
                               ? Json(std::to_string(*node.specification))
                               : Json(nullptr)},
         {"challenge", node.challenge},
         {"responses", node.children},
         {"allowed", node.allowed}});
  }
  return {{"root", 0}, {"nodes", nodes}};
}

Json to_json(const evidence::SourceStep& step) {
  Json values = Json::object();
  for (const auto& [name, value] : step.values) values[name] = value;
  Json json = {{"file", or_null(step.file)},
               {"line", step.line},
               {"text", step.text},
               {"action", or_null(step.action)},
               {"values", std::move(values)}};
  if (step.call.line != 0) {
    json["call"] = {{"file", step.call.file}, {"line", step.call.line}};
  }
  if (!evidence::is_essential(step)) json["hidden"] = true;
  if (!step.component.empty()) {
    json["component"] = step.component;
    json["event"] = step.event != 0 ? Json(step.event) : Json(nullptr);
  }
  return json;
}

Json to_json(const Counterexample& counterexample) {
  Json json;
  json["actions"] = counterexample.actions;
  if (counterexample.allowed) json["allowed"] = *counterexample.allowed;
  json["tree"] =
      counterexample.tree ? to_json(*counterexample.tree) : Json(nullptr);
  if (!counterexample.strategy.empty()) {
    json["tree"] = to_json(counterexample.strategy);
  }
  if (!counterexample.more_trees.empty()) {
    json["more_trees"] = Json::array();
    for (const StrategyTree& tree : counterexample.more_trees) {
      json["more_trees"].push_back(to_json(tree));
    }
  }
  if (!counterexample.specification_states.empty()) {
    json["specification_states"] = counterexample.specification_states;
  }
  if (counterexample.formula) json["formula"] = *counterexample.formula;
  if (!counterexample.dialogue.empty()) {
    json["dialogue"] = counterexample.dialogue;
  }
  if (!counterexample.steps.empty()) {
    json["initial"] = Json::object();
    for (const auto& [name, value] : counterexample.initial) {
      json["initial"][name] = value;
    }
    json["steps"] = Json::array();
    for (const evidence::SourceStep& step : counterexample.steps) {
      json["steps"].push_back(to_json(step));
    }
  }
  if (counterexample.recording) {
    json["recording"] = report::to_json(*counterexample.recording);
  }
  if (counterexample.interleaving) {
    json["interleaving"] = report::to_json(*counterexample.interleaving);
  }
  if (!counterexample.waiting.empty()) {
    json["waiting"] = Json::object();
    for (const auto& [component, names] : counterexample.waiting) {
      json["waiting"][component] = names;
    }
  }
  return json;
}

Json to_json(const Result& result) {
  Json json;
  json["target"] = result.target;
  json["spec"] = or_null(result.spec);
  json["verdict"] = result.verdict
                        ? Json(std::string(to_string(*result.verdict)))
                        : Json(nullptr);
  json["decided_by"] = or_null(result.decided_by);
  json["reason"] = or_null(result.reason);
  if (result.iterations) json["iterations"] = *result.iterations;
  if (result.predicates) json["predicates"] = *result.predicates;
  json["states"] = result.states ? Json(*result.states) : Json(nullptr);
  if (result.solver_calls) json["solver_calls"] = *result.solver_calls;
  json["time_s"] = result.time_s;
  json["counterexample"] =
      result.counterexample ? to_json(*result.counterexample) : Json(nullptr);
  if (result.specification) {
    json["specification"] = to_json(*result.specification);
  }
  if (!result.history.empty())
    json["history"] = report::to_json(result.history);
  add_extra(json, result.extra);
  if (result.inputs) json["inputs"] = report::to_json(*result.inputs);
  return json;
}

Json to_json(const ReportedAssumption& assumption) {
  Json json;
  json["routine"] =
      assumption.is_routine ? Json(assumption.subject) : Json(nullptr);
  json["construct"] =
      assumption.is_routine ? Json(nullptr) : Json(assumption.subject);
  json["why"] = assumption.why;
  json["file"] = or_null(assumption.file);
  json["line"] = assumption.line != 0 ? Json(assumption.line) : Json(nullptr);
  return json;
}

}  // namespace

Json as_json(const Report& report) {
  Json json;
  json["agon"] = kVersion;
  json["command"] = report.command;
  add_extra(json, report.extra);
  json["results"] = Json::array();
  for (const Result& result : report.results) {
    json["results"].push_back(to_json(result));
  }
  json["assumptions"] = Json::array();
  for (const ReportedAssumption& assumption : report.assumptions) {
    json["assumptions"].push_back(to_json(assumption));
  }
  if (report.inputs) json["inputs"] = to_json(*report.inputs);
  return json;
}

std::string to_json(const Report& report,
                    const support::Statistics* statistics) {
  Json json = as_json(report);
  if (statistics != nullptr) json["statistics"] = *statistics;
  return json.dump(2, ' ', /*ensure_ascii=*/false,
                   Json::error_handler_t::replace) +
         "\n";
}

}  // namespace agon::report
