// SPDX-License-Identifier: Apache-2.0
#include "report/json.h"

namespace agon::report {
namespace {

Json or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

void add_place(const evidence::Place& place, Json& to) {
  to["file"] = or_null(place.file);
  to["line"] = place.line != 0 ? Json(place.line) : Json(nullptr);
}

void add_component(const std::string& component, Json& to) {
  if (!component.empty()) to["component"] = component;
}

Json to_json(const evidence::SpuriousPlay& play) {
  Json json;
  json["actions"] = play.actions;
  json["conflict"] = play.conflict;
  add_place(play.place, json);
  json["tests"] = Json::array();
  for (const auto& [text, place] : play.tests) {
    Json test = {{"text", text}};
    add_place(place, test);
    json["tests"].push_back(std::move(test));
  }
  add_component(play.component, json);
  return json;
}

Json to_json(const evidence::FoundPredicate& found) {
  Json json = {{"predicate", found.text}};
  add_place(found.place, json);
  add_component(found.component, json);
  return json;
}

Json to_json(const evidence::Iteration& iteration);

template <class T>
Json list(const std::vector<T>& values) {
  Json json = Json::array();
  for (const T& value : values) json.push_back(to_json(value));
  return json;
}

Json to_json(const evidence::Iteration& iteration) {
  return {{"predicates", iteration.predicates},
          {"states", iteration.states},
          {"solver_calls", iteration.solver_calls},
          {"time_s", iteration.time_s},
          {"spurious", list(iteration.spurious)},
          {"found", list(iteration.found)}};
}

}  // namespace

Json to_json(const SpecificationGraph& graph) {
  Json json = {{"initial", graph.initial},
               {"states", graph.num_states},
               {"alphabet", graph.alphabet},
               {"transitions", nullptr}};
  if (!graph.is_complete) return json;
  if (!graph.state_names.empty()) {
    json["names"] = Json::array();
    for (const std::string& name : graph.state_names) {
      json["names"].push_back(or_null(name));
    }
  }
  json["transitions"] = Json::array();
  for (const SpecificationGraph::Transition& t : graph.transitions) {
    json["transitions"].push_back(Json::array({t.from, t.label, t.to}));
  }
  return json;
}

Json to_json(const std::vector<evidence::Iteration>& history) {
  return list(history);
}

Json to_json(const evidence::Model& model) {
  Json json = {{"component", or_null(model.component)},
               {"num_states", model.num_states},
               {"predicates", model.predicates},
               {"labels", model.labels}};
  Json cuts = Json::array();
  for (const evidence::Model::Cut& cut : model.cuts) {
    cuts.push_back(
        Json::array({cut.place.file, cut.place.line, cut.predicates}));
  }
  json["cuts"] = std::move(cuts);
  Json cut_of = Json::array();
  Json values = Json::array();
  Json unexplored = Json::array();
  for (std::size_t i = 0; i < model.states.size(); ++i) {
    const evidence::Model::State& state = model.states[i];
    cut_of.push_back(state.cut);
    std::string bits;
    for (const bool value : state.values) bits += value ? '1' : '0';
    values.push_back(std::move(bits));
    if (!state.is_explored) unexplored.push_back(i);
  }
  json["cut_of"] = std::move(cut_of);
  json["values"] = std::move(values);
  json["unexplored"] = std::move(unexplored);
  Json transitions = Json::array();
  for (const evidence::Model::Transition& t : model.transitions) {
    for (const std::uint32_t number : {t.from, t.label, t.to}) {
      transitions.push_back(number);
    }
  }
  json["transitions"] = std::move(transitions);
  return json;
}

}  // namespace agon::report
