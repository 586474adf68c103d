// SPDX-License-Identifier: Apache-2.0
#include "spec/program_question.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "spec/build_question.h"
#include "spec/generate_parts.h"

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

}  // namespace agon::spec
