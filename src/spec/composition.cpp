// SPDX-License-Identifier: Apache-2.0
#include "spec/composition.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "ir/actions.h"
#include "lts/forbid.h"

namespace agon::spec {
namespace {

/// By component and by local name: the names in the program.
using Names = std::vector<std::map<std::string, std::set<std::string>>>;

/// What a component does alone, and what matters for deadlocks only.
constexpr std::array kOwnActions = {
    ProgramQuestion::kStop, ProgramQuestion::kSilent, ProgramQuestion::kExit};

/// What no component may do, wherever it stands.
bool is_forbidden(const std::string& local, bool has_errors) {
  return (has_errors && local == ir::kError) ||
         local.starts_with(kOutsideGuards);
}

Names names_of(const ProgramQuestion& question, bool has_errors) {
  Names result;
  for (const ComponentQuestion& component : question.components) {
    auto& own = result.emplace_back();
    for (const auto& action : component.actions) {
      own[action.local].insert(action.names.begin(), action.names.end());
    }
    if (has_errors) own[ir::kError];
    if (question.lts == nullptr) {
      for (const char* const each : kOwnActions) own[each];
    }
    for (auto& [local, names] : own) {
      if (!names.empty() && !is_forbidden(local, has_errors)) continue;
      names = {fmt::format("{}.{}", component.name, local)};
    }
  }
  return result;
}

/// The specification, with what is forbidden in its alphabet.
std::shared_ptr<const lts::Lts> with_forbidden(const lts::Lts& spec,
                                               const Names& names,
                                               bool has_errors) {
  std::vector<std::string> labels;
  for (const auto& own : names) {
    for (const auto& [local, known] : own) {
      if (is_forbidden(local, has_errors)) labels.push_back(*known.begin());
    }
  }
  return std::make_shared<const lts::Lts>(lts::forbid(spec, labels));
}

/// Does not see anything, and so forbids nothing.
std::shared_ptr<const lts::Lts> anything() {
  lts::LtsBuilder builder(std::make_shared<lts::LabelTable>());
  builder.set_initial(builder.add_state());
  return std::make_shared<const lts::Lts>(std::move(builder).build());
}

std::set<std::string> alphabet(const lts::Lts& spec) {
  std::set<std::string> result;
  for (const lts::Label label : spec.alphabet()) {
    result.insert(spec.labels()->name(label));
  }
  return result;
}

/// All events by their names in the program.
std::map<std::string, Event> events_of(const Names& names) {
  std::map<std::string, Event> result;
  const auto add = [&](const std::string& name, std::size_t component,
                       const std::string& local) {
    auto& participants = result[name].participants;
    if (participants.empty() || participants.back().component != component) {
      participants.push_back({component, {}});
    }
    participants.back().locals.insert(local);
  };
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (const auto& [local, known] : names[i]) {
      for (const std::string& name : known) add(name, i, local);
    }
    add(ProgramQuestion::kStart, i, ProgramQuestion::kStart);
  }
  return result;
}

}  // namespace

Composition alone(std::shared_ptr<const lts::Lts> spec) {
  Composition result;
  result.visible.push_back(alphabet(*spec));
  for (const std::string& label : result.visible.front()) {
    result.events.push_back({label, label, {{0, {label}}}});
  }
  result.spec = std::move(spec);
  return result;
}

Composition together(const ProgramQuestion& question, bool has_errors) {
  Composition result;
  const Names names = names_of(question, has_errors);
  result.asks_for_deadlocks = question.lts == nullptr;
  result.spec = result.asks_for_deadlocks
                    ? anything()
                    : with_forbidden(*question.lts, names, has_errors);
  const std::set<std::string> constrained = alphabet(*result.spec);
  // Components with the same function show the same actions.
  std::map<std::string, std::set<std::string>> visible;
  for (auto& [name, event] : events_of(names)) {
    event.name = name;
    event.label = constrained.contains(name) ? name : "tau";
    const bool is_start = name == ProgramQuestion::kStart;
    if (event.label != "tau" || event.participants.size() > 1 || is_start ||
        result.asks_for_deadlocks) {
      for (const Participant& each : event.participants) {
        visible[question.components[each.component].entry].insert(
            each.locals.begin(), each.locals.end());
      }
    }
    result.events.push_back(std::move(event));
  }
  for (const ComponentQuestion& component : question.components) {
    result.visible.push_back(visible[component.entry]);
    auto& endings = result.endings.emplace_back();
    endings.insert(ProgramQuestion::kExit);
    for (const auto& action : component.actions) {
      if (action.is_return) endings.insert(action.local);
    }
  }
  return result;
}

void mark_exits(ir::Program& program) {
  std::vector<std::string> routines;
  for (const ir::Function& function : program.functions) {
    if (function.is_noreturn && !function.has_body && !function.is_action) {
      routines.push_back(function.name);
    }
  }
  ir::mark_actions(program, routines, ProgramQuestion::kExit);
}

}  // namespace agon::spec
