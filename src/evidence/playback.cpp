// SPDX-License-Identifier: Apache-2.0
#include "evidence/playback.h"

#include <fmt/format.h>

namespace agon::evidence {

using term::Bits;

ir::InterpreterOptions playback_options(const ir::Program& program) {
  ir::InterpreterOptions options;
  options.first_address = first_address(program.pointer_width());
  return options;
}

Playback::Playback(const Recording& recording) : recording_(recording) {
  for (const Recording::Cell& cell : recording.memory) {
    memory_[cell.address] = cell.byte;
  }
  for (const Recording::Named& value : recording.initial) {
    initial_[value.name] = number(value.value);
  }
}

bool Playback::is_next(Recording::Kind kind, const std::string& name) const {
  return next_ < recording_.answers.size() &&
         recording_.answers[next_].kind == kind &&
         recording_.answers[next_].name == name;
}

const Recording::Answer* Playback::next(Recording::Kind kind,
                                        const std::string& name) {
  if (problem_) return nullptr;
  if (is_next(kind, name)) return &recording_.answers[next_++];
  const Recording::Answer* const answer =
      next_ < recording_.answers.size() ? &recording_.answers[next_] : nullptr;
  problem_ = fmt::format(
      "the program asks for {} '{}', but {}", to_string(kind), name,
      answer == nullptr ? "the recording is at its end"
                        : fmt::format("{} '{}' was recorded",
                                      to_string(answer->kind), answer->name));
  return nullptr;
}

Bits Playback::choose(const ir::Program& program, const ir::Havoc& havoc,
                      const ir::Position&) {
  const auto* const answer =
      next(Recording::Kind::Choice, program[havoc.target].name);
  return answer != nullptr && !answer->values.empty()
             ? number(answer->values.front())
             : 0;
}

const term::Value* Playback::choose_array(const ir::Program& program,
                                          const ir::Havoc& havoc,
                                          const ir::Position&) {
  const auto* const answer =
      next(Recording::Kind::Array, program[havoc.target].name);
  array_ = {program[havoc.target].term.sort(), 0, {}};
  if (answer == nullptr) return &array_;
  if (!answer->values.empty()) array_.number = number(answer->values.front());
  for (const Recording::Cell& cell : answer->memory) {
    array_.elements[cell.address] = cell.byte;
  }
  return &array_;
}

std::vector<Bits> Playback::call(const ir::Program& program,
                                 const ir::Function& routine,
                                 std::span<const Bits>,
                                 ir::MemoryAccess& memory) {
  if (routine.is_action) return {};
  return answer_call(program, routine.name, memory);
}

std::optional<std::vector<Bits>> Playback::call_outside(
    const ir::Program& program, std::uint64_t address,
    std::span<const Bits> arguments, ir::MemoryAccess& memory) {
  outside_address_ = address;
  outside_arguments_.assign(arguments.begin(), arguments.end());
  return answer_call(program, kSomeFunction, memory);
}

std::vector<Bits> Playback::answer_call(const ir::Program& program,
                                        const std::string& routine,
                                        ir::MemoryAccess& memory) {
  const auto* const answer = next(Recording::Kind::Call, routine);
  if (answer == nullptr) return {};
  if (watch_) watch_(*answer, memory);
  for (const Recording::Cell& cell : answer->memory) {
    memory.write_byte(cell.address, cell.byte);
  }
  for (const Recording::Named& global : answer->globals) {
    const ir::VariableId id =
        program.variable_of(program.pool->find(global.name));
    if (id.valid() && !program[id].owner.valid() &&
        !program[id].term.sort().is_array()) {
      memory.write_global(id, number(global.value));
    }
  }
  std::vector<Bits> results;
  for (const std::string& value : answer->values) {
    results.push_back(number(value));
  }
  return results;
}

std::uint8_t Playback::initial_byte(std::uint64_t address) {
  const auto found = memory_.find(address);
  return found != memory_.end() ? found->second : 0;
}

Bits Playback::initial_value(const ir::Program& program,
                             ir::VariableId variable) {
  const auto found = initial_.find(program[variable].name);
  return found != initial_.end() ? found->second : 0;
}

std::optional<std::uint64_t> Playback::place(const ir::Program& program,
                                             ir::ObjectId object,
                                             const ir::StateView&) {
  // Of what there is but once, only what has a place is recorded.
  if (program[object].kind != ir::ObjectKind::Local &&
      !is_next(Recording::Kind::Object, program[object].name)) {
    return std::nullopt;
  }
  const auto* const answer =
      next(Recording::Kind::Object, program[object].name);
  if (answer == nullptr || answer->values.empty()) return std::nullopt;
  return static_cast<std::uint64_t>(number(answer->values.front()));
}

std::optional<std::uint64_t> Playback::place(const ir::Program& program,
                                             ir::FunctionId function) {
  const std::string& name = program[function].name;
  if (!is_next(Recording::Kind::Function, name)) return std::nullopt;
  const auto* const answer = next(Recording::Kind::Function, name);
  if (answer == nullptr || answer->values.empty()) return std::nullopt;
  return static_cast<std::uint64_t>(number(answer->values.front()));
}

std::optional<std::uint64_t> Playback::allocate(const ir::Program&,
                                                const ir::Function& routine) {
  const auto* const answer = next(Recording::Kind::Heap, routine.name);
  if (answer == nullptr || answer->values.empty()) return std::nullopt;
  return static_cast<std::uint64_t>(number(answer->values.front()));
}

}  // namespace agon::evidence
