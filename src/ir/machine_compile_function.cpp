// SPDX-License-Identifier: Apache-2.0
// Compilation of statements, functions and initial values.
#include <utility>

#include "ir/machine_compile.h"
#include "support/error.h"

namespace agon::ir::machine {
namespace {

using term::Term;

}  // namespace

void Compiler::start(FunctionCode& code, FunctionId function) {
  code_ = &code;
  code.function = function;
  if (function.valid()) {
    code.num_variable_words = frame_words_[function.index()];
    code.arrays = frame_arrays_[function.index()];
  }
  code.num_words = code.num_variable_words;
}

FunctionCode Compiler::compile(FunctionId id) {
  const Function& function = program_[id];
  const Cfa& body = function.body;
  AGON_ASSERT(function.has_body && body.entry().valid());
  FunctionCode code;
  start(code, id);
  for (const VariableId v : function.parameters) {
    code.parameters.push_back(place(v));
  }
  for (std::size_t i = 0; i < program_.objects.size(); ++i) {
    if (object_homes_[i] == id) compile_object(ObjectId::at(i));
  }
  for (std::size_t i = 0; i < body.num_locations(); ++i) {
    code.first_out.push_back(static_cast<std::uint32_t>(code.edges.size()));
    for (const EdgeId edge : body.out_edges(LocationId::at(i))) {
      compile_edge(edge, body.edge(edge));
    }
  }
  code.first_out.push_back(static_cast<std::uint32_t>(code.edges.size()));
  code.entry = body.entry().value();
  code.exit = body.exit().value();
  return code;
}

FunctionCode Compiler::compile_globals() {
  FunctionCode code;
  start(code, FunctionId());
  for (std::size_t i = 0; i < program_.variables.size(); ++i) {
    const VariableId id = VariableId::at(i);
    if (!is_global(id) || !program_[id].initial.valid()) continue;
    begin_statement();
    compile_assign({id, program_[id].initial}, code.edges.emplace_back());
  }
  for (std::size_t i = 0; i < program_.objects.size(); ++i) {
    if (!object_homes_[i].valid()) compile_object(ObjectId::at(i));
  }
  return code;
}

void Compiler::compile_object(ObjectId id) {
  const Object& object = program_[id];
  ObjectCode result;
  result.object = id;
  result.address = address(id);
  for (const VariableId v : object.arrays) result.arrays.push_back(array(v));
  for (const InitialCell& cell : object.initial) {
    begin_statement();
    CellCode compiled;
    compiled.block = compile_terms({cell.value});
    compiled.value = place(cell.value);
    compiled.array = array(cell.array);
    compiled.offset = cell.offset;
    result.cells.push_back(compiled);
  }
  code_->objects.push_back(std::move(result));
}

void Compiler::compile_edge(EdgeId id, const Edge& edge) {
  begin_statement();
  EdgeCode code;
  code.edge = id;
  code.to = edge.to.value();
  if (const auto* assign = std::get_if<Assign>(&edge.statement)) {
    compile_assign(*assign, code);
  } else if (const auto* havoc = std::get_if<Havoc>(&edge.statement)) {
    const bool is_array = program_[havoc->target].term.sort().is_array();
    code.kind = is_array ? EdgeKind::HavocArray : EdgeKind::Havoc;
    code.operand = leaf(program_[havoc->target].term);
    code.width = width_of(program_[havoc->target].term.sort());
  } else if (const auto* assume = std::get_if<Assume>(&edge.statement)) {
    code.kind = EdgeKind::Assume;
    code.block = compile_terms({assume->condition});
    code.operand = operand(assume->condition);
  } else if (const auto* call = std::get_if<Call>(&edge.statement)) {
    compile_call(*call, code);
  } else {
    code.kind = EdgeKind::Return;
    const std::vector<Term>& values = std::get<Return>(edge.statement).values;
    code.block = compile_terms(values);
    add_places(values, code);
  }
  code_->edges.push_back(code);
}

void Compiler::compile_assign(const Assign& assign, EdgeCode& code) {
  const Operand target = leaf(program_[assign.target].term);
  AGON_ASSERT(assign.value.sort() == program_[assign.target].term.sort());
  code.block = compile_terms({assign.value});
  if (assign.value.sort().is_array()) {
    code.kind = EdgeKind::AssignArray;
    code.operand = target;
    code.root = node(assign.value);
    return;
  }
  code.kind = EdgeKind::Assign;
  const Place value = place(assign.value);
  std::vector<Instruction>& instructions = code_->instructions;
  if (code.block.end > code.block.begin &&
      instructions.back().target == value.operand) {
    instructions.back().target = target;
    return;
  }
  Instruction move;
  move.op = value.width > 64 ? Op::Wide : Op::Move;
  move.kind = term::Kind::ZeroExtend;
  move.width = move.other = static_cast<std::uint8_t>(value.width);
  move.target = target;
  move.a = value.operand;
  instructions.push_back(move);
  ++code.block.end;
}

void Compiler::compile_call(const Call& call, EdgeCode& code) {
  code.kind = EdgeKind::Call;
  code.callee = call.callee;
  std::vector<Term> terms = call.arguments;
  if (!call.callee.valid()) terms.push_back(call.pointer);
  code.block = compile_terms(terms);
  add_places(call.arguments, code);
  if (!call.callee.valid()) code.operand = operand(call.pointer);
  code.num_results = static_cast<std::uint32_t>(call.results.size());
  for (const VariableId result : call.results) {
    code_->places.push_back({leaf(program_[result].term), place(result).width});
  }
}

void Compiler::add_places(const std::vector<Term>& values, EdgeCode& code) {
  code.places = static_cast<std::uint32_t>(code_->places.size());
  code.num_values = static_cast<std::uint32_t>(values.size());
  for (const Term value : values) {
    AGON_ASSERT(!value.sort().is_array());
    code_->places.push_back(place(value));
  }
}

}  // namespace agon::ir::machine
