// SPDX-License-Identifier: Apache-2.0
/// Random programs for tests: types, objects, functions that call each other.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "helpers/random_term.h"
#include "ir/program.h"

namespace agon::test {

/// Builds one program. Every function may call every other, directly or by
/// pointer, so runs need a limit. The routine `observe` gets values to compare.
class RandomProgram {
 public:
  RandomProgram(Random& random, ir::DataModel model)
      : random_(random), program_(model) {}

  ir::Program build() {
    program_.files = {"a.c", "dir/b c.h"};
    add_types();
    add_regions();
    add_globals();
    observe_ = add_routine("observe");
    for (int i = 0; i < 3; ++i) declare_function(i);
    for (const ir::FunctionId id : functions_) program_.address_of(id);
    for (const ir::FunctionId id : functions_) define_function(id);
    program_.assume("observe", "has no \"body\"", any_position());
    return std::move(program_);
  }

 private:
  ir::Position any_position() {
    return {ir::FileId::at(below(random_, 2)),
            static_cast<std::uint32_t>(1 + below(random_, 99)),
            static_cast<std::uint32_t>(1 + below(random_, 20))};
  }

  void add_types() {
    for (const unsigned size : {1, 2, 4, 8, 16}) {
      for (const bool is_signed : {false, true}) {
        ir::Type type;
        type.kind = ir::TypeKind::Integer;
        type.is_signed = is_signed;
        type.size = size;
        type.alignment = size;
        type.name = "i" + std::to_string(8 * size);
        scalars_.push_back(program_.types.add(type));
      }
    }
    ir::Type record;
    record.kind = ir::TypeKind::Struct;
    record.is_complete = false;
    record.name = "struct node";
    record_ = program_.types.add(record);
    ir::Type pointer;
    pointer.kind = ir::TypeKind::Pointer;
    pointer.size = pointer.alignment = program_.pointer_width() / 8;
    pointer.element = record_;
    const ir::TypeId link = program_.types.add(pointer);
    record.is_complete = true;
    record.size = 24;
    record.alignment = 8;
    record.fields = {{"next", link, 0, 0, 0},
                     {"value", scalars_[4], 8, 0, 0},
                     {"bits", scalars_[4], 12, 3, 5}};
    program_.types.complete(record_, record);
    ir::Type colours;
    colours.kind = ir::TypeKind::Enum;
    colours.size = colours.alignment = 4;
    colours.name = "enum colour";
    colours.enumerators = {{"RED", -1}, {"GREEN", 1}};
    program_.types.add(colours);
    ir::Type function;
    function.kind = ir::TypeKind::Function;
    function.element = scalars_[5];
    function.parameters = {scalars_[0], link};
    function.is_variadic = true;
    function_type_ = program_.types.add(function);
  }

  void add_regions() {
    for (const unsigned width : {16, 32, 64}) {
      if (below(random_, 2) == 0) continue;
      ir::Variable region;
      region.name = "region";
      region.display = "region";
      region.kind = ir::VariableKind::Memory;
      regions_.push_back(program_.add_variable(
          region, term::Sort::array(program_.pointer_width(), width)));
    }
    regions_.push_back(program_.memory);
  }

  ir::VariableId add_variable(std::string name, ir::VariableKind kind,
                              ir::FunctionId owner) {
    ir::Variable variable;
    variable.display = name;
    variable.name = std::move(name);
    variable.kind = kind;
    variable.owner = owner;
    variable.position = any_position();
    if (below(random_, 6) == 0) {
      return program_.add_variable(
          variable, term::Sort::bits(below(random_, 2) == 0 ? 5 : 1));
    }
    variable.type = scalars_[below(random_, scalars_.size())];
    return program_.add_variable(variable, program_.types.sort(variable.type));
  }

  void add_globals() {
    RandomTerms terms(random_, *program_.pool);
    for (int i = 0; i < 3; ++i) {
      const auto id =
          add_variable("g", ir::VariableKind::Global, ir::FunctionId());
      ir::Variable& variable = program_.variables[id.index()];
      if (below(random_, 2) == 0) {
        variable.initial = terms.leaf(variable.term.width());
      }
      globals_.push_back(id);
    }
    for (int i = 0; i < 2; ++i) {
      ir::Object object;
      object.name = object.display = "o";
      object.type = record_;
      object.size = 24;
      object.alignment = 8;
      object.is_zeroed = below(random_, 2) == 0;
      object.position = any_position();
      object.arrays = regions_;
      for (auto n = below(random_, 5); n > 0; --n) {
        object.bytes += static_cast<char>(below(random_, 256));
      }
      const ir::ObjectId id = program_.add_object(object);
      const unsigned width = program_.pointer_width();
      addresses_.push_back(program_[id].address);
      program_.objects[id.index()].initial = {
          {program_.memory, below(random_, 4), terms.leaf(32)},
          {program_.memory, 8,
           program_.pool->add(addresses_[below(random_, addresses_.size())],
                              program_.pool->bits(4, width))}};
    }
  }

  ir::FunctionId add_routine(const std::string& name) {
    ir::Function routine;
    routine.name = routine.display = name;
    routine.type = function_type_;
    routine.results = {scalars_[4]};
    return program_.add_function(routine);
  }

  void declare_function(int number) {
    ir::Function function;
    function.name = function.display = "f" + std::to_string(number);
    function.type = function_type_;
    function.position = any_position();
    function.has_body = true;
    function.is_static = number == 1;
    function.results = {scalars_[below(random_, scalars_.size())]};
    const ir::FunctionId id = program_.add_function(function);
    functions_.push_back(id);
    for (int i = 0; i < 2; ++i) {
      const auto p = add_variable("p", ir::VariableKind::Parameter, id);
      program_.functions[id.index()].parameters.push_back(p);
    }
    for (int i = 0; i < 3; ++i) {
      const auto v = add_variable("x", ir::VariableKind::Local, id);
      program_.functions[id.index()].locals.push_back(v);
    }
  }

  void define_function(ir::FunctionId id) {
    const ir::Function& function = program_[id];
    scope_ = globals_;
    scope_.insert(scope_.end(), function.parameters.begin(),
                  function.parameters.end());
    scope_.insert(scope_.end(), function.locals.begin(), function.locals.end());
    RandomTerms terms(random_, *program_.pool);
    for (const ir::VariableId v : scope_) {
      terms.variables.push_back(program_[v].term);
    }
    for (const ir::VariableId v : regions_) {
      terms.variables.push_back(program_[v].term);
    }
    terms.addresses = addresses_;
    terms_ = &terms;
    ir::Cfa cfa;
    cfa_ = &cfa;
    here_ = cfa.add_location();
    cfa.set_entry(here_);
    cfa.set_exit(cfa.add_location());
    add_block(3);
    ir::Return leave;
    leave.values = {
        terms.bits(program_.types.sort(program_[id].results[0]).width, 2)};
    add_edge(here_, cfa.exit(), leave);
    cfa.finish();
    program_.functions[id.index()].body = std::move(cfa);
  }

  void add_edge(ir::LocationId from, ir::LocationId to, ir::Statement s) {
    cfa_->add_edge({from, to, std::move(s), any_position(), ir::InlineId()});
  }

  void append(ir::Statement statement) {
    const ir::LocationId next = cfa_->add_location();
    add_edge(here_, next, std::move(statement));
    here_ = next;
  }

  void add_block(unsigned depth) {
    const std::size_t length = 2 + below(random_, 4);
    for (std::size_t i = 0; i < length; ++i) {
      const std::size_t choice = below(random_, depth == 0 ? 8 : 12);
      if (choice < 8) {
        append(any_statement());
      } else if (choice < 10) {
        add_branch(depth - 1);
      } else {
        add_loop(depth - 1);
      }
    }
  }

  void add_branch(unsigned depth) {
    const term::Term condition = terms_->boolean(2);
    const ir::LocationId start = here_;
    const ir::LocationId join = cfa_->add_location();
    for (const bool taken : {true, false}) {
      here_ = cfa_->add_location();
      add_edge(
          start, here_,
          ir::Assume{taken ? condition : program_.pool->negation(condition)});
      add_block(depth);
      add_edge(here_, join, ir::Assume{program_.pool->boolean(true)});
    }
    here_ = join;
  }

  void add_loop(unsigned depth) {
    const term::Term condition = terms_->boolean(2);
    const ir::LocationId head = here_;
    const ir::LocationId after = cfa_->add_location();
    here_ = cfa_->add_location();
    add_edge(head, here_, ir::Assume{condition});
    add_edge(head, after, ir::Assume{program_.pool->negation(condition)});
    add_block(depth);
    add_edge(here_, head, ir::Assume{program_.pool->boolean(true)});
    here_ = after;
  }

  ir::VariableId any_target() { return scope_[below(random_, scope_.size())]; }

  ir::Statement any_statement() {
    switch (below(random_, 9)) {
      case 0:
        return ir::Havoc{any_target(), ir::HavocReason::Undefined, "nondet"};
      case 1:
        return any_call(functions_[below(random_, functions_.size())]);
      case 2:
      case 3:
        return any_call(observe_);
      case 4:
      case 5: {
        const ir::VariableId v = regions_[below(random_, regions_.size())];
        return ir::Assign{v, terms_->array(program_[v].term, 3)};
      }
      default: {
        const ir::VariableId v = any_target();
        return ir::Assign{v, terms_->bits(program_[v].term.width(), 3)};
      }
    }
  }

  ir::Call any_call(ir::FunctionId callee) {
    ir::Call call;
    if (callee != observe_ && below(random_, 3) == 0) {
      call.pointer = program_[callee].address;
    } else {
      call.callee = callee;
    }
    const std::size_t count = below(random_, 4);
    for (std::size_t i = 0; i < count; ++i) {
      call.arguments.push_back(terms_->bits(terms_->any_width(), 2));
    }
    if (below(random_, 2) == 0) call.results = {any_target()};
    call.type = function_type_;
    return call;
  }

  Random& random_;
  ir::Program program_;
  std::vector<ir::TypeId> scalars_;
  ir::TypeId record_;
  ir::TypeId function_type_;
  std::vector<ir::VariableId> regions_;
  std::vector<ir::VariableId> globals_;
  std::vector<term::Term> addresses_;
  std::vector<ir::FunctionId> functions_;
  ir::FunctionId observe_;
  // Of the function that is being made.
  std::vector<ir::VariableId> scope_;
  RandomTerms* terms_ = nullptr;
  ir::Cfa* cfa_ = nullptr;
  ir::LocationId here_;
};

inline ir::Program random_program(Random& random) {
  const auto model =
      below(random, 2) == 0 ? ir::DataModel::LP64 : ir::DataModel::ILP32;
  return RandomProgram(random, model).build();
}

}  // namespace agon::test
