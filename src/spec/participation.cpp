// SPDX-License-Identifier: Apache-2.0
#include "spec/participation.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "spec/build_question.h"
#include "spec/effects.h"
#include "support/suggest.h"

namespace agon::spec {
namespace {

/// Relabellings that concern something, by where they stand.
using Used = std::set<Offset>;

/// FSP's rule: of the labels that a name starts with, the longest is replaced.
std::set<std::string> renamed(const std::string& name,
                              const std::vector<Relabel>& relabels,
                              Used& used) {
  const Relabel* longest = nullptr;
  for (const Relabel& each : relabels) {
    if (!lts::matches_prefix(name, each.old_label)) continue;
    used.insert(each.old_offset);
    if (longest == nullptr ||
        each.old_label.size() > longest->old_label.size()) {
      longest = &each;
    }
  }
  if (longest == nullptr) return {name};
  std::set<std::string> result;
  for (const Relabel& each : relabels) {
    if (each.old_label != longest->old_label) continue;
    result.insert(each.new_label + name.substr(longest->old_label.size()));
  }
  return result;
}

/// What some of the functions perform.
std::set<std::string> performed_by(const ir::Program& program, const Plan& plan,
                                   const std::vector<bool>& chosen) {
  std::set<std::string> result;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (!chosen[i]) continue;
    const ir::Function& function = program.functions[i];
    if (function.is_action) result.insert(function.display);
    const auto known = plan.alphabets.find(function.name);
    if (known == plan.alphabets.end()) continue;
    result.insert(known->second.begin(), known->second.end());
  }
  return result;
}

/// The actions behind calls that are not reached, each with such a call.
std::map<std::string, ir::Position> performed_behind(
    const ir::Program& program, const Plan& plan, ir::FunctionId entry,
    std::span<const ir::UnreachedCall> unreached) {
  std::map<std::string, ir::Position> result;
  std::vector<bool> known = reachable_functions(program, entry);
  const auto is_in_known = [&](const ir::UnreachedCall& call) {
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (known[i] && program.functions[i].position == call.caller) return true;
    }
    return false;
  };
  for (bool again = true; std::exchange(again, false);) {
    for (const ir::UnreachedCall& call : unreached) {
      if (known[call.callee.index()] || !is_in_known(call)) continue;
      const std::vector<bool> more = reachable_functions(program, call.callee);
      for (const std::string& action : performed_by(program, plan, more)) {
        result.try_emplace(action, call.position);
      }
      for (std::size_t i = 0; i < more.size(); ++i) {
        known[i] = known[i] || more[i];
      }
      again = true;
    }
  }
  return result;
}

std::string labelled(const ProgramQuestion& question, std::size_t i,
                     const std::string& local) {
  const bool has_label = !question.definition.components[i].label.empty();
  return has_label ? question.components[i].name + "." + local : local;
}

/// As in FSP, a component is relabelled before all of them together are.
std::set<std::string> names_in_program(const ProgramQuestion& question,
                                       std::size_t i, const std::string& local,
                                       Used& used) {
  std::set<std::string> result;
  for (const std::string& name :
       renamed(labelled(question, i, local),
               question.definition.components[i].relabels, used)) {
    result.merge(renamed(name, question.definition.relabels, used));
  }
  return result;
}

std::set<std::string> names_of(const ComponentQuestion& component) {
  std::set<std::string> result;
  for (const auto& action : component.actions) {
    result.insert(action.names.begin(), action.names.end());
  }
  return result;
}

bool is_own(const std::string& label) {
  return label == ProgramQuestion::kStart || label == ProgramQuestion::kStop ||
         label == ProgramQuestion::kSilent;
}

/// What no component could perform, whatever it called.
void note_unperformed(const Plan& plan, ProgramQuestion& question) {
  std::set<std::string> possible;
  for (std::size_t i = 0; i < question.components.size(); ++i) {
    possible.merge(names_of(question.components[i]));
    for (const std::string& local : plan.performed) {
      Used used;
      possible.merge(names_in_program(question, i, local, used));
    }
  }
  std::set<std::string> alphabet;
  for (const lts::Label label : question.lts->alphabet()) {
    alphabet.insert(question.lts->labels()->name(label));
  }
  question.unperformed = find_unperformed(alphabet, possible);
}

/// Throws for the first relabelling that concerns nothing. `known` are the
/// labels that there are where it stands.
void check_relabels(const ProgramQuestion& question,
                    const std::vector<Relabel>& relabels,
                    const std::set<std::string>& known, const Used& used,
                    const std::string& who) {
  for (const Relabel& each : relabels) {
    if (used.contains(each.old_offset)) continue;
    question.place.source->fail(
        each.old_offset,
        fmt::format("{} performs '{}'{}", who, each.old_label,
                    support::did_you_mean(
                        each.old_label,
                        std::vector<std::string>(known.begin(), known.end()))));
  }
}

void check_relabels(const ProgramQuestion& question, const Used& used) {
  std::set<std::string> all;
  for (std::size_t i = 0; i < question.components.size(); ++i) {
    const Component& component = question.definition.components[i];
    std::set<std::string> own;
    for (const auto& action : question.components[i].actions) {
      if (action.is_return) continue;
      const std::string name = labelled(question, i, action.local);
      Used ignored;
      all.merge(renamed(name, component.relabels, ignored));
      own.insert(name);
    }
    check_relabels(question, component.relabels, own, used,
                   fmt::format("nothing in '{}'", component.routine));
  }
  check_relabels(question, question.definition.relabels, all, used,
                 "no component");
}

ir::FunctionId entry_of(const ir::Program& program,
                        const ComponentQuestion& component) {
  return *program.find_function(component.entry);
}

/// Where a component first calls through a pointer, if it does.
std::optional<ir::Position> call_through_pointer(const ir::Program& program,
                                                 ir::FunctionId entry) {
  const std::vector<bool> reached = reached_by_name(program, entry);
  for (std::size_t i = 0; i < reached.size(); ++i) {
    if (!reached[i]) continue;
    for (const ir::Edge& edge : program.functions[i].body.edges()) {
      const auto* const call = std::get_if<ir::Call>(&edge.statement);
      if (call != nullptr && !call->callee.valid()) return edge.position;
    }
  }
  return std::nullopt;
}

bool is_known_to_others(const ProgramQuestion& question, std::size_t component,
                        const std::string& name) {
  for (std::size_t i = 0; i < question.components.size(); ++i) {
    if (i != component && names_of(question.components[i]).contains(name)) {
      return true;
    }
  }
  return false;
}

}  // namespace

void find_actions(const ir::Program& program, const Plan& plan,
                  ProgramQuestion& question) {
  Used used;
  for (std::size_t i = 0; i < question.components.size(); ++i) {
    ComponentQuestion& component = question.components[i];
    const std::set<std::string> performed = performed_by(
        program, plan,
        reachable_functions(program, entry_of(program, component)));
    std::set<std::string> returns;
    for (const auto& each : component.actions) returns.insert(each.local);
    for (const std::string& local : performed) {
      if (returns.contains(local) || is_own(local)) continue;
      const auto names = names_in_program(question, i, local, used);
      component.actions.push_back({local, {names.begin(), names.end()}, false});
    }
  }
  if (question.lts != nullptr) note_unperformed(plan, question);
  check_relabels(question, used);
}

std::vector<Bystander> find_bystanders(
    const ir::Program& program, const Plan& plan,
    const ProgramQuestion& question,
    std::span<const ir::UnreachedCall> unreached) {
  std::vector<std::set<std::string>> names;
  for (const ComponentQuestion& each : question.components) {
    names.push_back(names_of(each));
  }
  std::vector<Bystander> result;
  for (std::size_t i = 0; i < question.components.size(); ++i) {
    const ComponentQuestion& component = question.components[i];
    for (const auto& [local, call] : performed_behind(
             program, plan, entry_of(program, component), unreached)) {
      Used used;
      for (const std::string& name :
           names_in_program(question, i, local, used)) {
        const auto knows = [&](const auto& own) { return own.contains(name); };
        if (knows(names[i]) || std::ranges::none_of(names, knows)) continue;
        result.push_back({component.name, name, call});
      }
    }
  }
  return result;
}

std::vector<Supposed> find_supposed(const ir::Program& program,
                                    const Plan& plan,
                                    const ProgramQuestion& question) {
  std::vector<Supposed> result;
  for (std::size_t i = 0; i < question.components.size(); ++i) {
    const ComponentQuestion& component = question.components[i];
    const ir::FunctionId entry = entry_of(program, component);
    const auto call = call_through_pointer(program, entry);
    if (!call) continue;
    const std::set<std::string> certain =
        performed_by(program, plan, reached_by_name(program, entry));
    Supposed supposed{component.name, {}, *call};
    for (const auto& action : component.actions) {
      if (action.is_return || certain.contains(action.local)) continue;
      for (const std::string& name : action.names) {
        if (is_known_to_others(question, i, name)) {
          supposed.actions.insert(name);
        }
      }
    }
    if (!supposed.actions.empty()) result.push_back(std::move(supposed));
  }
  return result;
}

}  // namespace agon::spec
