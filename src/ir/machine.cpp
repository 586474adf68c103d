// SPDX-License-Identifier: Apache-2.0
#include "ir/machine.h"

#include <algorithm>
#include <utility>

#include "ir/start.h"
#include "support/error.h"

namespace agon::ir::machine {

using term::Bits;

Bits MachineState::value(VariableId variable) const {
  const Place place = machine_.compiler_.place(variable);
  return machine_.load(place.operand, place.width);
}

std::vector<Position> MachineState::calls() const {
  std::vector<Position> result;
  for (std::size_t i = 0; i + 1 < machine_.frames_.size(); ++i) {
    const Machine::Frame& frame = machine_.frames_[i];
    result.push_back(machine_.program_[frame.code->function]
                         .body.edge(frame.call->edge)
                         .position);
  }
  return result;
}

Machine::Machine(const Program& program, Environment& environment,
                 const InterpreterOptions& options)
    : program_(program),
      environment_(environment),
      options_(options),
      compiler_(program),
      codes_(program.functions.size()),
      first_free_(std::max(options.first_address, lowest_address(program))),
      never_used_(first_free_),
      limit_(program.pointer_width() == 64 ? std::uint64_t{1} << 47
                                           : std::uint64_t{1} << 32) {
  watch_.next =
      options.record_path ? InterpreterOptions::kNever : options.skips_after;
  for (const term::Sort sort : compiler_.global_arrays()) {
    global_arrays_.push_back(std::make_unique<Array>(sort, environment));
  }
  for (std::size_t i = 0; i < program.variables.size(); ++i) {
    const VariableId id = VariableId::at(i);
    if (!program[id].term.sort().is_array() || !compiler_.is_global(id)) {
      continue;
    }
    Array& global = array(compiler_.array(id));
    global.listen(options.listener, id);
    if (program[id].kind == VariableKind::Memory) memory_.push_back(&global);
  }
}

Run Machine::run(FunctionId entry) {
  start(entry);
  if (enter(entry)) {
    note_addresses(entry);
    while (step()) {
    }
  }
  if (!frames_.empty()) {
    run_.last_function = frames_.back().code->function;
    run_.last_location = LocationId(frames_.back().location);
  }
  return std::move(run_);
}

void Machine::note_addresses(FunctionId entry) {
  for (std::size_t i = 0; i < program_.objects.size(); ++i) {
    const ObjectId id = ObjectId::at(i);
    const FunctionId owner = program_[id].owner;
    if (owner.valid() && owner != entry) continue;
    run_.addresses.emplace_back(id, word(compiler_.address(id)));
  }
}

void Machine::start(FunctionId entry) {
  globals_ = compiler_.compile_globals();
  // One word more, since code may look at a word that it does not need.
  words_.resize(globals_.num_words + 1);
  load_bases();
  for (const ObjectCode& object : globals_.objects) {
    word(object.address) = place(object.object);
  }
  for (std::size_t i = 0; i < program_.functions.size(); ++i) {
    const FunctionId id = FunctionId::at(i);
    if (!program_[id].address.valid()) continue;
    auto address = environment_.place(program_, id);
    if (!address) address = allocate(16, 16);
    AGON_ASSERT(address.has_value());
    run_.functions.emplace_back(id, *address);
    word(compiler_.address(id)) = *address;
    function_at_.emplace(*address, id);
  }
  for (std::size_t i = 0; i < program_.variables.size(); ++i) {
    const VariableId id = VariableId::at(i);
    const Variable& variable = program_[id];
    if (!compiler_.is_global(id) || variable.initial.valid()) continue;
    const Place place = compiler_.place(id);
    if (variable.term.sort().is_array()) {
      const auto* const value = environment_.initial_array(program_, id);
      if (value != nullptr) fill(array(place.operand), *value);
      continue;
    }
    store(place.operand, place.width, environment_.initial_value(program_, id));
  }
  for (const EdgeCode& assignment : globals_.edges) {
    execute(globals_, assignment.block);
    if (assignment.kind == EdgeKind::AssignArray) {
      assign_array(globals_, assignment);
    }
  }
  never_used_ = first_free_;
  for (const ObjectCode& object : globals_.objects) {
    initialise(globals_, object, word(object.address));
  }
  values_ = options_.arguments;
  const auto& parameters = program_[entry].parameters;
  for (std::size_t i = values_.size(); i < parameters.size(); ++i) {
    values_.push_back(environment_.initial_value(program_, parameters[i]));
  }
}

std::optional<std::uint64_t> Machine::chosen_place(ObjectId id) {
  return environment_.place(program_, id, MachineState(*this));
}

std::uint64_t Machine::place(ObjectId id) {
  if (const auto chosen = chosen_place(id)) return *chosen;
  const auto address = allocate(program_[id].size, program_[id].alignment);
  AGON_ASSERT(address.has_value());
  return *address;
}

void Machine::load_bases() {
  const std::size_t first = frames_.empty() ? 0 : frames_.back().first_word;
  bases_[0] = words_.data() + first;
  bases_[1] = compiler_.global_words().data();
}

bool Machine::stop(Outcome outcome) {
  run_.outcome = outcome;
  return false;
}

constexpr std::uint64_t kStepsBetweenQuestions = 4096;

bool Machine::step() {
  Frame& frame = frames_.back();
  const FunctionCode& code = *frame.code;
  const EdgeCode* edge = code.edges.data() + code.first_out[frame.location];
  const EdgeCode* const end =
      code.edges.data() + code.first_out[frame.location + 1];
  if (edge == end) {
    if (frame.location != code.exit) return stop(Outcome::Stopped);
    values_.clear();
    return leave();
  }
  if (taken_ == options_.max_steps ||
      (taken_ % kStepsBetweenQuestions == 0 && options_.is_stopped &&
       options_.is_stopped())) {
    return stop(Outcome::StepLimit);
  }
  if (taken_ >= watch_.next && !watch_rounds()) {
    return stop(Outcome::StepLimit);
  }
  for (; edge != end; ++edge) {
    execute(code, edge->block);
    if (edge->kind == EdgeKind::Assume && word(edge->operand) == 0) continue;
    ++taken_;
    ++run_.steps;
    if (watch_.is_on) watch_.edges.push_back(edge);
    const Step step{code.function, edge->edge,
                    static_cast<std::uint32_t>(frames_.size() - 1)};
    if (options_.record_path) run_.path.push_back(step);
    if (options_.listener != nullptr &&
        !options_.listener->step(step, MachineState(*this))) {
      return stop(Outcome::StepLimit);
    }
    return take(*edge);
  }
  return stop(Outcome::Blocked);
}

bool Machine::take(const EdgeCode& edge) {
  Frame& frame = frames_.back();
  const FunctionCode& code = *frame.code;
  switch (edge.kind) {
    case EdgeKind::Assign:
    case EdgeKind::Assume:
      break;
    case EdgeKind::AssignArray:
      if (!assign_array(code, edge)) return stop(Outcome::StepLimit);
      break;
    case EdgeKind::Havoc:
    case EdgeKind::HavocArray: {
      const Edge& source = program_[code.function].body.edge(edge.edge);
      const auto& havoc = std::get<Havoc>(source.statement);
      if (edge.kind == EdgeKind::HavocArray) {
        havoc_array(array(edge.operand), havoc, source.position);
        break;
      }
      environment_.before_choice(edge.edge, MachineState(*this));
      store(edge.operand, edge.width,
            environment_.choose(program_, havoc, source.position));
      break;
    }
    case EdgeKind::Call:
      return call(edge);
    case EdgeKind::Return:
      load_values(code, edge);
      return leave();
  }
  frame.location = edge.to;
  return true;
}

void Machine::havoc_array(Array& array, const Havoc& havoc,
                          const Position& position) {
  if (const term::Value* const value =
          environment_.choose_array(program_, havoc, position)) {
    fill(array, *value);
  } else {
    array.set_all(environment_.choose(program_, havoc, position));
  }
}

void Machine::fill(Array& array, const term::Value& value) {
  array.set_all(static_cast<Bits>(value.number));
  for (const auto& [index, element] : value.elements) {
    array.write(static_cast<std::uint64_t>(index), 1,
                static_cast<Bits>(element));
  }
}

void Machine::load_values(const FunctionCode& code, const EdgeCode& edge) {
  values_.clear();
  for (std::uint32_t i = 0; i < edge.num_values; ++i) {
    const Place place = code.places[edge.places + i];
    values_.push_back(load(place.operand, place.width));
  }
}

bool Machine::call(const EdgeCode& edge) {
  Frame& frame = frames_.back();
  load_values(*frame.code, edge);
  FunctionId callee = edge.callee;
  if (!callee.valid()) {
    const std::uint64_t address = word(edge.operand);
    const auto found = function_at_.find(address);
    if (found == function_at_.end()) return call_outside(edge, address);
    callee = found->second;
  }
  if (program_[callee].has_body) {
    frame.call = &edge;
    return enter(callee);
  }
  call_routine(callee, edge);
  store_results(edge);
  frame.location = edge.to;
  // Called by name, it is followed by a location without edges.
  const bool ends = !edge.callee.valid() && program_[callee].is_noreturn;
  return ends ? stop(Outcome::Stopped) : true;
}

bool Machine::enter(FunctionId id) {
  if (frames_.size() > options_.max_depth) return stop(Outcome::DepthLimit);
  auto& code = codes_[id.index()];
  if (code == nullptr) {
    code = std::make_unique<FunctionCode>(compiler_.compile(id));
  }
  Frame frame;
  frame.code = code.get();
  frame.first_word = frames_.empty() ? 0
                                     : frames_.back().first_word +
                                           frames_.back().code->num_words;
  frame.first_array = frame_arrays_.size();
  frame.location = code->entry;
  frame.first_free = first_free_;
  frame.allocations = allocations_;
  const std::size_t end = frame.first_word + code->num_words + 1;
  if (words_.size() < end) words_.resize(std::max(end, 2 * words_.size()));
  std::fill_n(words_.begin() + static_cast<std::ptrdiff_t>(frame.first_word),
              code->num_variable_words, 0);
  frames_.push_back(frame);
  load_bases();
  for (const term::Sort sort : code->arrays) {
    frame_arrays_.push_back(std::make_unique<Array>(sort, environment_));
    frame_arrays_.back()->set_all(0);
  }
  if (options_.listener != nullptr) listen_to_locals(id);
  if (options_.listener != nullptr) {
    options_.listener->entered(id, values_, MachineState(*this));
  }
  const std::size_t given = std::min(values_.size(), code->parameters.size());
  for (std::size_t i = 0; i < given; ++i) {
    const Place place = code->parameters[i];
    store(place.operand, place.width, values_[i]);
  }
  return std::ranges::all_of(code->objects, [&](const ObjectCode& object) {
    return create(*code, object);
  });
}

void Machine::listen_to_locals(FunctionId id) {
  for (const VariableId local : program_[id].locals) {
    if (!program_[local].term.sort().is_array()) continue;
    if (compiler_.is_global(local)) continue;
    array(compiler_.array(local)).listen(options_.listener, local);
  }
}

bool Machine::leave() {
  const Frame frame = frames_.back();
  if (options_.listener != nullptr) tell_left(frame.code->function);
  if (frames_.size() == 1) {
    run_.results = values_;
    frames_.back().location = frame.code->exit;
    return stop(Outcome::Returned);
  }
  if (allocations_ == frame.allocations) first_free_ = frame.first_free;
  frame_arrays_.resize(frame.first_array);
  frames_.pop_back();
  load_bases();
  store_results(*frames_.back().call);
  frames_.back().location = frames_.back().call->to;
  return true;
}

void Machine::store_results(const EdgeCode& edge) {
  const FunctionCode& code = *frames_.back().code;
  const std::uint32_t first = edge.places + edge.num_values;
  for (std::uint32_t i = 0; i < edge.num_results; ++i) {
    const Place place = code.places[first + i];
    store(place.operand, place.width, i < values_.size() ? values_[i] : 0);
  }
}

Bits Machine::load(Operand operand, unsigned width) {
  const std::uint64_t* const words = &word(operand);
  return width > 64 ? Bits{words[1]} << 64 | words[0] : words[0];
}

void Machine::store(Operand operand, unsigned width, Bits value) {
  value = term::truncate(value, width);
  std::uint64_t* const words = &word(operand);
  words[0] = static_cast<std::uint64_t>(value);
  if (width > 64) words[1] = static_cast<std::uint64_t>(value >> 64);
}

}  // namespace agon::ir::machine
