// SPDX-License-Identifier: Apache-2.0
/// Builds small programs that use memory, statement by statement.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ir/program.h"

namespace agon::analysis::test {

using ir::FunctionId;
using ir::LocationId;
using ir::ObjectId;
using ir::TypeId;
using ir::VariableId;
using term::Term;

/// A program of the model LP64 with the types
///
///     struct node { int key; struct node *next; char name[8]; int v[4];
///                   int w[4]; long sum; };              // 64 bytes
///     struct pair { int x; int *p; };                   // 16 bytes
///     union mix { long l; char b[8]; struct { short s; int i; } t; };
struct MemoryProgram {
  ir::Program program{ir::DataModel::LP64};
  TypeId void_type, character, short_type, integer, long_type;
  TypeId void_pointer, char_pointer, int_pointer, int_pointer_pointer;
  TypeId node, node_pointer, pair, pair_pointer, mix, function_type;
  FunctionId function;
  ir::Cfa body;
  LocationId here;

  MemoryProgram() {
    using ir::TypeKind;
    void_type = program.types.add({.kind = TypeKind::Void, .name = "void"});
    character = scalar("char", 1);
    short_type = scalar("short", 2);
    integer = scalar("int", 4);
    long_type = scalar("long", 8);
    void_pointer = pointer(void_type);
    char_pointer = pointer(character);
    int_pointer = pointer(integer);
    int_pointer_pointer = pointer(int_pointer);
    ir::Type incomplete;
    incomplete.kind = TypeKind::Struct;
    incomplete.name = "struct node";
    incomplete.is_complete = false;
    node = program.types.add(incomplete);
    node_pointer = pointer(node);
    program.types.complete(
        node, record("struct node", TypeKind::Struct, 64,
                     {field("key", integer, 0), field("next", node_pointer, 8),
                      field("name", array(character, 8), 16),
                      field("v", array(integer, 4), 24),
                      field("w", array(integer, 4), 40),
                      field("sum", long_type, 56)}));
    pair = program.types.add(
        record("struct pair", TypeKind::Struct, 16,
               {field("x", integer, 0), field("p", int_pointer, 8)}));
    pair_pointer = pointer(pair);
    const TypeId inner = program.types.add(
        record("", TypeKind::Struct, 8,
               {field("s", short_type, 0), field("i", integer, 4)}));
    mix = program.types.add(
        record("union mix", TypeKind::Union, 8,
               {field("l", long_type, 0), field("b", array(character, 8), 0),
                field("t", inner, 0)}));
  }

  // Types.
  TypeId scalar(const std::string& name, unsigned size) {
    ir::Type type;
    type.kind = ir::TypeKind::Integer;
    type.name = name;
    type.is_signed = true;
    type.size = size;
    type.alignment = size;
    return program.types.add(type);
  }
  TypeId pointer(TypeId to) {
    ir::Type type;
    type.kind = ir::TypeKind::Pointer;
    type.size = 8;
    type.alignment = 8;
    type.element = to;
    return program.types.add(type);
  }
  TypeId array(TypeId of, std::uint64_t count) {
    ir::Type type;
    type.kind = ir::TypeKind::Array;
    type.size = program.types[of].size * count;
    type.alignment = program.types[of].alignment;
    type.count = count;
    type.element = of;
    return program.types.add(type);
  }
  static ir::Field field(const std::string& name, TypeId type,
                         std::uint64_t offset) {
    ir::Field result;
    result.name = name;
    result.type = type;
    result.offset = offset;
    return result;
  }
  static ir::Type record(const std::string& name, ir::TypeKind kind,
                         std::uint64_t size, std::vector<ir::Field> fields) {
    ir::Type type;
    type.kind = kind;
    type.name = name;
    type.size = size;
    type.alignment = 8;
    type.fields = std::move(fields);
    return type;
  }

  // Things.
  VariableId variable(const std::string& name, TypeId type,
                      ir::VariableKind kind = ir::VariableKind::Local) {
    ir::Variable variable;
    variable.name = name;
    variable.display = name;
    variable.type = type;
    variable.kind = kind;
    if (kind != ir::VariableKind::Global) variable.owner = function;
    const VariableId id =
        program.add_variable(std::move(variable), program.types.sort(type));
    if (kind == ir::VariableKind::Parameter) {
      program.functions[function.index()].parameters.push_back(id);
    } else if (kind == ir::VariableKind::Local) {
      program.functions[function.index()].locals.push_back(id);
    }
    return id;
  }
  ObjectId object(const std::string& name, TypeId type, bool is_local = false) {
    ir::Object object;
    object.name = name;
    object.display = name;
    object.type = type;
    object.size = program.types[type].size;
    object.alignment = 16;
    object.is_zeroed = !is_local;
    object.kind = is_local ? ir::ObjectKind::Local : ir::ObjectKind::Global;
    if (is_local) object.owner = function;
    const ObjectId id = program.add_object(std::move(object));
    if (is_local) {
      program.functions[function.index()].objects.push_back(id);
    }
    return id;
  }
  FunctionId routine(const std::string& name, std::vector<TypeId> results) {
    ir::Function routine;
    routine.name = name;
    routine.display = name;
    routine.results = std::move(results);
    return program.add_function(std::move(routine));
  }

  // Code.
  void begin(const std::string& name, std::vector<TypeId> results = {}) {
    ir::Function definition;
    definition.name = name;
    definition.display = name;
    definition.has_body = true;
    definition.results = std::move(results);
    definition.type = program.types.add({.kind = ir::TypeKind::Function});
    function = program.add_function(std::move(definition));
    body = {};
    here = body.add_location();
    body.set_entry(here);
  }
  FunctionId end(std::vector<Term> values = {}) {
    const LocationId exit = body.add_location();
    body.set_exit(exit);
    body.add_edge({here, exit, ir::Return{std::move(values)}, {}, {}});
    body.finish();
    program.functions[function.index()].body = std::move(body);
    return function;
  }
  void emit(ir::Statement statement) {
    const LocationId next = body.add_location();
    body.add_edge({here, next, std::move(statement), {}, {}});
    here = next;
  }
  void assign(VariableId target, Term value) {
    emit(ir::Assign{target, value});
  }
  void store(Term address, Term value) {
    emit(ir::Assign{program.memory, pool().write(memory(), address, value)});
  }
  void copy(Term to, Term size, Term from) {
    emit(ir::Assign{program.memory,
                    pool().copy(memory(), to, size, memory(), from)});
  }
  void call(FunctionId callee, std::vector<Term> arguments,
            std::vector<VariableId> results = {}) {
    emit(ir::Call{callee, {}, std::move(arguments), std::move(results), {}});
  }

  // Terms.
  term::Pool& pool() { return *program.pool; }
  Term memory() const { return program[program.memory].term; }
  Term value(VariableId id) const { return program[id].term; }
  Term address(ObjectId id) const { return program[id].address; }
  Term number(std::uint64_t n, unsigned width = 64) {
    return pool().bits(n, width);
  }
  Term plus(Term a, std::uint64_t n) { return pool().add(a, number(n)); }
  Term read(Term address, unsigned bytes) {
    return pool().read(memory(), address, bytes);
  }
};

}  // namespace agon::analysis::test
