// SPDX-License-Identifier: Apache-2.0
/// Programs written down by hand, statement by statement.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "ir/program.h"

namespace agon::test {

/// Variables hold 32 bits. Lines count edges in order of creation.
class SmallProgram {
 public:
  using Term = term::Term;

  SmallProgram() : program(ir::DataModel::LP64) {
    program.files.push_back("small.c");
    ir::Type type;
    type.kind = ir::TypeKind::Integer;
    type.is_signed = true;
    type.size = 4;
    type.name = "int";
    integer_ = program.types.add(type);
  }

  ir::VariableId global(const std::string& name) {
    return variable(name, ir::VariableKind::Global, {});
  }

  /// A routine without a body.
  ir::FunctionId routine(const std::string& name, unsigned results = 0) {
    ir::Function function;
    function.name = function.display = name;
    function.results.assign(results, integer_);
    return program.add_function(function);
  }

  ir::FunctionId function(const std::string& name,
                          std::initializer_list<std::string> parameters = {},
                          unsigned results = 0) {
    const ir::FunctionId id = routine(name, results);
    program.functions[id.index()].has_body = true;
    for (const std::string& parameter : parameters) {
      const ir::VariableId p =
          variable(parameter, ir::VariableKind::Parameter, id);
      program.functions[id.index()].parameters.push_back(p);
    }
    return id;
  }

  ir::VariableId local(ir::FunctionId owner, const std::string& name) {
    const ir::VariableId id = variable(name, ir::VariableKind::Local, owner);
    program.functions[owner.index()].locals.push_back(id);
    return id;
  }

  /// Starts the body of a function. Location 0 is the entry.
  void begin(ir::FunctionId id, unsigned num_locations) {
    function_ = id;
    body_ = ir::Cfa();
    for (unsigned i = 0; i <= num_locations; ++i) body_.add_location();
    body_.set_entry(ir::LocationId(0));
    exit_ = ir::LocationId(num_locations);
    body_.set_exit(exit_);
  }
  void edge(unsigned from, unsigned to, ir::Statement statement) {
    body_.add_edge({ir::LocationId(from),
                    ir::LocationId(to),
                    std::move(statement),
                    {ir::FileId(0), ++line_, 1},
                    {}});
  }
  void branch(unsigned from, Term condition, unsigned then, unsigned other) {
    edge(from, then, ir::Assume{condition});
    edge(from, other, ir::Assume{program.pool->negation(condition)});
  }
  void call(unsigned from, unsigned to, ir::FunctionId callee,
            std::vector<Term> arguments = {},
            std::vector<ir::VariableId> results = {}) {
    edge(from, to,
         ir::Call{callee, {}, std::move(arguments), std::move(results), {}});
  }
  void ret(unsigned from, std::vector<Term> values = {}) {
    edge(from, exit_.value(), ir::Return{std::move(values)});
  }
  void end() {
    body_.finish();
    program.functions[function_.index()].body = std::move(body_);
  }

  Term value(ir::VariableId id) const { return program[id].term; }
  Term number(unsigned n) { return program.pool->bits(n, 32); }
  Term plus(ir::VariableId id, unsigned n) {
    return program.pool->add(value(id), number(n));
  }
  Term less(ir::VariableId id, unsigned n) {
    return program.pool->signed_less(value(id), number(n));
  }
  Term is_zero(ir::VariableId id) {
    return program.pool->equal(value(id), number(0));
  }

  ir::Program program;

 private:
  ir::VariableId variable(const std::string& name, ir::VariableKind kind,
                          ir::FunctionId owner) {
    ir::Variable result;
    result.name = result.display = name;
    result.kind = kind;
    result.owner = owner;
    result.type = integer_;
    return program.add_variable(result, term::Sort::bits(32));
  }

  ir::TypeId integer_;
  ir::FunctionId function_;
  ir::Cfa body_;
  ir::LocationId exit_;
  std::uint32_t line_ = 0;
};

}  // namespace agon::test
