// SPDX-License-Identifier: Apache-2.0
#include "spec/specification.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "ir/actions.h"
#include "spec/build_question.h"
#include "spec/generate.h"
#include "spec/module_returns.h"
#include "spec/processes.h"
#include "spec/program_question.h"
#include "spec/reader.h"
#include "spec/return_labels.h"
#include "spec/texts_in_c.h"

namespace agon::spec {
namespace {

constexpr std::size_t kLongestSpecText = 60;

std::string shortened(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const bool is_space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (is_space && (result.empty() || result.back() == ' ')) continue;
    result += is_space ? ' ' : c;
  }
  if (result.size() <= kLongestSpecText) return result;
  return result.substr(0, kLongestSpecText - 3) + "...";
}

}  // namespace

class Loader {
 public:
  Loader(const support::Source& source, support::Context& context,
         const LoadOptions& options)
      : context_(context),
        action_([this](const std::string& label) { return action(label); }) {
    Reader reader(options);
    reader.read(source, false);
    files_ = std::move(reader.files);
    processes_.emplace(files_, std::move(reader.conditions),
                       options.allow_import, context);
  }

  Specification run() {
    compile_all();
    collect_performed();
    check_calls();
    for (Line& line : lines_) {
      if (line.def->is_assumption) {
        if (!is_overridden(line)) assumption(line);
      } else {
        target(line);
      }
    }
    for (std::size_t i = 0; i < files_.size(); ++i) {
      for (const EventDef& event : files_[i].events) observe(i, event);
      for (const ProgramDef& def : files_[i].programs) program(i, def);
      for (const ModuleDef& def : files_[i].modules) module(i, def);
    }
    declare_actions();
    result_.plan_.performed = performed_;
    return std::move(result_);
  }

 private:
  struct Line {
    std::size_t file = 0;
    const Description* def = nullptr;
    std::vector<Process> processes;
    std::size_t number = 0;
  };

  Place place(std::size_t file, Offset offset) const {
    return {files_[file].source, offset};
  }

  std::string action(const std::string& label) {
    const auto [entry, is_new] =
        actions_.emplace(label, result_.plan_.actions.size());
    if (is_new) result_.plan_.actions.push_back(label);
    used_actions_.insert(entry->second);
    return fmt::format("__agon_action_{}", entry->second);
  }

  void compile_all() {
    for (std::size_t i = 0; i < files_.size(); ++i) {
      for (const Description& def : files_[i].descriptions) {
        Line& line = lines_.emplace_back();
        line.file = i;
        line.def = &def;
        line.number = lines_.size() - 1;
        for (const Arm& arm : def.arms) {
          line.processes.push_back(
              processes_->compile(i, arm.process, context_));
          check_process(line, arm);
        }
        if (def.is_assumption) enter_assumption(line);
      }
    }
  }

  void check_process(const Line& line, const Arm& arm) {
    const Process& process = line.processes.back();
    const support::Source& source = *files_[line.file].source;
    if (line.def->routine.is_void) {
      for (const ReturnCondition& each : process.returns) {
        if (each.kind == ReturnCondition::Kind::Any) continue;
        source.fail(arm.process.offset,
                    fmt::format("this process performs '{}', but '{}' returns "
                                "no value",
                                each.written, line.def->routine.name));
      }
    }
    if (!line.def->is_assumption) {
      check_named(line);
      return;
    }
    for (std::size_t i = 0; i < process.lts.num_states(); ++i) {
      if (process.lts.kind(lts::State::at(i)) == lts::StateKind::Error) {
        source.fail(arm.process.offset,
                    "a process that stands for a routine cannot reach ERROR");
      }
    }
    if (process.returns.empty()) {
      context_.warn(support::render_diagnostic(
          "warning",
          fmt::format("by this process, which performs no 'return', '{}' "
                      "never returns",
                      line.def->routine.name),
          source.locate(arm.process.offset),
          source.line_at(arm.process.offset)));
    }
  }

  // The target is called with its own parameters.
  void check_named(const Line& line) const {
    for (const std::string& name : line.def->routine.names) {
      if (!name.empty()) continue;
      files_[line.file].source->fail(
          line.def->routine.parameters.offset,
          "each parameter of a routine to verify needs a name");
    }
  }

  /// The last file wins, so that a file can replace what it imports.
  void enter_assumption(const Line& line) {
    const auto [known, is_new] =
        assumptions_.emplace(line.def->routine.name, line.number);
    if (is_new) return;
    const Line& other = lines_[known->second];
    const support::Source& source = *files_[line.file].source;
    if (other.file == line.file) {
      source.fail(line.def->routine.name_offset,
                  fmt::format("'{}' already has an assumption on line {}",
                              line.def->routine.name,
                              source.locate(other.def->offset).line));
    }
    known->second = line.number;
  }

  bool is_overridden(const Line& line) const {
    return assumptions_.at(line.def->routine.name) != line.number;
  }

  /// The labels that something in the program can perform.
  void collect_performed() {
    for (const Line& line : lines_) {
      if (!line.def->is_assumption) continue;
      for (std::size_t i = 0; i < line.processes.size(); ++i) {
        std::set<std::string> actions = actions_of(line.processes[i]);
        const auto found =
            std::ranges::find_if(actions, is_return_of_component);
        if (found != actions.end()) {
          files_[line.file].source->fail(
              line.def->arms[i].process.offset,
              fmt::format("'{}' is what a component does that returns",
                          *found));
        }
        performed_.merge(actions);
      }
    }
    for (const File& file : files_) {
      for (const EventDef& event : file.events) performed_.insert(event.label);
    }
    for (const Line& line : lines_) {
      if (!line.def->is_assumption && !covers_all(*line.def)) {
        outside_.insert(outside_label(line.def->routine.name));
      }
    }
  }

  static std::set<std::string> actions_of(const Process& process) {
    std::set<std::string> result;
    for (const lts::Label label : process.lts.alphabet()) {
      if (process.condition(label) != nullptr) continue;
      result.insert(process.lts.labels()->name(label));
    }
    return result;
  }

  /// What would perform an action where it is called.
  std::set<std::string> performing_routines() const {
    std::set<std::string> result;
    for (const Line& line : lines_) {
      if (!line.def->is_assumption || is_overridden(line)) continue;
      for (const Process& process : line.processes) {
        if (process.lts.alphabet().size() > process.returns.size()) {
          result.insert(line.def->routine.name);
        }
      }
    }
    for (const File& file : files_) {
      for (const EventDef& event : file.events) result.insert(event.routine);
    }
    return result;
  }

  /// Conditions must not perform actions.
  void check_calls() const {
    const std::set<std::string> routines = performing_routines();
    for (const File& file : files_) {
      for (const CText& text : texts_in_c(file)) {
        refuse_calls(*file.source, text, routines);
      }
    }
    for (const auto& [name, each] : processes_->conditions()) {
      refuse_calls(*each.source, {each.offset, each.text}, routines);
    }
  }

  static std::string outside_label(const std::string& routine) {
    return fmt::format("{}{}", kOutsideGuards, routine);
  }

  static bool covers_all(const Description& def) {
    return !def.arms.back().guard.has_value();
  }

  Plan::Shape shape(const Line& line) const {
    const Signature& routine = line.def->routine;
    return {routine.name,
            routine.names.size(),
            routine.is_variadic,
            routine.is_void,
            files_[line.file].is_imported,
            place(line.file, routine.name_offset)};
  }

  LineToWrite to_write(const Line& line) const {
    return {*files_[line.file].source, *line.def, line.processes, line.number,
            action_};
  }

  void assumption(const Line& line) {
    Behaviour wanted;
    wanted.function = fmt::format("{}{}", ir::kDescribed, line.number);
    wanted.shows_silence = asks_for_deadlocks();
    enter_alphabet(line, wanted.function);
    const LineToWrite text = to_write(line);
    begin_fragment(line.def->routine.name, prelude(text));
    result_.fragments_.back().is_behaviour = true;
    append(behaviour(text, wanted));
    append_guard_check(line, /*must_be_complete=*/true);
    result_.plan_.replacements.push_back(
        {shape(line), wanted.function, false, "", {}});
  }

  bool asks_for_deadlocks() const {
    return std::ranges::any_of(files_, [](const File& file) {
      return std::ranges::any_of(file.programs, &ProgramDef::deadlock_free);
    });
  }

  void enter_alphabet(const Line& line, const std::string& function) {
    std::set<std::string> names;
    for (const Process& process : line.processes) {
      names.merge(actions_of(process));
    }
    result_.plan_.alphabets[function].assign(names.begin(), names.end());
  }

  void target(const Line& line) {
    const LineToWrite text = to_write(line);
    begin_fragment(line.def->routine.name, prelude(text));
    Plan::Replacement own{shape(line), "", true, "", {}};
    for (std::size_t i = 0; i < line.def->arms.size(); ++i) {
      own.wrappers.push_back(question(line, i));
    }
    Behaviour wanted;
    wanted.function = own.function = fmt::format("__agon_own_{}", line.number);
    wanted.is_own = true;
    wanted.shows_silence = asks_for_deadlocks();
    for (const Process& process : line.processes) {
      wanted.in_between.push_back(not_in_alphabet(process));
    }
    if (!line.def->has_modifies) {
      wanted.effects = own.effects =
          fmt::format("__agon_effects_{}", line.number);
    }
    if (!covers_all(*line.def)) {
      wanted.outside = outside_label(line.def->routine.name);
    }
    append(behaviour(text, wanted));
    append_guard_check(line, /*must_be_complete=*/false);
    result_.plan_.replacements.push_back(std::move(own));
  }

  std::vector<std::string> not_in_alphabet(const Process& process) const {
    std::set<std::string> left = performed_;
    for (const lts::Label label : process.lts.alphabet()) {
      left.erase(process.lts.labels()->name(label));
    }
    return {left.begin(), left.end()};
  }

  std::string question(const Line& line, std::size_t arm) {
    const Arm& own = line.def->arms[arm];
    ReturnClasses classes(line.processes[arm].returns);
    if (classes.is_too_many()) {
      files_[line.file].source->fail(
          own.process.offset,
          "the conditions on results in this process split the values into "
          "too many classes");
    }
    Question question;
    question.target = line.def->routine.name;
    question.spec = shortened(own.process.text);
    question.guard = guard_text(*line.def, arm);
    question.lts = std::make_shared<const lts::Lts>(
        split_returns(line.processes[arm], classes, outside_));
    question.state_names = line.processes[arm].state_names;
    question.unperformed =
        find_unperformed(actions_of(line.processes[arm]), performed_);
    for (const ReturnClass& each : classes.classes()) {
      if (each.is_contradictory) question.contradictory.push_back(each.label);
    }
    question.entry = fmt::format("__agon_target_{}_{}", line.number, arm);
    question.arm = arm;
    if (!question.guard.empty()) question.guards = guards_entry(line);
    question.covers_all_entries = covers_all(*line.def);
    question.is_imported = files_[line.file].is_imported;
    question.place = place(line.file, own.offset);
    append(wrapper(to_write(line), arm, question.entry, classes));
    result_.questions_.push_back(question);
    return question.entry;
  }

  static std::string guard_text(const Description& def, std::size_t arm) {
    if (def.arms[arm].guard) return trimmed_text(*def.arms[arm].guard);
    std::string result;
    for (std::size_t i = 0; i < arm; ++i) {
      result += fmt::format("{}!({})", result.empty() ? "" : " && ",
                            trimmed_text(*def.arms[i].guard));
    }
    return result;
  }

  static std::string guards_entry(const Line& line) {
    return fmt::format("__agon_guards_{}", line.number);
  }

  void append_guard_check(const Line& line, bool must_be_complete) {
    const auto& arms = line.def->arms;
    const bool incomplete = must_be_complete && !covers_all(*line.def);
    const std::size_t guards = arms.size() - (covers_all(*line.def) ? 1 : 0);
    const bool is_used = !must_be_complete && guards > 0;
    if (guards < 2 && !incomplete && !is_used) return;
    GuardCheck check;
    check.routine = line.def->routine.name;
    check.entry = guards_entry(line);
    check.must_be_complete = incomplete;
    check.must_be_exclusive = guards > 1;
    check.is_imported = files_[line.file].is_imported;
    check.place = place(line.file, arms[0].offset);
    append(guard_check(to_write(line), check.entry, incomplete));
    result_.guard_checks_.push_back(std::move(check));
  }

  void observe(std::size_t file, const EventDef& event) {
    const std::string function =
        fmt::format("__agon_event_{}", result_.plan_.observers.size());
    begin_fragment(event.routine, observer(*files_[file].source, event,
                                           function, action(event.label)));
    ir::Fragment& fragment = result_.fragments_.back();
    fragment.with_result = event.on_return;
    std::optional<std::size_t> named;
    if (event.parameters) {
      fragment.parameters = *event.parameters;
      named = event.parameters->size();
    }
    result_.plan_.observers.push_back(
        {event.label, event.routine, function, event.on_return, named,
         files_[file].is_imported, place(file, event.routine_offset), false});
  }

  void program(std::size_t file, const ProgramDef& def) {
    std::optional<Process> process;
    if (def.process)
      process = processes_->compile(file, *def.process, context_);
    ProgramParts parts =
        make_program(files_[file], file, def, process ? &*process : nullptr,
                     *processes_, result_.programs_.size());
    const std::size_t first = lines_.size() + result_.plan_.components.size();
    for (const ComponentWrapper& each : parts.wrappers) {
      for (const auto only :
           {ir::Fragment::Only::Values, ir::Fragment::Only::Nothing}) {
        declare_actions();
        result_.fragments_.push_back(component_wrapper(
            *files_[file].source, each, first, only, action_));
      }
      const auto& conditions = each.classes.conditions();
      result_.plan_.components.push_back(
          {each.routine, each.function,
           std::ranges::any_of(conditions,
                               [](const ReturnCondition& condition) {
                                 return condition.kind !=
                                        ReturnCondition::Kind::Any;
                               }),
           files_[file].is_imported, place(file, each.offset)});
    }
    parts.question.spec =
        def.process ? shortened(def.process->text) : "deadlock-free";
    result_.programs_.push_back(std::move(parts.question));
  }

  void module(std::size_t file, const ModuleDef& def) {
    const Process process = processes_->compile(file, def.process, context_);
    const support::Source& source = *files_[file].source;
    if (!process.returns.empty()) {
      source.fail(def.process.offset,
                  fmt::format("this process performs '{}', but not whose: "
                              "'f.return' is a return of f",
                              process.returns.front().written));
    }
    const auto condition = [&](const std::string& label) {
      return processes_->condition(label, file, def.process);
    };
    const ModuleReturns returns(process.lts, condition);
    ModuleQuestion question;
    question.spec = shortened(def.process.text);
    question.place = place(file, def.process.offset);
    question.is_imported = files_[file].is_imported;
    for (const ModuleReturns::Routine& each : returns.routines()) {
      const std::string call = ModuleReturns::call_of(each.name);
      if (performed_.contains(call)) {
        source.fail(def.process.offset,
                    fmt::format("'{}' is what the client does, so nothing else "
                                "can be called so",
                                call));
      }
      if (each.classes.is_too_many()) {
        source.fail(def.process.offset,
                    fmt::format("the conditions on results of '{}' split the "
                                "values into too many classes",
                                each.name));
      }
      question.routines.push_back({each.name, boundary(file, def, each, false),
                                   boundary(file, def, each, true)});
    }
    question.lts = std::make_shared<const lts::Lts>(returns.split());
    question.state_names = process.state_names;
    result_.modules_.push_back(std::move(question));
  }

  /// A function that performs the calls or the returns of a routine of which a
  /// module process speaks; its name.
  std::string boundary(std::size_t file, const ModuleDef& def,
                       const ModuleReturns::Routine& routine, bool on_return) {
    if (on_return ? routine.classes.conditions().empty() : !routine.is_called) {
      return {};
    }
    const support::Source& source = *files_[file].source;
    const Offset place = def.process.offset;
    const std::string function =
        fmt::format("__agon_event_{}", result_.plan_.observers.size());
    begin_fragment(routine.name, "");
    append(on_return ? returned(source, place, function, routine.name,
                                routine.classes, action_)
                     : called(source, place, function,
                              action(ModuleReturns::call_of(routine.name))));
    result_.fragments_.back().with_result = on_return;
    result_.plan_.observers.push_back({routine.name, routine.name, function,
                                       on_return, std::nullopt, true,
                                       this->place(file, place), true});
    return function;
  }

  void begin_fragment(const std::string& routine, std::string text) {
    declare_actions();
    result_.fragments_.push_back({routine, std::move(text), {}, false});
  }
  void append(const std::string& text) {
    result_.fragments_.back().text += text;
  }

  /// In front of the latest fragment, the actions that it uses.
  void declare_actions() {
    if (!result_.fragments_.empty()) {
      std::string text = "\n";
      for (const std::size_t used : used_actions_) {
        text += fmt::format("extern void __agon_action_{}(void);", used);
      }
      result_.fragments_.back().text.insert(0, text);
    }
    used_actions_.clear();
  }

  support::Context& context_;
  ActionNames action_;
  std::vector<File> files_;
  std::optional<Processes> processes_;
  std::vector<Line> lines_;
  std::map<std::string, std::size_t> assumptions_;  // Routine to line.
  std::set<std::string> performed_;
  std::set<std::string> outside_;
  std::map<std::string, std::size_t> actions_;
  std::set<std::size_t> used_actions_;  // Of the latest fragment.
  Specification result_;
};

Specification load(const support::Source& source, support::Context& context,
                   const LoadOptions& options) {
  return Loader(source, context, options).run();
}

Specification load(const std::string& path, support::Context& context) {
  return load(support::Source::open(path), context);
}

std::string GuardCheck::covered(std::size_t arm) {
  return fmt::format("guard {} holds", arm);
}

}  // namespace agon::spec
