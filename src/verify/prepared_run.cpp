// SPDX-License-Identifier: Apache-2.0
#include "verify/prepared_run.h"

#include <algorithm>

#include "analysis/unknown_calls.h"
#include "term/evaluate.h"
#include "term/substitute.h"

namespace agon::verify {
namespace {

using term::Bits;

Calls calls_of(const ir::Program& program, ir::InlineId inlined) {
  Calls result;
  for (; inlined.valid(); inlined = program.inlined[inlined.index()].outer) {
    result.push_back(program.inlined[inlined.index()].call);
  }
  std::ranges::reverse(result);
  return result;
}

/// The calls around the edges at which addresses occur: those that they belong
/// to are the fewest.
std::map<term::Term, Calls> calls_of_addresses(const ir::Program& program,
                                               const ir::Cfa& body) {
  std::map<term::Term, Calls> result;
  const auto note = [&](const ir::Edge& edge, term::Term in) {
    term::visit_subterms(in, [&](term::Term t) {
      if (t.kind() != term::Kind::Address) return;
      Calls here = calls_of(program, edge.inlined);
      const auto [known, is_new] = result.try_emplace(t, here);
      if (!is_new && here.size() < known->second.size()) {
        known->second = std::move(here);
      }
    });
  };
  for (const ir::Edge& edge : body.edges()) {
    if (const auto* assign = std::get_if<ir::Assign>(&edge.statement)) {
      note(edge, assign->value);
    } else if (const auto* test = std::get_if<ir::Assume>(&edge.statement)) {
      note(edge, test->condition);
    }
  }
  return result;
}

/// In a prepared program there are no others.
std::set<std::string> visible_actions(const ir::Program& program) {
  std::set<std::string> result;
  for (const ir::Function& function : program.functions) {
    if (function.is_action) result.insert(function.display);
  }
  return result;
}

}  // namespace

PreparedRun::PreparedRun(const Task& task, const term::Assignment& initial,
                         const Choices& choices, std::size_t num_actions,
                         evidence::Until until)
    : program_(task.program),
      body_(task.program[task.entry].body),
      initial_(initial),
      choices_(choices),
      needed_(num_actions),
      until_(until),
      rests_(task.program, visible_actions(task.program)) {
  for (std::size_t i = 0; i < program_.variables.size(); ++i) {
    if (analysis::is_heap(program_.variables[i])) {
      heap_ = ir::VariableId::at(i);
    }
  }
  ir::ZeroEnvironment nothing;
  ir::InterpreterOptions options;
  options.max_steps = 0;
  for (const auto& [object, address] :
       ir::interpret(program_, task.entry, nothing, options).addresses) {
    const term::Term place = program_[object].address;
    addresses_[place] = {place.sort(), address, {}};
  }
  options.max_steps = ir::InterpreterOptions().max_steps;
  options.listener = this;
  run_ = ir::interpret(program_, task.entry, *this, options);
}

const std::set<std::uint64_t>& PreparedRun::reads(ir::VariableId array) const {
  static const std::set<std::uint64_t> none;
  const auto found = reads_.find(array);
  return found != reads_.end() ? found->second : none;
}

bool PreparedRun::step(const ir::Step& step, const ir::StateView& state) {
  if (is_over(step)) return false;
  edge_ = &body_.edge(step.edge);
  const auto* const assign = std::get_if<ir::Assign>(&edge_->statement);
  if (assign == nullptr) return true;
  note_change(*assign, state);
  if (heap_.valid() && assign->target != heap_ &&
      assign->value == program_[heap_].term) {
    Chosen made = at_edge(assign->target);
    made.is_allocation = true;
    made.value.number = state.value(heap_);
    chosen_.push_back(std::move(made));
  }
  return true;
}

bool PreparedRun::is_over(const ir::Step& step) {
  return num_actions_ >= needed_ && (until_ == evidence::Until::LastAction ||
                                     rests_.before(step).is_waiting);
}

void PreparedRun::read(ir::VariableId array, std::uint64_t index,
                       std::uint64_t count) {
  constexpr std::uint64_t kMost = 1 << 16;
  for (std::uint64_t i = 0; i < std::min(count, kMost); ++i) {
    reads_[array].insert(index + i);
  }
}

std::vector<Bits> PreparedRun::call(const ir::Program&, const ir::Function&,
                                    std::span<const Bits>, ir::MemoryAccess&) {
  ++num_actions_;  // Nothing else is called here.
  return {};
}

Bits PreparedRun::choose(const ir::Program&, const ir::Havoc& havoc,
                         const ir::Position&) {
  return static_cast<Bits>(next(havoc).number);
}

const term::Value* PreparedRun::choose_array(const ir::Program&,
                                             const ir::Havoc& havoc,
                                             const ir::Position&) {
  return &next(havoc);
}

Bits PreparedRun::initial_value(const ir::Program&, ir::VariableId variable) {
  const auto found = initial_.find(program_[variable].term);
  return found != initial_.end() ? static_cast<Bits>(found->second.number) : 0;
}

const term::Value* PreparedRun::initial_array(const ir::Program&,
                                              ir::VariableId variable) {
  const auto found = initial_.find(program_[variable].term);
  return found != initial_.end() ? &found->second : nullptr;
}

// Memory that gets arbitrary contents except for some parts is assigned an
// array that was chosen before, with these parts copied onto it, maybe one by
// one.
void PreparedRun::note_change(const ir::Assign& assign,
                              const ir::StateView& state) {
  if (!program_[assign.target].term.sort().is_array()) return;
  const bool is_memory =
      program_[assign.target].kind == ir::VariableKind::Memory;
  term::Term base = assign.value;
  while (base.kind() == term::Kind::Copy) base = base.operand(0);
  const ir::VariableId source = program_.variable_of(base);
  if (!source.valid() || (is_memory && source == assign.target)) return;
  const auto made =
      std::find_if(chosen_.rbegin(), chosen_.rend(),
                   [&](const Chosen& each) { return each.target == source; });
  if (made == chosen_.rend()) return;
  if (is_memory) made->array = assign.target;
  note_kept(assign.value, state, made->kept);
}

void PreparedRun::note_kept(term::Term copies, const ir::StateView& state,
                            std::vector<Chosen::Part>& kept) const {
  term::Assignment values = addresses_;
  if (heap_.valid()) {
    const term::Term heap = program_[heap_].term;
    values[heap] = {heap.sort(), state.value(heap_), {}};
  }
  const auto number = [&](term::Term t) {
    return static_cast<std::uint64_t>(term::evaluate(t, values).number);
  };
  for (; copies.kind() == term::Kind::Copy; copies = copies.operand(0)) {
    kept.push_back({number(copies.operand(1)), number(copies.operand(2))});
  }
}

Chosen PreparedRun::at_edge(ir::VariableId target) const {
  Chosen made;
  made.position = edge_->position;
  made.calls = calls_of(program_, edge_->inlined);
  made.target = made.array = target;
  made.value = {program_[target].term.sort(), 0, {}};
  return made;
}

const term::Value& PreparedRun::next(const ir::Havoc& havoc) {
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

Places::Places(const Task& task, const ir::Run& run) {
  const ir::Program& program = task.program;
  const auto calls = calls_of_addresses(program, program[task.entry].body);
  for (const auto& [id, address] : run.addresses) {
    const ir::Object& object = program[id];
    if (object.kind != ir::ObjectKind::Local) {
      by_name_[object.name] = address;
    } else if (const auto at = calls.find(object.address); at != calls.end()) {
      locals_[{object.position, at->second}] = address;
    }
  }
  for (const auto& [id, address] : run.functions) {
    functions_[program[id].name] = address;
  }
}

std::optional<std::uint64_t> Places::find(const ir::Function& function) const {
  const auto found = functions_.find(function.name);
  return found == functions_.end() ? std::nullopt
                                   : std::optional(found->second);
}

std::optional<std::uint64_t> Places::find(const ir::Object& object,
                                          const ir::StateView& state) const {
  if (object.kind != ir::ObjectKind::Local) {
    const auto found = by_name_.find(object.name);
    return found == by_name_.end() ? std::nullopt
                                   : std::optional(found->second);
  }
  const auto found = locals_.find({object.position, state.calls()});
  return found == locals_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace agon::verify
