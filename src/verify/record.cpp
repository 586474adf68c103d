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

#include "analysis/unknown_calls.h"
#include "evidence/playback.h"
#include "ir/interpreter.h"
#include "term/substitute.h"
#include "verify/start.h"

namespace agon::verify {
namespace {

using evidence::Recording;
using term::Bits;
using Calls = std::vector<ir::Position>;

constexpr std::size_t kMostAnswers = 200'000;

Bits bits_of(const term::Integer& value) { return static_cast<Bits>(value); }

std::string text(Bits value) { return fmt::format("{}", value); }

/// Something that the prepared program chose or allocated.
struct Chosen {
  ir::Position position;
  Calls calls;
  ir::VariableId target;
  term::Value value;
  std::string source;  ///< The routine that was asked, if any.
  bool is_allocation = false;
};

Calls calls_of(const ir::Program& program, ir::InlineId inlined) {
  Calls result;
  for (; inlined.valid(); inlined = program.inlined[inlined.index()].outer) {
    result.push_back(program.inlined[inlined.index()].call);
  }
  std::ranges::reverse(result);
  return result;
}

/// What happens in the prepared program.
class PreparedRun final : public ir::ZeroEnvironment, public ir::Listener {
 public:
  PreparedRun(const Task& task, const term::Assignment& initial,
              const std::vector<term::Value>& choices, std::size_t num_actions)
      : program_(task.program),
        body_(task.program[task.entry].body),
        initial_(initial),
        choices_(choices),
        needed_(num_actions) {
    for (std::size_t i = 0; i < program_.variables.size(); ++i) {
      if (program_.variables[i].name == analysis::kHeap) {
        heap_ = ir::VariableId::at(i);
      }
    }
    ir::InterpreterOptions options;
    options.listener = this;
    run_ = ir::interpret(program_, task.entry, *this, options);
  }

  const std::vector<Chosen>& chosen() const { return chosen_; }
  const ir::Run& run() const { return run_; }
  const std::set<std::uint64_t>& reads(ir::VariableId array) const {
    static const std::set<std::uint64_t> none;
    const auto found = reads_.find(array);
    return found != reads_.end() ? found->second : none;
  }

  bool step(const ir::Step& step, const ir::StateView& state) override {
    if (num_actions_ == needed_) return false;
    edge_ = &body_.edge(step.edge);
    const auto* const assign = std::get_if<ir::Assign>(&edge_->statement);
    if (assign == nullptr || !heap_.valid() || assign->target == heap_ ||
        assign->value != program_[heap_].term) {
      return true;
    }
    Chosen made = at_edge(assign->target);
    made.is_allocation = true;
    made.value.number = state.value(heap_);
    chosen_.push_back(std::move(made));
    return true;
  }
  std::vector<Bits> call(const ir::Program&, const ir::Function&,
                         std::span<const Bits>, ir::MemoryAccess&) override {
    ++num_actions_;  // Nothing else is called here.
    return {};
  }
  void read(ir::VariableId array, std::uint64_t index,
            std::uint64_t count) override {
    constexpr std::uint64_t kMost = 1 << 16;
    for (std::uint64_t i = 0; i < std::min(count, kMost); ++i) {
      reads_[array].insert(index + i);
    }
  }
  Bits choose(const ir::Program&, const ir::Havoc& havoc,
              const ir::Position&) override {
    return bits_of(next(havoc).number);
  }
  const term::Value* choose_array(const ir::Program&, const ir::Havoc& havoc,
                                  const ir::Position&) override {
    return &next(havoc);
  }
  Bits initial_value(const ir::Program&, ir::VariableId variable) override {
    const auto found = initial_.find(program_[variable].term);
    return found != initial_.end() ? bits_of(found->second.number) : 0;
  }
  const term::Value* initial_array(const ir::Program&,
                                   ir::VariableId variable) override {
    const auto found = initial_.find(program_[variable].term);
    return found != initial_.end() ? &found->second : nullptr;
  }

 private:
  Chosen at_edge(ir::VariableId target) const {
    return {edge_->position,
            calls_of(program_, edge_->inlined),
            target,
            term::Value{program_[target].term.sort(), 0, {}},
            "",
            false};
  }
  const term::Value& next(const ir::Havoc& havoc) {
    Chosen made = at_edge(havoc.target);
    made.source = havoc.source;
    const bool is_given =
        !choices_.are_arrays_zero || !made.value.sort.is_array();
    if (is_given && next_ < choices_.values.size()) {
      made.value = choices_.values[next_++];
    }
    chosen_.push_back(std::move(made));
    return chosen_.back().value;
  }

  const ir::Program& program_;
  const ir::Cfa& body_;
  const term::Assignment& initial_;
  const Choices& choices_;
  std::size_t needed_;
  std::size_t num_actions_ = 0;
  std::size_t next_ = 0;
  ir::VariableId heap_;
  const ir::Edge* edge_ = nullptr;
  std::vector<Chosen> chosen_;
  std::map<ir::VariableId, std::set<std::uint64_t>> reads_;
  ir::Run run_;
};

/// Where the objects of the prepared program lie, by where they are declared
/// and the calls through which they came.
class Places {
 public:
  Places(const Task& task, const ir::Run& run) {
    const ir::Program& program = task.program;
    std::map<term::Term, Calls> calls;
    const auto note = [&](const ir::Edge& edge, term::Term in) {
      term::visit_subterms(in, [&](term::Term t) {
        if (t.kind() != term::Kind::Address) return;
        Calls here = calls_of(program, edge.inlined);
        const auto [known, is_new] = calls.try_emplace(t, here);
        if (!is_new && here.size() < known->second.size()) {
          known->second = std::move(here);
        }
      });
    };
    for (const ir::Edge& edge : program[task.entry].body.edges()) {
      if (const auto* assign = std::get_if<ir::Assign>(&edge.statement)) {
        note(edge, assign->value);
      } else if (const auto* test = std::get_if<ir::Assume>(&edge.statement)) {
        note(edge, test->condition);
      }
    }
    for (const auto& [id, address] : run.addresses) {
      const ir::Object& object = program[id];
      if (object.kind != ir::ObjectKind::Local) {
        by_name_[object.name] = address;
      } else if (const auto at = calls.find(object.address);
                 at != calls.end()) {
        locals_[{object.position, at->second}] = address;
      }
    }
  }

  std::optional<std::uint64_t> find(const ir::Object& object,
                                    const ir::StateView& state) const {
    if (object.kind != ir::ObjectKind::Local) {
      const auto found = by_name_.find(object.name);
      return found == by_name_.end() ? std::nullopt
                                     : std::optional(found->second);
    }
    const auto found = locals_.find({object.position, state.calls()});
    return found == locals_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::map<std::string, std::uint64_t> by_name_;
  std::map<std::pair<ir::Position, Calls>, std::uint64_t> locals_;
};

/// Answers the original program as the prepared one was answered, and takes the
/// answers down.
class Aligned final : public ir::Environment, public ir::Listener {
 public:
  Aligned(const ir::Program& program, const Task& task, const PreparedRun& made,
          const term::Assignment& initial, std::size_t num_actions,
          Recording& recording)
      : program_(program),
        task_(task),
        made_(made),
        initial_(initial),
        places_(task, made.run()),
        needed_(num_actions),
        recording_(recording) {
    for (const Chosen& each : made.chosen()) {
      open_[{each.position, each.calls}].push_back(&each);
    }
    for (const lts::Label label : task.spec.alphabet()) {
      visible_.insert(task.spec.labels()->name(label));
    }
    for (std::size_t i = 0; i < task.program.variables.size(); ++i) {
      const auto id = ir::VariableId::at(i);
      const ir::Variable& array = task.program[id];
      if (array.kind != ir::VariableKind::Memory) continue;
      const auto found = initial.find(array.term);
      if (found == initial.end()) continue;
      for (const auto& [address, byte] : cells(id, found->second)) {
        memory_.try_emplace(address, byte);
      }
    }
    for (const auto& [address, byte] : memory_) {
      if (byte != 0) recording_.memory.push_back({address, byte});
    }
  }

  bool step(const ir::Step& step, const ir::StateView& state) override {
    if (actions_.size() == needed_ || is_too_long()) return false;
    edge_ = &program_[step.function].body.edge(step.edge);
    if (std::holds_alternative<ir::Havoc>(edge_->statement) ||
        std::holds_alternative<ir::Call>(edge_->statement)) {
      calls_ = state.calls();
    }
    return true;
  }

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
      for (const auto& [address, byte] : cells(found->target, found->value)) {
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
    Recording::Answer& answer = add(Recording::Kind::Call, routine.name);
    const std::size_t num_results =
        std::get<ir::Call>(edge_->statement).results.size();
    std::set<ir::VariableId> seen;
    std::vector<Bits> results;
    const auto is_next = [&](const Chosen& each) {
      return !each.is_allocation && !seen.contains(each.target) &&
             (each.source.empty() || each.source == routine.display);
    };
    while (results.empty() || results.size() < num_results) {
      const Chosen* const found = take(is_next);
      if (found == nullptr) break;
      seen.insert(found->target);
      answer.matters = true;
      change(*found, memory, answer, results);
    }
    for (const Bits value : results) answer.values.push_back(text(value));
    return results;
  }

  std::uint8_t initial_byte(std::uint64_t address) override {
    const auto found = memory_.find(address);
    return found != memory_.end() ? found->second : 0;
  }

  Bits initial_value(const ir::Program& program,
                     ir::VariableId variable) override {
    const auto found = initial_.find(program[variable].term);
    const Bits value =
        found != initial_.end() ? bits_of(found->second.number) : 0;
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

  std::optional<std::uint64_t> allocate(const ir::Program&,
                                        const ir::Function& routine) override {
    Recording::Answer& answer = add(Recording::Kind::Heap, routine.name);
    const Chosen* const found =
        take([](const Chosen& each) { return each.is_allocation; });
    if (found == nullptr) return std::nullopt;
    answer.values = {text(bits_of(found->value.number))};
    return static_cast<std::uint64_t>(found->value.number);
  }

  bool is_too_long() const { return recording_.answers.size() > kMostAnswers; }
  /// The visible ones.
  const std::vector<std::string>& actions() const { return actions_; }

 private:
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

  /// The bytes of the elements that matter.
  std::vector<std::pair<std::uint64_t, std::uint8_t>> cells(
      ir::VariableId array, const term::Value& value) const {
    std::vector<std::pair<std::uint64_t, std::uint8_t>> result;
    for (const std::uint64_t index : made_.reads(array)) {
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
              Recording::Answer& answer, std::vector<Bits>& results) const {
    const ir::Variable& target = task_.program[chosen.target];
    if (target.kind == ir::VariableKind::Memory) {
      for (const auto& [address, byte] : cells(chosen.target, chosen.value)) {
        memory.write_byte(address, byte);
        answer.memory.push_back({address, byte});
      }
      return;
    }
    const Bits value = bits_of(chosen.value.number);
    if (target.kind != ir::VariableKind::Global) {
      results.push_back(value);
      return;
    }
    const ir::VariableId id = program_.variable_of(target.term);
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
  const term::Assignment& initial_;
  Places places_;
  std::size_t needed_;
  std::set<std::string> visible_;
  std::vector<std::string> actions_;
  Recording& recording_;
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

std::optional<Recording> record(const Task& task,
                                const term::Assignment& initial,
                                const Choices& choices,
                                const std::vector<std::string>& actions) {
  if (actions.empty()) return std::nullopt;
  const PreparedRun made(task, initial, choices, actions.size());
  const ir::Program program = runnable(*task.original);
  Recording recording;
  recording.entry = program[task.original->entry].name;
  recording.any_state = task.original->any_state;
  Aligned environment(program, task, made, initial, actions.size(), recording);
  ir::InterpreterOptions options = evidence::playback_options(program);
  options.listener = &environment;
  ir::interpret(program, task.original->entry, environment, options);
  if (environment.is_too_long() || environment.actions() != actions) {
    return std::nullopt;
  }
  recording.actions = actions;
  return recording;
}

}  // namespace agon::verify
