// SPDX-License-Identifier: Apache-2.0
#include "spec/module_returns.h"

namespace agon::spec {
namespace {

constexpr std::string_view kCall = "call.";
constexpr std::string_view kReturn = ".return";

/// The routine that a label calls; empty if it is no call.
std::string called_by(const std::string& label) {
  if (!label.starts_with(kCall)) return {};
  const std::string name = label.substr(kCall.size());
  return name.find('.') == std::string::npos ? name : std::string();
}

/// The routine that a label is a return of, or nothing.
std::string returned_by(const std::string& label) {
  const std::size_t dot = label.find('.');
  if (dot == std::string::npos) return {};
  const std::string rest = label.substr(dot);
  return rest == kReturn || rest.starts_with(std::string(kReturn) + ".")
             ? label.substr(0, dot)
             : std::string();
}

}  // namespace

std::string ModuleReturns::call_of(const std::string& routine) {
  return std::string(kCall) + routine;
}

std::size_t ModuleReturns::routine(const std::string& name) {
  const auto [entry, is_new] = number_of_.emplace(name, routines_.size());
  if (is_new) routines_.push_back({name, false, {}});
  return entry->second;
}

ModuleReturns::ModuleReturns(const lts::Lts& process, const ReadCondition& read)
    : process_(process) {
  std::map<std::size_t, std::vector<ReturnCondition>> conditions;
  for (const lts::Label label : process.alphabet()) {
    const std::string name(process.labels()->name(label));
    if (const std::string callee = called_by(name); !callee.empty()) {
      routines_[routine(callee)].is_called = true;
    }
    const std::string returning = returned_by(name);
    if (returning.empty()) continue;
    const std::size_t number = routine(returning);
    std::vector<ReturnCondition>& known = conditions[number];
    returns_[label] = {number, known.size()};
    known.push_back(read(name.substr(returning.size() + 1)));
  }
  for (auto& [number, known] : conditions) {
    routines_[number].classes = ReturnClasses(std::move(known));
  }
}

lts::Lts ModuleReturns::split() const {
  lts::LtsBuilder builder(process_.labels());
  std::vector<std::vector<lts::Label>> classes(routines_.size());
  for (std::size_t i = 0; i < routines_.size(); ++i) {
    for (const ReturnClass& each : routines_[i].classes.classes()) {
      classes[i].push_back(
          process_.labels()->intern(routines_[i].name + "." + each.label));
      builder.extend_alphabet(classes[i].back());
    }
  }
  for (const lts::Label label : process_.alphabet()) {
    if (!returns_.contains(label)) builder.extend_alphabet(label);
  }
  builder.ensure_states(process_.num_states());
  builder.set_initial(process_.initial());
  for (std::size_t i = 0; i < process_.num_states(); ++i) {
    const lts::State from = lts::State::at(i);
    builder.set_kind(from, process_.kind(from));
    for (const lts::Transition& step : process_.out(from)) {
      if (process_.kind(step.target) == lts::StateKind::Error) continue;
      const auto found = returns_.find(step.label);
      if (found == returns_.end()) {
        builder.add_transition(from, step.label, step.target);
        continue;
      }
      const Return& is = found->second;
      const auto& all = routines_[is.routine].classes.classes();
      for (std::size_t c = 0; c < all.size(); ++c) {
        if (!all[c].meets[is.condition]) continue;
        builder.add_transition(from, classes[is.routine][c], step.target);
      }
    }
  }
  return std::move(builder).build();
}

}  // namespace agon::spec
