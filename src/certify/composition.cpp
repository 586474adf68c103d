// SPDX-License-Identifier: Apache-2.0
#include "certify/composition.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "ir/actions.h"

namespace agon::certify {
namespace {

using spec::ProgramQuestion;

/// By component and by local name: the names in the program.
using Names = std::vector<std::map<std::string, std::set<std::string>>>;

/// What no component may do, wherever it stands.
bool is_forbidden(const std::string& local, bool has_errors) {
  return (has_errors && local == ir::kError) ||
         local.starts_with(spec::kOutsideGuards);
}

Names names_of(const ProgramQuestion& question, bool has_errors) {
  Names result;
  for (const spec::ComponentQuestion& component : question.components) {
    auto& own = result.emplace_back();
    for (const auto& action : component.actions) {
      own[action.local].insert(action.names.begin(), action.names.end());
    }
    if (has_errors) own[ir::kError];
    for (auto& [local, names] : own) {
      if (!is_forbidden(local, has_errors)) continue;
      names = {fmt::format("{}.{}", component.name, local)};
    }
  }
  return result;
}

/// The specification, with what is forbidden in its alphabet.
std::shared_ptr<const lts::Lts> with_forbidden(const lts::Lts& spec,
                                               const Names& names,
                                               bool has_errors) {
  lts::LtsBuilder builder(spec.labels());
  builder.ensure_states(spec.num_states());
  builder.set_initial(spec.initial());
  for (std::size_t i = 0; i < spec.num_states(); ++i) {
    for (const lts::Transition t : spec.out(lts::State::at(i))) {
      builder.add_transition(lts::State::at(i), t.label, t.target);
    }
  }
  for (const lts::Label label : spec.alphabet()) builder.extend_alphabet(label);
  for (const auto& own : names) {
    for (const auto& [local, known] : own) {
      if (!is_forbidden(local, has_errors)) continue;
      builder.extend_alphabet(spec.labels()->intern(*known.begin()));
    }
  }
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
    result.events.push_back({label, {{0, {label}}}});
  }
  result.spec = std::move(spec);
  return result;
}

Composition together(const ProgramQuestion& question, bool has_errors) {
  Composition result;
  const Names names = names_of(question, has_errors);
  result.spec = with_forbidden(*question.lts, names, has_errors);
  const std::set<std::string> constrained = alphabet(*result.spec);
  // Components with the same function show the same actions.
  std::map<std::string, std::set<std::string>> visible;
  for (auto& [name, event] : events_of(names)) {
    event.label = constrained.contains(name) ? name : "tau";
    const bool is_start = name == ProgramQuestion::kStart;
    if (event.label != "tau" || event.participants.size() > 1 || is_start) {
      for (const Participant& each : event.participants) {
        visible[question.components[each.component].entry].insert(
            each.locals.begin(), each.locals.end());
      }
    }
    result.events.push_back(std::move(event));
  }
  for (const spec::ComponentQuestion& component : question.components) {
    result.visible.push_back(visible[component.entry]);
  }
  return result;
}

}  // namespace agon::certify
