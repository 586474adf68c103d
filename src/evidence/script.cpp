// SPDX-License-Identifier: Apache-2.0
#include "evidence/script.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "evidence/playback.h"
#include "ir/addresses.h"
#include "ir/client.h"
#include "ir/library.h"
#include "ir/routines.h"
#include "support/error.h"

namespace agon::evidence {
namespace {

using term::Bits;

constexpr std::string_view kWithEvents = " with events";

class Writer final : public ir::Listener {
 public:
  Writer(const ir::Program& program, const Recording& recording,
         const Surroundings& around, const std::string& target)
      : program_(program),
        recording_(recording),
        around_(around),
        target_(target),
        playback_(recording) {
    playback_.watch([this](const auto& answer, ir::MemoryAccess& memory) {
      look_for_pointers(answer, memory);
    });
  }

  Script run(ir::FunctionId entry) {
    is_client_ = program_[entry].name == ir::kClient;
    ir::InterpreterOptions options = playback_options(program_);
    options.listener = this;
    const ir::Run run = ir::interpret(program_, entry, playback_, options);
    for (const auto& [object, address] : run.addresses) {
      const bool is_global = program_[object].kind == ir::ObjectKind::Global;
      (is_global ? script_.objects : script_.locals)
          .emplace_back(object, address);
    }
    script_.functions = run.functions;
    leave_out_unread();
    return std::move(script_);
  }

  bool step(const ir::Step& step, const ir::StateView& state) override {
    take_choice();
    if (num_actions_ == recording_.actions.size()) return false;
    edge_ = &program_[step.function].body.edge(step.edge);
    if (std::holds_alternative<ir::Call>(edge_->statement)) {
      called_with_ = globals(state);
    }
    return true;
  }

  bool may_skip() override { return num_actions_ < recording_.actions.size(); }

  void entered(ir::FunctionId id, std::span<const Bits> arguments,
               const ir::StateView& state) override {
    take_choice();
    ++depth_;
    if (inside_ != 0) return;
    const ir::Function& function = program_[id];
    if (is_client_ && depth_ == 2) {
      // Others tell the specification what the client does.
      if (!around_.defined.contains(function.display)) return;
      script_.calls.push_back({function.display,
                               {arguments.begin(), arguments.end()},
                               {},
                               std::exchange(script_.last_actions, {}),
                               std::exchange(changed_.memory, {}),
                               std::exchange(changed_.globals, {})});
    }
    if (const auto found = around_.observers.find(function.name);
        found != around_.observers.end()) {
      observing_ = depth_;
      is_before_ = !found->second.on_return && !is_users(found->second.routine);
      return;
    }
    if (is_observed(function, /*on_return=*/false) &&
        function.name.ends_with(kWithEvents)) {
      add(ScriptStep::Kind::Enter, function.display);
      return;
    }
    const std::string routine = stands_for(function);
    if (routine.empty()) return;
    inside_ = depth_;
    add(ScriptStep::Kind::Call, routine, arguments);
    written_.clear();
    globals_ = globals(state);
  }

  void left(ir::FunctionId id, std::span<const Bits> results,
            const ir::StateView& state, ir::MemoryAccess& memory) override {
    take_choice();
    if (depth_ == inside_) finish_call(results, state, memory);
    if (depth_ == observing_) observing_ = 0;
    --depth_;
    const ir::Function& function = program_[id];
    if (inside_ == 0 && is_observed(function, /*on_return=*/true) &&
        !function.name.ends_with(kWithEvents)) {
      add(ScriptStep::Kind::Leave, function.display);
    }
    if (is_client_ && depth_ == 1 &&
        around_.defined.contains(function.display)) {
      script_.calls.back().results.assign(results.begin(), results.end());
    }
    // Called by the entry, possibly by way of its events, or the entry itself.
    const bool is_target = function.display == target_ && depth_ <= 2;
    if (is_target) script_.results.emplace(results.begin(), results.end());
  }

  void called(const ir::Action& action) override {
    const ir::Function& routine = program_[action.routine];
    if (routine.is_action) return note_action(routine.display);
    const Recording::Answer* const answer = playback_.last();
    if (answer != nullptr && routine.name == ir::kClientActs) {
      take_changes(*answer);
    }
    if (inside_ != 0 || routine.name.starts_with("__agon_")) return;
    if (answer == nullptr || answer->kind != Recording::Kind::Call ||
        answer->name != routine.name) {
      return;  // An allocator.
    }
    answers_ = playback_.num_answers();
    ScriptStep& step =
        add(ScriptStep::Kind::Call, routine.display, action.arguments);
    step.results = action.results;
    step.memory = answer->memory;
    step.globals = answer->globals;
    step.found = std::move(found_);
  }

  void read(ir::VariableId array, std::uint64_t index,
            std::uint64_t count) override {
    touch(array, index, count);
    if (array != program_.memory || is_looking_) return;
    for (std::uint64_t i = 0; i < count && i < kMost; ++i) {
      last_read_[index + i] = script_.steps.size();
    }
  }
  void written(ir::VariableId array, std::uint64_t index,
               std::uint64_t count) override {
    touch(array, index, count);
    if (array != program_.memory || inside_ == 0) return;
    for (std::uint64_t i = 0; i < count && i < kMost; ++i) {
      written_.insert(index + i);
    }
  }

 private:
  static constexpr std::uint64_t kMost = 1 << 16;

  void touch(ir::VariableId array, std::uint64_t index, std::uint64_t count) {
    if (array != program_.memory) return;
    for (std::uint64_t i = 0; i < count && i < kMost; ++i) {
      script_.touched.insert(index + i);
    }
  }

  /// For a routine that changes memory, where pointers to it are.
  void look_for_pointers(const Recording::Answer& answer,
                         ir::MemoryAccess& memory) {
    found_.clear();
    const auto look = [&](const std::string& variable, std::uint64_t place,
                          std::uint64_t value) {
      const bool is_near =
          std::ranges::any_of(answer.memory, [&](const Recording::Cell& cell) {
            return cell.address - value < kNear || value - cell.address < kNear;
          });
      if (is_near) found_.push_back({variable, place, value});
    };
    if (answer.memory.empty()) return;
    for (const auto& [name, value] : called_with_) {
      look(name, 0, static_cast<std::uint64_t>(value));
    }
    const unsigned size = program_.pointer_width() / 8;
    const std::set<std::uint64_t> places = script_.touched;
    is_looking_ = true;
    for (const std::uint64_t place : places) {
      if (!places.contains(place + size - 1)) continue;
      std::uint64_t value = 0;
      for (unsigned i = 0; i < size; ++i) {
        value |= std::uint64_t{memory.read_byte(place + i)} << (8 * i);
      }
      look({}, place, value);
    }
    is_looking_ = false;
  }

  /// What nobody reads afterwards need not be changed.
  void leave_out_unread() {
    for (std::size_t i = 0; i < script_.steps.size(); ++i) {
      std::erase_if(script_.steps[i].memory, [&](const Recording::Cell& cell) {
        const auto read = last_read_.find(cell.address);
        return read == last_read_.end() || read->second <= i;
      });
    }
  }

  /// The routine that a function stands for; empty if it is the user's.
  std::string stands_for(const ir::Function& function) const {
    std::string name = function.name;
    const bool has_events = name.ends_with(kWithEvents);
    if (has_events) name.resize(name.size() - kWithEvents.size());
    const auto found = around_.stands_for.find(name);
    if (found != around_.stands_for.end()) return found->second;
    return has_events && !is_users(function.display) ? function.display : "";
  }

  /// Whether the body that the user has written is run.
  bool is_users(const std::string& routine) const {
    const auto is_it = [&](const auto& each) { return each.second == routine; };
    return around_.defined.contains(routine) &&
           std::ranges::none_of(around_.stands_for, is_it);
  }

  bool is_observed(const ir::Function& function, bool on_return) const {
    const auto is_it = [&](const auto& each) {
      return each.second.routine == function.display &&
             each.second.on_return == on_return;
    };
    return is_users(function.display) &&
           std::ranges::any_of(around_.observers, is_it);
  }

  std::map<std::string, Bits> globals(const ir::StateView& state) const {
    std::map<std::string, Bits> result;
    for (std::size_t i = 0; i < program_.variables.size(); ++i) {
      const ir::Variable& variable = program_.variables[i];
      if (variable.kind == ir::VariableKind::Global &&
          !variable.term.sort().is_array()) {
        result[variable.name] = state.value(ir::VariableId::at(i));
      }
    }
    return result;
  }

  ScriptStep& add(ScriptStep::Kind kind, std::string routine,
                  std::span<const Bits> arguments = {}) {
    ScriptStep step;
    step.kind = kind;
    step.routine = std::move(routine);
    step.arguments.assign(arguments.begin(), arguments.end());
    step.actions = std::move(pending_);
    pending_.clear();
    script_.steps.push_back(std::move(step));
    return script_.steps.back();
  }

  void note_action(const std::string& name) {
    if (std::find(recording_.actions.begin(), recording_.actions.end(), name) ==
        recording_.actions.end()) {
      return;
    }
    ++num_actions_;
    if (name == "error" && inside_ == 0) return;  // The routine says so.
    if (inside_ == 0 && observing_ == 0) {
      script_.last_actions.push_back(name);
    } else if (inside_ == 0 && is_before_) {
      pending_.push_back(name);
    } else if (!script_.steps.empty()) {
      script_.steps.back().actions.push_back(name);
    }
  }

  void finish_call(std::span<const Bits> results, const ir::StateView& state,
                   ir::MemoryAccess& memory) {
    ScriptStep& step = script_.steps.back();
    step.results.assign(results.begin(), results.end());
    for (const std::uint64_t address : written_) {
      step.memory.push_back({address, memory.read_byte(address)});
    }
    for (const auto& [name, value] : globals(state)) {
      if (value == globals_[name]) continue;
      step.globals.push_back({name, fmt::format("{}", value)});
    }
    inside_ = 0;
  }

  /// What the client does with its own memory, and with variables that the
  /// module does not define.
  void take_changes(const Recording::Answer& answer) {
    for (const Recording::Cell& cell : answer.memory) {
      script_.touched.insert(cell.address);
      changed_.memory.push_back(cell);
    }
    changed_.globals.insert(changed_.globals.end(), answer.globals.begin(),
                            answer.globals.end());
  }

  /// What was called a step before.
  void call_outside(const Recording::Answer& answer) {
    if (inside_ != 0) return;
    const std::uint64_t address = playback_.outside_address();
    auto known =
        std::ranges::find(script_.outside, address, &OutsideFunction::address);
    if (known == script_.outside.end()) {
      const std::string name =
          fmt::format("agon_outside_{}", script_.outside.size());
      script_.outside.push_back(
          {name, address, std::get<ir::Call>(edge_->statement).type});
      known = std::prev(script_.outside.end());
    }
    ScriptStep& step =
        add(ScriptStep::Kind::Call, known->name, playback_.outside_arguments());
    for (const std::string& value : answer.values) {
      step.results.push_back(number(value));
    }
    step.memory = answer.memory;
    step.globals = answer.globals;
    step.found = std::move(found_);
  }

  /// Choices are told nowhere else.
  void take_choice() {
    for (; answers_ < playback_.num_answers(); ++answers_) {
      const Recording::Answer& answer = recording_.answers[answers_];
      if (answer.kind == Recording::Kind::Call &&
          answer.name == kSomeFunction) {
        call_outside(answer);
      }
      const bool is_choice = answer.kind == Recording::Kind::Choice ||
                             answer.kind == Recording::Kind::Array;
      if (!is_choice || inside_ != 0) continue;
      if (recording_.variant.has_library && ir::is_in_library(answer.source)) {
        script_.not_fed.push_back(
            fmt::format("how far from 0 the result of '{}' is", answer.source));
        continue;
      }
      if (!answer.source.empty() && !answer.source.starts_with("__agon_")) {
        ScriptStep& step = add(ScriptStep::Kind::Call, answer.source);
        step.results = {number(answer.values.front())};
      } else if (answer.matters && answer.line != 0 &&
                 !answer.file.ends_with(".agon")) {
        script_.not_fed.push_back(fmt::format("{}:{}: '{}' is {}", answer.file,
                                              answer.line, answer.name,
                                              answer.reason));
      }
    }
  }

  const ir::Program& program_;
  const Recording& recording_;
  const Surroundings& around_;
  const std::string& target_;
  Playback playback_;
  Script script_;
  const ir::Edge* edge_ = nullptr;  // That was taken last.
  bool is_client_ = false;          // Where execution starts.
  std::size_t depth_ = 0;
  std::size_t inside_ = 0;     // The depth of a routine that is not the user's.
  std::size_t observing_ = 0;  // The same of an event.
  bool is_before_ = false;
  std::size_t num_actions_ = 0;
  std::size_t answers_ = 0;
  std::vector<std::string> pending_;
  std::set<std::uint64_t> written_;
  std::map<std::string, Bits> globals_;
  std::map<std::string, Bits> called_with_;
  std::vector<ScriptStep::Found> found_;
  bool is_looking_ = false;
  /// By byte of memory, how many steps there were when it was read last.
  std::map<std::uint64_t, std::size_t> last_read_;
  ClientCall changed_;  // Before the next call.
};

}  // namespace

Script make_script(const ir::Program& program, const Recording& recording,
                   const Surroundings& around, const std::string& target) {
  const auto entry = program.find_function(recording.entry);
  AGON_ASSERT(entry.has_value());
  Script script = Writer(program, recording, around, target).run(*entry);
  const auto assumes = [&](const char* subject) {
    return std::ranges::count(program.assumptions, subject,
                              &ir::Assumption::subject) > 0;
  };
  if (assumes("addresses")) {
    script.not_fed.push_back("where objects lie, which the compiler decides");
  }
  if (!program.numbered.empty()) {
    script.not_fed.push_back(
        "what lies at addresses that are written as numbers");
  }
  const std::uint64_t heap = ir::heap_start(program.pointer_width());
  if (std::ranges::any_of(recording.memory, [&](const Recording::Cell& cell) {
        return cell.byte != 0 && cell.address >= heap;
      })) {
    script.not_fed.push_back(
        "what allocated memory holds before anything is written there");
  }
  if (assumes("order of evaluation")) {
    script.not_fed.push_back(
        "in which order operands are evaluated, which the compiler decides");
  }
  return script;
}

}  // namespace agon::evidence
