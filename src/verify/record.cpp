// SPDX-License-Identifier: Apache-2.0
// The prepared program is run once more to see which bytes of memory matter:
// those that it reads. Then the original is run with answers that are looked up
// in that run. All addresses are the same in both, so that a pointer is a
// number here as there.
#include "verify/record.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <unordered_set>

#include "analysis/statements.h"
#include "evidence/playback.h"
#include "ir/interpreter.h"
#include "ir/routines.h"
#include "verify/prepared_run.h"
#include "verify/start.h"

namespace agon::verify {
namespace {

using evidence::Recording;
using term::Bits;

// A client whose choices are not found again makes one call for ever.
constexpr std::uint64_t kMostClientSteps = 1'000'000;
constexpr std::size_t kMostAnswers = 200'000;

Bits bits_of(const term::Integer& value) { return static_cast<Bits>(value); }

std::string text(Bits value) { return fmt::format("{}", value); }

std::set<std::string> visible_of(const Task& task) {
  std::set<std::string> result;
  for (const lts::Label label : task.spec.alphabet()) {
    result.insert(task.spec.labels()->name(label));
  }
  return result;
}

/// Answers the original program as the prepared one was answered, and takes the
/// answers down.
class Aligned final : public ir::Environment, public ir::Listener {
 public:
  Aligned(const ir::Program& program, const Task& task, const PreparedRun& made,
          const term::Assignment& initial, std::size_t num_actions,
          evidence::Until until, Recording& recording)
      : program_(program),
        task_(task),
        made_(made),
        places_(task, made.run()),
        needed_(num_actions),
        until_(until),
        visible_(visible_of(task)),
        rests_(program, visible_),
        recording_(recording) {
    for (const auto& [term, value] : initial) {
      if (term.kind() != term::Kind::Variable || term.sort().is_array())
        continue;
      initial_.emplace(term.name(), bits_of(value.number));
    }
    for (const Chosen& each : made.chosen()) {
      open_[{each.position, each.calls}].push_back(&each);
    }
    for (std::size_t i = 0; i < task.program.variables.size(); ++i) {
      const auto id = ir::VariableId::at(i);
      const ir::Variable& array = task.program[id];
      if (array.kind != ir::VariableKind::Memory) continue;
      const auto found = initial.find(array.term);
      if (found == initial.end()) continue;
      for (const auto& [address, byte] : cells(id, found->second, {})) {
        memory_.try_emplace(address, byte);
      }
    }
    for (const auto& [address, byte] : memory_) {
      if (byte != 0) recording_.memory.push_back({address, byte});
    }
  }

  bool step(const ir::Step& step, const ir::StateView& state) override {
    if (is_over(step)) return false;
    edge_ = &program_[step.function].body.edge(step.edge);
    if (std::holds_alternative<ir::Havoc>(edge_->statement) ||
        std::holds_alternative<ir::Call>(edge_->statement)) {
      calls_ = state.calls();
    }
    return true;
  }

  bool may_skip() override { return actions_.size() < needed_; }

  Bits choose(const ir::Program&, const ir::Havoc& havoc,
              const ir::Position&) override {
    Recording::Answer& answer = add(Recording::Kind::Choice, havoc);
    const Chosen* const found = take([&](const Chosen& each) {
      return !each.is_allocation && is_same(each.target, havoc.target);
    });
    const Bits value = found != nullptr ? bits_of(found->value.number) : 0;
    answer.matters = found != nullptr;
    answer.values = {text(value)};
    return value;
  }

  /// An array of bytes may have become several, with wider elements.
  const term::Value* choose_array(const ir::Program&, const ir::Havoc& havoc,
                                  const ir::Position&) override {
    Recording::Answer& answer = add(Recording::Kind::Array, havoc);
    array_ = {program_[havoc.target].term.sort(), 0, {}};
    std::set<ir::VariableId> seen;
    while (const Chosen* const found = take([&](const Chosen& each) {
             return each.value.sort.is_array() && !seen.contains(each.target);
           })) {
      seen.insert(found->target);
      answer.matters = true;
      for (const auto& [address, byte] :
           cells(found->array, found->value, found->kept)) {
        if (!array_.elements.try_emplace(address, byte).second) continue;
        answer.memory.push_back({address, byte});
      }
    }
    answer.values = {"0"};
    return &array_;
  }

  /// A call has become a choice of all that it may change, then of its results.
  std::vector<Bits> call(const ir::Program&, const ir::Function& routine,
                         std::span<const Bits>,
                         ir::MemoryAccess& memory) override {
    if (routine.is_action) {
      if (visible_.contains(routine.display)) {
        actions_.push_back(routine.display);
      }
      return {};
    }
    return answer_call(routine.display, memory,
                       add(Recording::Kind::Call, routine.name));
  }

  std::optional<std::vector<Bits>> call_outside(
      const ir::Program&, std::uint64_t, std::span<const Bits>,
      ir::MemoryAccess& memory) override {
    return answer_call("", memory,
                       add(Recording::Kind::Call, evidence::kSomeFunction));
  }

  std::uint8_t initial_byte(std::uint64_t address) override {
    const auto found = memory_.find(address);
    return found != memory_.end() ? found->second : 0;
  }

  Bits initial_value(const ir::Program& program,
                     ir::VariableId variable) override {
    const auto found = initial_.find(program[variable].name);
    const Bits value = found != initial_.end() ? found->second : 0;
    recording_.initial.push_back({program[variable].name, text(value)});
    return value;
  }

  std::optional<std::uint64_t> place(const ir::Program& program,
                                     ir::ObjectId object,
                                     const ir::StateView& state) override {
    const auto address = places_.find(program[object], state);
    const bool is_local = program[object].kind == ir::ObjectKind::Local;
    if (!address && !is_local) return std::nullopt;
    Recording::Answer& answer =
        add(Recording::Kind::Object, program[object].name);
    if (address) answer.values = {text(*address)};
    return address;
  }

  std::optional<std::uint64_t> place(const ir::Program& program,
                                     ir::FunctionId function) override {
    const auto address = places_.find(program[function]);
    if (address) {
      add(Recording::Kind::Function, program[function].name).values = {
          text(*address)};
    }
    return address;
  }

  std::optional<std::uint64_t> allocate(const ir::Program&,
                                        const ir::Function& routine) override {
    Recording::Answer& answer = add(Recording::Kind::Heap, routine.name);
    const Chosen* const found =
        take([](const Chosen& each) { return each.is_allocation; });
    if (found == nullptr) return std::nullopt;
    answer.values = {text(bits_of(found->value.number))};
    return static_cast<std::uint64_t>(found->value.number);
  }

  /// Whether all answers were taken down.
  bool is_kept() const { return is_kept_; }
  /// The visible ones.
  const std::vector<std::string>& actions() const { return actions_; }

 private:
  bool is_over(const ir::Step& step) {
    return actions_.size() >= needed_ &&
           (until_ == evidence::Until::LastAction ||
            rests_.before(step).is_waiting);
  }

  /// Of a routine of this name; of any, if it is empty.
  std::vector<Bits> answer_call(const std::string& routine,
                                ir::MemoryAccess& memory,
                                Recording::Answer& answer) {
    const std::vector<ir::VariableId>& targets =
        std::get<ir::Call>(edge_->statement).results;
    std::set<ir::VariableId> seen;
    std::vector<Bits> results;
    std::size_t num_results = 0;
    const bool is_client =
        routine == ir::kClientActs || routine == ir::kClientValue;
    const auto is_next = [&](const Chosen& each) {
      if (each.is_allocation || seen.contains(each.target)) return false;
      if (is_client) return each.source == routine && fits(targets, each);
      return each.source.empty() || routine.empty() || each.source == routine;
    };
    while (num_results == 0 || num_results < targets.size()) {
      const Chosen* const found = take(is_next);
      if (found == nullptr) break;
      seen.insert(found->target);
      answer.matters = true;
      if (is_result(*found)) {
        const std::size_t index = place_among(targets, found->target);
        if (index >= results.size()) results.resize(index + 1);
        results[index] = bits_of(found->value.number);
        ++num_results;
      } else {
        change(*found, memory, answer);
      }
    }
    for (const Bits value : results) answer.values.push_back(text(value));
    return results;
  }

  /// What was chosen first of what was chosen here and not yet taken.
  template <class Fits>
  const Chosen* take(const Fits& fits) {
    if (edge_ == nullptr) return nullptr;
    const auto here = open_.find({edge_->position, calls_});
    if (here == open_.end()) return nullptr;
    const auto found = std::ranges::find_if(
        here->second, [&](const Chosen* each) { return fits(*each); });
    if (found == here->second.end()) return nullptr;
    const Chosen* const result = *found;
    here->second.erase(found);
    return result;
  }

  /// Copies that inlining makes have a number behind the name.
  bool is_same(ir::VariableId prepared, ir::VariableId original) const {
    const std::string& copy = task_.program[prepared].name;
    const std::string& name = program_[original].name;
    return copy.starts_with(name) &&
           (copy.size() == name.size() || copy[name.size()] == '.');
  }

  /// The statements of a client have no places by which they could be told
  /// apart: there, what is chosen has to be a result, if there are any.
  bool fits(const std::vector<ir::VariableId>& results,
            const Chosen& chosen) const {
    return results.empty() ||
           std::ranges::any_of(results, [&](ir::VariableId each) {
             return is_same(chosen.target, each);
           });
  }

  bool is_result(const Chosen& chosen) const {
    return !chosen.value.sort.is_array() &&
           task_.program[chosen.target].kind != ir::VariableKind::Global;
  }

  /// Which of the results of a call a variable is: some may be left out where
  /// they do not matter. Of several whose names would do it is the longest.
  std::size_t place_among(const std::vector<ir::VariableId>& results,
                          ir::VariableId prepared) const {
    std::size_t best = 0;
    std::size_t length = 0;
    for (std::size_t i = 0; i < results.size(); ++i) {
      const std::size_t size = program_[results[i]].name.size();
      if (size <= length || !is_same(prepared, results[i])) continue;
      best = i;
      length = size;
    }
    return best;
  }

  /// The bytes of the elements that matter.
  std::vector<std::pair<std::uint64_t, std::uint8_t>> cells(
      ir::VariableId array, const term::Value& value,
      const std::vector<Chosen::Part>& kept) const {
    std::vector<std::pair<std::uint64_t, std::uint8_t>> result;
    for (const std::uint64_t index : made_.reads(array)) {
      const bool is_kept =
          std::ranges::any_of(kept, [&](const Chosen::Part& part) {
            return index >= part.first && index - part.first < part.size;
          });
      if (is_kept) continue;
      const auto element = value.elements.find(index);
      const Bits bits = bits_of(
          element != value.elements.end() ? element->second : value.number);
      for (unsigned low = 0; low < value.sort.width; low += 8) {
        result.emplace_back(index + low / 8,
                            static_cast<std::uint8_t>(bits >> low));
      }
    }
    return result;
  }

  void change(const Chosen& chosen, ir::MemoryAccess& memory,
              Recording::Answer& answer) const {
    const ir::Variable& target = task_.program[chosen.target];
    if (chosen.value.sort.is_array()) {
      for (const auto& [address, byte] :
           cells(chosen.array, chosen.value, chosen.kept)) {
        memory.write_byte(address, byte);
        answer.memory.push_back({address, byte});
      }
      return;
    }
    const Bits value = bits_of(chosen.value.number);
    const ir::VariableId id =
        program_.variable_of(program_.pool->find(target.name));
    if (!id.valid()) return;
    memory.write_global(id, value);
    answer.globals.push_back({target.name, text(value)});
  }

  Recording::Answer& add(Recording::Kind kind, std::string name) {
    Recording::Answer answer;
    answer.kind = kind;
    answer.name = std::move(name);
    if (edge_ != nullptr && edge_->position.line != 0) {
      answer.file = program_.files[edge_->position.file.index()];
      answer.line = edge_->position.line;
      answer.column = edge_->position.column;
    }
    if (!is_kept_) return unkept_ = std::move(answer);
    is_kept_ = recording_.answers.size() < kMostAnswers;
    recording_.answers.push_back(std::move(answer));
    return recording_.answers.back();
  }
  Recording::Answer& add(Recording::Kind kind, const ir::Havoc& havoc) {
    static constexpr const char* kReasons[] = {
        "input", "uninitialised", "undefined", "float", "unsupported"};
    Recording::Answer& answer = add(kind, program_[havoc.target].name);
    answer.source = havoc.source;
    answer.reason = kReasons[static_cast<std::size_t>(havoc.reason)];
    return answer;
  }

  const ir::Program& program_;
  const Task& task_;
  const PreparedRun& made_;
  std::map<std::string, Bits> initial_;  // By name: pools may differ.
  Places places_;
  std::size_t needed_;
  evidence::Until until_;
  std::set<std::string> visible_;
  evidence::Rests rests_;
  std::vector<std::string> actions_;
  Recording& recording_;
  bool is_kept_ = true;
  Recording::Answer unkept_;
  std::map<std::uint64_t, std::uint8_t> memory_;
  const ir::Edge* edge_ = nullptr;
  Calls calls_;
  std::map<std::pair<ir::Position, Calls>, std::deque<const Chosen*>> open_;
  term::Value array_;
};

}  // namespace

Choices choices_of(const ir::Program& program, const falsify::Execution& made) {
  Choices result;
  result.are_arrays_zero = true;
  for (const falsify::ChosenValue& each : made.choices) {
    result.values.push_back(
        {program[each.variable].term.sort(), term::Integer(each.value), {}});
  }
  return result;
}

term::Assignment start_of(const ir::Program& program,
                          const falsify::Execution& made) {
  term::Assignment result;
  for (const falsify::ChosenValue& each : made.start) {
    const term::Term variable = program[each.variable].term;
    result[variable] = {variable.sort(), term::Integer(each.value), {}};
  }
  return result;
}

ir::Program runnable(const Original& original) {
  ir::Program program = original.program;
  if (original.any_state) forget_initial_values(program);
  return program;
}

namespace {

/// Those variables that no statement reads or writes, of the given ones.
std::set<std::string> unmentioned(const ir::Program& program,
                                  std::set<std::string> names) {
  std::unordered_set<term::Term> seen;
  std::vector<term::Term> open;
  const auto take = [&](ir::VariableId id) {
    if (id.valid()) names.erase(program[id].name);
  };
  for (const ir::Function& function : program.functions) {
    for (const ir::Edge& edge : function.body.edges()) {
      if (names.empty()) return names;
      analysis::for_each_target(edge.statement, take);
      analysis::for_each_term(edge.statement, [&](term::Term term) {
        for (open.push_back(term); !open.empty();) {
          const term::Term part = open.back();
          open.pop_back();
          if (!seen.insert(part).second) continue;
          take(program.variable_of(part));
          for (const term::Term each : part.operands()) open.push_back(each);
        }
      });
    }
  }
  return names;
}

/// Constants, for example, have been replaced by their values.
void drop_unmentioned(const ir::Program& program, Recording& recording) {
  std::set<std::string> names;
  for (const Recording::Named& each : recording.initial) {
    names.insert(each.name);
  }
  names = unmentioned(program, std::move(names));
  std::erase_if(recording.initial, [&](const Recording::Named& each) {
    return names.contains(each.name);
  });
}

/// What a run does instead of these actions; empty if it performs them, or
/// has done nothing else when the interpreter stops: loops that only take time
/// have been sliced away, and there they may take too much.
std::string difference(const std::vector<std::string>& expected,
                       const std::vector<std::string>& performed,
                       ir::Outcome outcome) {
  const auto [should, does] = std::ranges::mismatch(expected, performed);
  if (should == expected.end()) return {};
  if (does == performed.end()) {
    if (outcome == ir::Outcome::StepLimit) return {};
    return fmt::format("it {} before '{}'",
                       outcome == ir::Outcome::Blocked
                           ? "comes to an assumption that does not hold"
                           : "ends",
                       *should);
  }
  return fmt::format("it performs '{}' instead of '{}'", *does, *should);
}

}  // namespace

Replayed record(const Task& task, const term::Assignment& initial,
                const Choices& choices, const std::vector<std::string>& actions,
                evidence::Until until) {
  const PreparedRun made(task, initial, choices, actions.size(), until);
  const ir::Program program = runnable(*task.original);
  Recording recording;
  recording.entry = program[task.original->entry].name;
  recording.any_state = task.original->any_state;
  Aligned environment(program, task, made, initial, actions.size(), until,
                      recording);
  ir::InterpreterOptions options = evidence::playback_options(program);
  options.listener = &environment;
  if (task.module != nullptr) options.max_steps = kMostClientSteps;
  const ir::Run run =
      ir::interpret(program, task.original->entry, environment, options);
  Replayed result;
  result.problem = difference(actions, environment.actions(), run.outcome);
  const bool is_whole = environment.actions() == actions;
  if (!is_whole || !environment.is_kept()) return result;
  drop_unmentioned(program, recording);
  recording.actions = actions;
  result.recording = std::move(recording);
  return result;
}

}  // namespace agon::verify
