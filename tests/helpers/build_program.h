// SPDX-License-Identifier: Apache-2.0
/// Writing small programs by hand, for tests.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ir/program.h"

namespace agon::test {

inline ir::TypeId add_integer(ir::Program& program, const std::string& name,
                              unsigned size, bool is_signed = true) {
  ir::Type type;
  type.kind = ir::TypeKind::Integer;
  type.name = name;
  type.size = size;
  type.alignment = size;
  type.is_signed = is_signed;
  return program.types.add(type);
}

inline ir::TypeId add_pointer(ir::Program& program, ir::TypeId to) {
  ir::Type type;
  type.kind = ir::TypeKind::Pointer;
  type.size = program.pointer_width() / 8;
  type.alignment = static_cast<std::uint32_t>(type.size);
  type.element = to;
  return program.types.add(type);
}

inline ir::TypeId add_array(ir::Program& program, ir::TypeId element,
                            std::uint64_t count) {
  ir::Type type;
  type.kind = ir::TypeKind::Array;
  type.element = element;
  type.count = count;
  type.size = count * program.types[element].size;
  type.alignment = program.types[element].alignment;
  return program.types.add(type);
}

inline ir::TypeId add_struct(ir::Program& program, const std::string& name,
                             std::uint64_t size,
                             std::vector<ir::Field> fields) {
  ir::Type type;
  type.kind = ir::TypeKind::Struct;
  type.name = name;
  type.size = size;
  type.alignment = 8;
  type.fields = std::move(fields);
  return program.types.add(type);
}

inline ir::FunctionId add_function(ir::Program& program,
                                   const std::string& name,
                                   std::vector<ir::TypeId> results = {},
                                   bool has_body = true) {
  ir::Function function;
  function.name = function.display = name;
  function.results = std::move(results);
  function.has_body = has_body;
  return program.add_function(function);
}

inline ir::VariableId add_global(ir::Program& program, const std::string& name,
                                 ir::TypeId type, term::Term initial = {}) {
  ir::Variable variable;
  variable.name = variable.display = name;
  variable.kind = ir::VariableKind::Global;
  variable.type = type;
  variable.initial = initial;
  return program.add_variable(variable, program.types.sort(type));
}

inline ir::ObjectId add_object(ir::Program& program, const std::string& name,
                               ir::TypeId type,
                               ir::FunctionId owner = ir::FunctionId()) {
  ir::Object object;
  object.name = object.display = name;
  object.type = type;
  object.size = program.types[type].size;
  object.alignment = program.types[type].alignment;
  object.owner = owner;
  object.kind = owner.valid() ? ir::ObjectKind::Local : ir::ObjectKind::Global;
  const ir::ObjectId id = program.add_object(object);
  if (owner.valid()) {
    program.functions[owner.index()].objects.push_back(id);
  }
  return id;
}

/// Adds statements to a function one after the other; the line of a statement
/// is its number. Locations can be kept and returned to.
class Body {
 public:
  Body(ir::Program& program, ir::FunctionId function)
      : program_(program), function_(function) {
    here = cfa_.add_location();
    cfa_.set_entry(here);
    cfa_.set_exit(cfa_.add_location());
  }

  ir::LocationId here;  ///< Where the next statement starts.
  ir::Position position{ir::FileId::at(0), 1, 1};

  ir::VariableId local(const std::string& name, ir::TypeId type,
                       ir::VariableKind kind = ir::VariableKind::Local) {
    ir::Variable variable;
    variable.name = variable.display = name;
    variable.kind = kind;
    variable.type = type;
    variable.owner = function_;
    const auto id = program_.add_variable(variable, program_.types.sort(type));
    ir::Function& function = program_.functions[function_.index()];
    (kind == ir::VariableKind::Parameter ? function.parameters
                                         : function.locals)
        .push_back(id);
    return id;
  }
  ir::VariableId parameter(const std::string& name, ir::TypeId type) {
    return local(name, type, ir::VariableKind::Parameter);
  }

  ir::LocationId new_location() { return cfa_.add_location(); }
  void add(ir::Statement statement) {
    const ir::LocationId next = cfa_.add_location();
    edge(here, next, std::move(statement));
    here = next;
  }
  void assign(ir::VariableId target, term::Term value) {
    add(ir::Assign{target, value});
  }
  /// `memory[address] := value`.
  void write(term::Term address, term::Term value) {
    const term::Term memory = program_[program_.memory].term;
    assign(program_.memory, program_.pool->write(memory, address, value));
  }
  /// Goes on where the condition holds; returns where it does not.
  ir::LocationId branch(term::Term condition) {
    const ir::LocationId start = here;
    const ir::LocationId other = cfa_.add_location();
    here = cfa_.add_location();
    edge(start, here, ir::Assume{condition});
    edge(start, other, ir::Assume{program_.pool->negation(condition)});
    return other;
  }
  void go_to(ir::LocationId location) {
    edge(here, location, ir::Assume{program_.pool->boolean(true)});
  }
  void leave(std::vector<term::Term> values = {}) {
    edge(here, cfa_.exit(), ir::Return{std::move(values)});
    here = cfa_.add_location();
  }
  void edge(ir::LocationId from, ir::LocationId to, ir::Statement statement) {
    cfa_.add_edge({from, to, std::move(statement), position, ir::InlineId()});
    ++position.line;
  }
  void finish() {
    cfa_.finish();
    program_.functions[function_.index()].body = std::move(cfa_);
  }

 private:
  ir::Program& program_;
  ir::FunctionId function_;
  ir::Cfa cfa_;
};

}  // namespace agon::test
