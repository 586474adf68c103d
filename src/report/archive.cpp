// SPDX-License-Identifier: Apache-2.0
#include "report/archive.h"

#include <nlohmann/json.hpp>

// The values as CBOR, which keeps bytes as they are. Each structure names all
// of its members here.

template <class T>
struct nlohmann::adl_serializer<std::optional<T>> {
  static void to_json(json& json, const std::optional<T>& value) {
    json = value ? nlohmann::json::array({*value}) : nlohmann::json::array();
  }
  static void from_json(const json& json, std::optional<T>& value) {
    value.reset();
    if (!json.empty()) value = json.at(0).template get<T>();
  }
};

template <>
struct nlohmann::adl_serializer<agon::report::Result::Value> {
  using Value = agon::report::Result::Value;
  static void to_json(json& json, const Value& value) {
    json = nlohmann::json::array({value.index()});
    std::visit([&](const auto& held) { json.push_back(held); }, value);
  }
  static void from_json(const json& json, Value& value) {
    const nlohmann::json& held = json.at(1);
    switch (json.at(0).get<std::size_t>()) {
      case 0:
        value = held.get<std::size_t>();
        return;
      case 1:
        value = held.get<bool>();
        return;
      case 2:
        value = held.get<std::string>();
        return;
      default:
        value = held.get<std::vector<std::string>>();
    }
  }
};

namespace agon::report {

// The library asks for it before it is defined, because of the other `to_json`.
void from_json(const nlohmann::json& json, Report& report);

}  // namespace agon::report

namespace agon::evidence {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Place, file, line)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SpuriousPlay, component, actions, tests,
                                   conflict, place)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FoundPredicate, text, component, place)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Iteration, predicates, states, solver_calls,
                                   time_s, spurious, found)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Model::Cut, place, predicates)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Model::State, cut, values, is_explored)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Model::Transition, from, label, to)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Model, component, predicates, cuts, states,
                                   labels, transitions, num_states)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SourceStep, file, line, text, action,
                                   is_technical, is_return, values, call,
                                   component, event)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(StrategyNode, challenge, children,
                                   specification, allowed)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Recording::Cell, address, byte)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Recording::Named, name, value)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Recording::Answer, kind, name, source,
                                   reason, file, line, column, values, memory,
                                   globals, matters)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Recording::Variant, has_library, is_unfolded)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Recording, program_sha256, variant, entry,
                                   any_state, initial, memory, answers, actions,
                                   is_branch)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Interleaving, events, components)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Counterexample, initial, actions, allowed,
                                   steps, dialogue, strategy, components,
                                   waiting, recording, interleaving)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Result, target, spec, verdict, decided_by,
                                   strategy, reason, iterations, splits,
                                   predicates, states, solver_calls, time_s,
                                   counterexample, never_performed, is_vacuous,
                                   never_reached, is_never_called, library,
                                   invariants, history, models)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Inputs::File, name, sha256)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Inputs, files, spec, arguments,
                                   build_directory, data_model,
                                   overflow_is_error, volatile_is_input,
                                   malloc_may_fail, entry, api, callbacks)

}  // namespace agon::evidence

namespace agon::report {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(StrategyTree::Node, implementation,
                                   specification, challenge, moved_to,
                                   responses, allowed)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(StrategyTree, nodes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Counterexample, actions, allowed, tree,
                                   more_trees, formula, steps, initial,
                                   strategy, waiting, dialogue, recording,
                                   interleaving, components,
                                   specification_states)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SpecificationGraph::Transition, from, label,
                                   to)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SpecificationGraph, initial, num_states,
                                   alphabet, state_names, transitions,
                                   is_complete)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Result, target, spec, file, line, verdict,
                                   decided_by, reason, iterations, predicates,
                                   states, solver_calls, time_s, counterexample,
                                   specification, history, models, inputs,
                                   extra)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ReportedAssumption, subject, is_routine, why,
                                   file, line)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Report, command, results, assumptions,
                                   inputs, extra)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Answer, result, assumptions, files, places)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Work, report, text, files, statistics,
                                   exit_code, error, messages)

namespace {

template <class T>
std::string packed(const T& value) {
  std::string bytes;
  nlohmann::json::to_cbor(nlohmann::json(value), bytes);
  return bytes;
}

template <class T>
std::optional<T> unpacked(std::string_view bytes) {
  try {
    return nlohmann::json::from_cbor(bytes).template get<T>();
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

}  // namespace

std::string pack(const Answer& answer) { return packed(answer); }
std::string pack(const Work& work) { return packed(work); }

std::optional<Answer> unpack_answer(std::string_view bytes) {
  return unpacked<Answer>(bytes);
}
std::optional<Work> unpack_work(std::string_view bytes) {
  return unpacked<Work>(bytes);
}

}  // namespace agon::report
