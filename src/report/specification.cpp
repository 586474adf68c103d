// SPDX-License-Identifier: Apache-2.0
#include "report/specification.h"

#include <memory>
#include <set>

namespace agon::report {
namespace {

constexpr std::size_t kMostTransitions = 5'000;
constexpr std::size_t kMostStates = 100'000;  // Along a counterexample.

SpecificationGraph describe(const lts::Lts& spec) {
  SpecificationGraph graph;
  graph.initial = spec.initial().value();
  graph.num_states = spec.num_states();
  for (const lts::Label label : spec.alphabet()) {
    graph.alphabet.push_back(spec.labels()->name(label));
  }
  graph.is_complete = spec.num_transitions() <= kMostTransitions;
  if (!graph.is_complete) return graph;
  for (std::uint32_t s = 0; s < spec.num_states(); ++s) {
    for (const lts::Transition t : spec.out(lts::State(s))) {
      graph.transitions.push_back(
          {s, spec.labels()->name(t.label), t.target.value()});
    }
  }
  return graph;
}

}  // namespace

Responder::States Responder::closure(States states) const {
  std::set<std::uint32_t> seen(states.begin(), states.end());
  while (!states.empty()) {
    const lts::State state(states.back());
    states.pop_back();
    for (const lts::Transition t : spec_.out(state)) {
      if (t.label == lts::kTau && seen.insert(t.target.value()).second) {
        states.push_back(t.target.value());
      }
    }
  }
  return {seen.begin(), seen.end()};
}

Responder::States Responder::after(const States& states,
                                   const std::string& action) const {
  const auto label = spec_.labels()->find(action);
  std::set<std::uint32_t> result;
  for (const std::uint32_t state : closure(states)) {
    for (const lts::Transition t : spec_.out(lts::State(state))) {
      if (label && t.label == *label) result.insert(t.target.value());
    }
  }
  return {result.begin(), result.end()};
}

std::vector<std::string> Responder::allowed(const States& states) const {
  std::set<std::string> names;
  for (const std::uint32_t state : closure(states)) {
    for (const lts::Transition t : spec_.out(lts::State(state))) {
      if (t.label != lts::kTau) names.insert(spec_.labels()->name(t.label));
    }
  }
  return {names.begin(), names.end()};
}

void add_specification(const lts::Lts& spec, std::span<const std::string> names,
                       Result& result) {
  const Responder responder(spec);
  result.specification = describe(spec);
  result.specification->state_names.assign(names.begin(), names.end());
  if (!result.counterexample) return;
  Counterexample& shown = *result.counterexample;
  Responder::States states = responder.closure({spec.initial().value()});
  shown.specification_states = {states};
  std::size_t size = 0;
  for (const std::string& action : shown.actions) {
    if ((size += states.size() + 1) > kMostStates) break;
    states = responder.closure(responder.after(states, action));
    shown.specification_states.push_back(states);
  }
  for (evidence::StrategyNode& node : shown.strategy) {
    if (!node.children.empty() || !node.specification) continue;
    node.allowed = responder.allowed({*node.specification});
  }
}

std::vector<std::size_t> performed(const Counterexample& counterexample) {
  const auto& actions = counterexample.actions;
  std::vector<std::size_t> after;
  std::size_t count = 0;
  std::size_t event = 0;  // What several perform together counts once.
  for (const evidence::SourceStep& step : counterexample.steps) {
    const bool is_first =
        !step.action.empty() && (step.event == 0 || step.event != event);
    if (step.event != 0) event = step.event;
    if (is_first && count < actions.size() && step.action == actions[count]) {
      ++count;
    }
    after.push_back(count);
  }
  return after;
}

lts::Lts to_lts(const SpecificationGraph& graph) {
  lts::LtsBuilder builder(std::make_shared<lts::LabelTable>());
  builder.ensure_states(graph.num_states);
  builder.set_initial(lts::State(graph.initial));
  for (const std::string& name : graph.alphabet) {
    builder.extend_alphabet(builder.labels()->intern(name));
  }
  for (const SpecificationGraph::Transition& t : graph.transitions) {
    builder.add_transition(lts::State(t.from),
                           builder.labels()->intern(t.label), lts::State(t.to));
  }
  return std::move(builder).build();
}

}  // namespace agon::report
