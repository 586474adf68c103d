// SPDX-License-Identifier: Apache-2.0
#include "spec/program_question.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "spec/build_question.h"
#include "spec/effects.h"
#include "spec/generate_parts.h"
#include "support/suggest.h"

namespace agon::spec {
namespace {

using lts::Label;
using lts::State;

constexpr std::size_t kMaxComponents = 64;

/// Names of components and of the functions that they share.
class Builder {
 public:
  Builder(const File& file, std::size_t file_number, const ProgramDef& def,
          const Processes& processes, std::size_t number)
      : file_(file),
        file_number_(file_number),
        def_(def),
        processes_(processes),
        number_(number) {
    parts_.question.definition = def;
    parts_.question.is_imported = file.is_imported;
    parts_.question.place = {file.source, def.offset};
  }

  ProgramParts run(const Process* process) {
    if (def_.components.size() > kMaxComponents) {
      file_.source->fail(
          def_.offset,
          fmt::format("there are more than {} components", kMaxComponents));
    }
    for (std::size_t i = 0; i < def_.components.size(); ++i) add_component(i);
    conditions_.resize(parts_.wrappers.size());
    if (process != nullptr) find_conditions(*process);
    for (std::size_t i = 0; i < parts_.wrappers.size(); ++i) {
      parts_.wrappers[i].classes = ReturnClasses(conditions_[i]);
      if (parts_.wrappers[i].classes.is_too_many()) {
        file_.source->fail(def_.process->offset,
                           "the conditions on results in this process split "
                           "the values into too many classes");
      }
    }
    for (std::size_t i = 0; i < def_.components.size(); ++i) add_returns(i);
    if (process != nullptr) {
      parts_.question.lts =
          std::make_shared<const lts::Lts>(split_returns(process->lts));
      parts_.question.state_names = process->state_names;
    }
    return std::move(parts_);
  }

 private:
  /// A label of the specification that is a return of a component.
  struct Return {
    std::size_t component = 0;
    std::size_t condition = 0;  ///< Of its wrapper.
  };

  void add_component(std::size_t i) {
    const Component& def = def_.components[i];
    ComponentQuestion& made = parts_.question.components.emplace_back();
    made.routine = def.routine;
    made.name = name_of(i);
    for (std::size_t k = 0; k < i; ++k) {
      if (parts_.question.components[k].name != made.name) continue;
      file_.source->fail(
          def.offset,
          fmt::format("there is another component '{}'", made.name));
    }
    made.relabels = def.relabels;
    if (!def_.is_grouped && i + 1 < def_.components.size()) {
      const auto& common = def_.components.back().relabels;
      made.relabels.insert(made.relabels.end(), common.begin(), common.end());
    }
    if (!def_.guards.empty()) made.guard = trimmed_text(def_.guards[i]);
    ComponentWrapper& wrapper = wrapper_of(i, made.guard);
    made.entry = wrapper.function;
  }

  /// A routine that occurs several times without a label is numbered.
  std::string name_of(std::size_t i) const {
    const Component& def = def_.components[i];
    if (!def.label.empty()) return def.label;
    std::size_t before = 0;
    std::size_t all = 0;
    for (std::size_t k = 0; k < def_.components.size(); ++k) {
      const Component& other = def_.components[k];
      if (!other.label.empty() || other.routine != def.routine) continue;
      ++all;
      if (k <= i) ++before;
    }
    return all == 1 ? def.routine : fmt::format("{}.{}", def.routine, before);
  }

  ComponentWrapper& wrapper_of(std::size_t i, const std::string& guard) {
    const Component& def = def_.components[i];
    const auto [at, is_new] = known_.try_emplace(std::pair(def.routine, guard),
                                                 parts_.wrappers.size());
    wrapper_number_.push_back(at->second);
    if (is_new) {
      ComponentWrapper& made = parts_.wrappers.emplace_back();
      made.function =
          fmt::format("__agon_component_{}_{}", number_, at->second);
      made.routine = def.routine;
      made.offset = def.offset;
      if (!def_.guards.empty()) made.guard = def_.guards[i];
    }
    return parts_.wrappers[at->second];
  }

  void find_conditions(const Process& process) {
    const lts::LabelTable& labels = *process.lts.labels();
    for (const Label label : process.lts.alphabet()) {
      const std::string& name = labels.name(label);
      if (process.condition(label) != nullptr) {
        file_.source->fail(
            def_.process->offset,
            fmt::format("'{}' is not a return of a component; those of '{}' "
                        "are written '{}.return'",
                        name, def_.components[0].routine,
                        parts_.question.components[0].name));
      }
      for (std::size_t i = 0; i < def_.components.size(); ++i) {
        const std::string prefix = parts_.question.components[i].name + ".";
        if (!lts::matches_prefix(name, prefix + "return")) continue;
        returns_[label] = {i, add_condition(i, name.substr(prefix.size()))};
      }
    }
  }

  std::size_t add_condition(std::size_t component, const std::string& label) {
    constrained_.insert(component);
    ReturnCondition condition =
        processes_.condition(label, file_number_, *def_.process);
    auto& known = conditions_[wrapper_number_[component]];
    const auto at =
        std::ranges::find(known, condition.written, &ReturnCondition::written);
    const auto index = static_cast<std::size_t>(at - known.begin());
    if (at == known.end()) known.push_back(std::move(condition));
    return index;
  }

  void add_returns(std::size_t i) {
    ComponentQuestion& component = parts_.question.components[i];
    const ReturnClasses& classes = parts_.wrappers[wrapper_number_[i]].classes;
    const auto add = [&](const std::string& label) {
      component.actions.push_back(
          {label, {component.name + "." + label}, true});
    };
    if (classes.conditions().empty()) return add("return");
    for (const ReturnClass& each : classes.classes()) add(each.label);
  }

  lts::Lts split_returns(const lts::Lts& from) const {
    lts::LtsBuilder builder(from.labels());
    const auto class_label = [&](std::size_t component, const ReturnClass& c) {
      return from.labels()->intern(parts_.question.components[component].name +
                                   "." + c.label);
    };
    const auto classes_of = [&](std::size_t component) -> const auto& {
      return parts_.wrappers[wrapper_number_[component]].classes.classes();
    };
    for (const std::size_t i : constrained_) {
      for (const ReturnClass& each : classes_of(i)) {
        builder.extend_alphabet(class_label(i, each));
      }
    }
    for (const Label label : from.alphabet()) {
      if (!returns_.contains(label)) builder.extend_alphabet(label);
    }
    builder.ensure_states(from.num_states());
    builder.set_initial(from.initial());
    for (std::size_t i = 0; i < from.num_states(); ++i) {
      for (const lts::Transition step : from.out(State::at(i))) {
        if (from.kind(step.target) == lts::StateKind::Error) continue;
        const auto found = returns_.find(step.label);
        if (found == returns_.end()) {
          builder.add_transition(State::at(i), step.label, step.target);
          continue;
        }
        const auto [component, condition] = found->second;
        for (const ReturnClass& each : classes_of(component)) {
          if (!each.meets[condition]) continue;
          builder.add_transition(State::at(i), class_label(component, each),
                                 step.target);
        }
      }
    }
    return std::move(builder).build();
  }

  const File& file_;
  const std::size_t file_number_;
  const ProgramDef& def_;
  const Processes& processes_;
  const std::size_t number_;
  ProgramParts parts_;
  std::map<std::pair<std::string, std::string>, std::size_t> known_;
  std::vector<std::size_t> wrapper_number_;               // By component.
  std::vector<std::vector<ReturnCondition>> conditions_;  // By wrapper.
  std::map<Label, Return> returns_;
  std::set<std::size_t> constrained_;
};

/// FSP's rule: of the labels that a name starts with, the longest is replaced.
std::vector<std::string> renamed(const std::string& name,
                                 const std::vector<Relabel>& relabels,
                                 std::set<std::string>& used) {
  const Relabel* longest = nullptr;
  for (const Relabel& each : relabels) {
    if (!lts::matches_prefix(name, each.old_label)) continue;
    used.insert(each.old_label);
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
  return {result.begin(), result.end()};
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

std::string name_in_program(const ProgramQuestion& question, std::size_t i,
                            const std::string& local) {
  const bool has_label = !question.definition.components[i].label.empty();
  return has_label ? question.components[i].name + "." + local : local;
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
    const ComponentQuestion& component = question.components[i];
    possible.merge(names_of(component));
    for (const std::string& local : plan.performed) {
      std::set<std::string> used;
      for (std::string& name : renamed(name_in_program(question, i, local),
                                       component.relabels, used)) {
        possible.insert(std::move(name));
      }
    }
  }
  std::set<std::string> alphabet;
  for (const Label label : question.lts->alphabet()) {
    alphabet.insert(question.lts->labels()->name(label));
  }
  question.unperformed = find_unperformed(alphabet, possible);
}

}  // namespace

ProgramParts make_program(const File& file, std::size_t file_number,
                          const ProgramDef& def, const Process* process,
                          const Processes& processes, std::size_t number) {
  return Builder(file, file_number, def, processes, number).run(process);
}

ir::Fragment component_wrapper(const support::Source& source,
                               const ComponentWrapper& wrapper,
                               std::size_t number, ir::Fragment::Only only,
                               const ActionNames& action) {
  Description like;
  like.routine.is_void = only == ir::Fragment::Only::Nothing;
  const std::vector<Process> none;
  const LineToWrite line{source, like, none, number, action};
  CWriter out(source);
  out << "\nextern void __agon_assume(int);\nvoid ";
  out.at(wrapper.offset) << wrapper.function << " " << ir::Fragment::kSignature
                         << " {";
  if (wrapper.guard) {
    out << " const int __agon_guard = !!(";
    out.quote(*wrapper.guard) << "); __agon_assume(__agon_guard);";
  }
  out.at(wrapper.offset) << action(ProgramQuestion::kStart) << "(); ";
  const std::string call =
      fmt::format("{}({})", wrapper.routine, ir::Fragment::kArguments);
  const auto& classes = wrapper.classes.classes();
  if (like.routine.is_void || wrapper.classes.conditions().empty()) {
    const bool is_named = !wrapper.classes.conditions().empty();
    out << call << "; "
        << action(is_named ? classes.front().label : std::string("return"))
        << "();";
  } else {
    out << "typedef __typeof__(" << call << ") " << type_name(line) << "; ";
    number_checks(out, type_name(line), number_type(line), wrapper.offset,
                  wrapper.classes.conditions());
    out.at(wrapper.offset) << type_name(line) << " __agon_value = " << call
                           << "; {";
    classify(out, line, wrapper.offset, wrapper.classes);
    out << " }";
  }
  out << " }\n";
  ir::Fragment result;
  result.routine = wrapper.routine;
  result.text = out.take();
  result.keeps_names = true;
  result.only = only;
  return result;
}

void find_actions(const ir::Program& program, const Plan& plan,
                  ProgramQuestion& question) {
  std::set<std::string> used;
  std::set<std::string> names;
  for (std::size_t i = 0; i < question.components.size(); ++i) {
    ComponentQuestion& component = question.components[i];
    const std::set<std::string> performed = performed_by(
        program, plan,
        reachable_functions(program, *program.find_function(component.entry)));
    std::set<std::string> returns;
    for (const auto& each : component.actions) returns.insert(each.local);
    for (const std::string& local : performed) {
      if (returns.contains(local) || is_own(local)) continue;
      const std::string name = name_in_program(question, i, local);
      names.insert(name);
      component.actions.push_back(
          {local, renamed(name, component.relabels, used), false});
    }
  }
  if (question.lts != nullptr) note_unperformed(plan, question);
  for (const Component& each : question.definition.components) {
    for (const Relabel& relabel : each.relabels) {
      if (used.contains(relabel.old_label)) continue;
      question.place.source->fail(
          relabel.old_offset,
          fmt::format("no component performs '{}'{}", relabel.old_label,
                      support::did_you_mean(relabel.old_label,
                                            std::vector<std::string>(
                                                names.begin(), names.end()))));
    }
  }
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
    const auto entry = program.find_function(component.entry);
    for (const auto& [local, call] :
         performed_behind(program, plan, *entry, unreached)) {
      std::set<std::string> used;
      for (const std::string& name : renamed(
               name_in_program(question, i, local), component.relabels, used)) {
        const auto knows = [&](const auto& own) { return own.contains(name); };
        if (knows(names[i]) || std::ranges::none_of(names, knows)) continue;
        result.push_back({component.name, name, call});
      }
    }
  }
  return result;
}

}  // namespace agon::spec
