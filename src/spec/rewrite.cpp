// SPDX-License-Identifier: Apache-2.0
#include "spec/rewrite.h"

#include <utility>

#include "support/error.h"

namespace agon::spec {
ir::VariableId add_temporary(ir::Program& program, ir::FunctionId owner,
                             ir::TypeId type, term::Sort sort) {
  ir::Variable variable;
  variable.name = variable.display = "t";
  variable.kind = ir::VariableKind::Temporary;
  variable.type = type;
  variable.owner = owner;
  const ir::VariableId id = program.add_variable(std::move(variable), sort);
  program.variables[id.index()].display = program[id].name;
  program.functions[owner.index()].locals.push_back(id);
  return id;
}

void rewrite_body(ir::Program& program, ir::FunctionId function,
                  const std::function<Chain(const ir::Edge&)>& change) {
  const ir::Cfa old = std::move(program.functions[function.index()].body);
  ir::Cfa made = old.without_edges();
  for (const ir::Edge& edge : old.edges()) {
    Chain chain = change(edge);
    if (chain.empty()) chain.push_back(ir::Assume{program.pool->boolean(true)});
    ir::LocationId from = edge.from;
    for (std::size_t i = 0; i < chain.size(); ++i) {
      const bool is_last = i + 1 == chain.size();
      const ir::LocationId to = is_last ? edge.to : made.add_location();
      made.add_edge(
          {from, to, std::move(chain[i]), edge.position, edge.inlined});
      from = to;
    }
  }
  made.finish();
  program.functions[function.index()].body = std::move(made);
}

term::Term fit(ir::Program& program, term::Term value, ir::TypeId type,
               term::Sort sort) {
  if (value.sort() == sort) return value;
  const bool is_signed = type.valid() && program.types[type].is_signed;
  return program.pool->resize(value, sort.width, is_signed);
}

BodyWriter::BodyWriter(ir::Program& program, ir::FunctionId function,
                       ir::Position position)
    : program_(program), function_(function), position_(position) {
  here_ = cfa_.add_location();
  cfa_.set_entry(here_);
  cfa_.set_exit(cfa_.add_location());
}

ir::VariableId BodyWriter::parameter(const ir::Variable& like,
                                     term::Sort sort) {
  ir::Variable variable;
  variable.display = like.display;
  variable.name = program_[function_].name + "::" + like.display;
  variable.type = like.type;
  variable.kind = ir::VariableKind::Parameter;
  variable.owner = function_;
  variable.position = like.position;
  const ir::VariableId id = program_.add_variable(std::move(variable), sort);
  program_.functions[function_.index()].parameters.push_back(id);
  return id;
}

ir::VariableId BodyWriter::local(ir::TypeId type, term::Sort sort) {
  return add_temporary(program_, function_, type, sort);
}

void BodyWriter::add(ir::Statement statement) {
  const ir::LocationId next = cfa_.add_location();
  cfa_.add_edge({here_, next, std::move(statement), position_, {}});
  here_ = next;
}

std::vector<term::Term> BodyWriter::call(
    ir::FunctionId callee, const std::vector<term::Term>& arguments) {
  ir::Call call;
  call.callee = callee;
  call.arguments = arguments;
  call.type = program_[callee].type;
  for (const ir::TypeId type : program_[callee].results) {
    call.results.push_back(local(type, program_.types.sort(type)));
  }
  const std::vector<ir::VariableId> results = call.results;
  for (ir::Statement& each :
       fitted_call(program_, function_, std::move(call))) {
    add(std::move(each));
  }
  std::vector<term::Term> values;
  for (const ir::VariableId result : results) {
    values.push_back(program_[result].term);
  }
  return values;
}

void BodyWriter::finish_with_return(std::vector<term::Term> values) {
  cfa_.add_edge(
      {here_, cfa_.exit(), ir::Return{std::move(values)}, position_, {}});
  finish();
}

void BodyWriter::finish_without_return() { finish(); }

void BodyWriter::finish() {
  cfa_.finish();
  ir::Function& function = program_.functions[function_.index()];
  function.body = std::move(cfa_);
  function.has_body = true;
}

Chain fitted_call(ir::Program& program, ir::FunctionId caller, ir::Call call) {
  Chain chain;
  const ir::FunctionId callee = call.callee;
  if (!program[callee].has_body || program[callee].is_action) {
    chain.push_back(std::move(call));
    return chain;
  }
  const std::vector<ir::VariableId> parameters = program[callee].parameters;
  const std::size_t given = call.arguments.size();
  call.arguments.resize(parameters.size());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const ir::TypeId type = program[parameters[i]].type;
    const term::Sort sort = program[parameters[i]].term.sort();
    if (i < given) {
      call.arguments[i] = fit(program, call.arguments[i], type, sort);
      continue;
    }
    const ir::VariableId missing = add_temporary(program, caller, type, sort);
    chain.push_back(ir::Havoc{missing, ir::HavocReason::Undefined, {}});
    call.arguments[i] = program[missing].term;
  }
  chain.push_back(std::move(call));
  return chain;
}

}  // namespace agon::spec
