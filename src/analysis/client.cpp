// SPDX-License-Identifier: Apache-2.0
#include "analysis/client.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "ir/routines.h"

namespace agon::analysis {
namespace {

using ir::LocationId;
using term::Term;

constexpr unsigned kChoiceWidth = 32;
constexpr const char* kClient = "__agon_client";

class Writer {
 public:
  Writer(ir::Program& program, std::span<const ApiFunction> api)
      : program_(program), api_(api) {
    ir::Function client;
    client.name = client.display = kClient;
    client_ = program.add_function(std::move(client));
    value_ = add_routine(ir::kClientValue);
    acts_ = add_routine(ir::kClientActs);
  }

  ir::FunctionId run() {
    here_ = body_.add_location();
    body_.set_entry(here_);
    body_.set_exit(body_.add_location());
    make_variables();
    const LocationId head = here_;
    act();
    add(ir::Havoc{choice_, ir::HavocReason::Input, {}});
    for (std::size_t i = 0; i < api_.size(); ++i) {
      const LocationId others = fork(choice_, i);
      call(i);
      join(head);
      here_ = others;
    }
    body_.add_edge({here_, body_.exit(), ir::Return{{}}, {}, {}});
    body_.finish();
    ir::Function& client = program_.functions[client_.index()];
    client.body = std::move(body_);
    client.has_body = true;
    return client_;
  }

 private:
  /// What the client knows of one function.
  struct Known {
    std::vector<ir::VariableId> arguments;
    std::vector<ir::VariableId> results;
    ir::VariableId kept;  ///< A pointer that it has returned; or invalid.
  };

  ir::FunctionId add_routine(const char* name) {
    ir::Function routine;
    routine.name = routine.display = name;
    return program_.add_function(std::move(routine));
  }

  ir::VariableId local(const std::string& name, ir::TypeId type,
                       term::Sort sort) {
    ir::Variable variable;
    variable.name = variable.display = name;
    variable.type = type;
    variable.owner = client_;
    const ir::VariableId id = program_.add_variable(std::move(variable), sort);
    program_.functions[client_.index()].locals.push_back(id);
    return id;
  }

  ir::VariableId choice(const std::string& name) {
    return local(name, {}, term::Sort::bits(kChoiceWidth));
  }

  bool is_pointer(ir::TypeId type) const {
    return type.valid() && program_.types[type].kind == ir::TypeKind::Pointer;
  }

  void make_variables() {
    choice_ = choice(client_choice());
    source_ = choice("__agon_client::source");
    for (const ApiFunction& each : api_) {
      Known& known = known_.emplace_back();
      const ir::FunctionId id = each.function;
      for (std::size_t i = 0; i < program_[id].parameters.size(); ++i) {
        const ir::Variable parameter = program_[program_[id].parameters[i]];
        known.arguments.push_back(local(client_argument(program_, id, i),
                                        parameter.type, parameter.term.sort()));
      }
      const std::vector<ir::TypeId> types = program_[id].results;
      for (std::size_t i = 0; i < types.size(); ++i) {
        known.results.push_back(local(client_result(program_, id, i), types[i],
                                      program_.types.sort(types[i])));
      }
      if (types.size() != 1 || !is_pointer(types[0])) continue;
      known.kept =
          local(fmt::format("__agon_client::{}.kept", program_[id].name),
                types[0], program_.types.sort(types[0]));
      add(ir::Assign{known.kept, program_.pool->bits(
                                     0, program_[known.kept].term.width())});
    }
  }

  /// The client may use all that it has got so far.
  void act() {
    ir::Call call;
    call.callee = acts_;
    for (const Known& known : known_) {
      for (const ir::VariableId result : known.results) {
        call.arguments.push_back(program_[result].term);
      }
    }
    add(std::move(call));
  }

  void call(std::size_t number) {
    const ApiFunction& function = api_[number];
    const Known& known = known_[number];
    for (const ir::VariableId argument : known.arguments) pass(argument);
    if (function.on_call.valid()) {
      ir::Call told = call_of(function.on_call);
      add_values(told, known.arguments);
      add(std::move(told));
    }
    ir::Call call = call_of(function.function);
    add_values(call, known.arguments);
    call.results = known.results;
    add(std::move(call));
    if (function.on_return.valid()) {
      ir::Call told = call_of(function.on_return);
      add_values(told, known.results);
      add_values(told, known.arguments);
      add(std::move(told));
    }
    if (known.kept.valid()) keep(known);
  }

  ir::Call call_of(ir::FunctionId function) const {
    ir::Call call;
    call.callee = function;
    call.type = program_[function].type;
    return call;
  }

  void add_values(ir::Call& call,
                  const std::vector<ir::VariableId>& variables) const {
    for (const ir::VariableId each : variables) {
      call.arguments.push_back(program_[each].term);
    }
  }

  /// Chooses a value for an argument.
  void pass(ir::VariableId argument) {
    std::vector<ir::VariableId> kept;
    for (const Known& known : known_) {
      if (known.kept.valid() &&
          program_[known.kept].type == program_[argument].type) {
        kept.push_back(known.kept);
      }
    }
    const LocationId after = kept.empty() ? LocationId() : body_.add_location();
    if (!kept.empty()) add(ir::Havoc{source_, ir::HavocReason::Input, {}});
    for (std::size_t i = 0; i < kept.size(); ++i) {
      const LocationId others = fork(source_, i);
      add(ir::Assign{argument, program_[kept[i]].term});
      join(after);
      here_ = others;
    }
    ir::Call call = call_of(value_);
    call.results.push_back(argument);
    add(std::move(call));
    if (kept.empty()) return;
    join(after);
    here_ = after;
  }

  /// Remembers a result, or rather the one before.
  void keep(const Known& known) {
    const LocationId after = body_.add_location();
    add(ir::Havoc{source_, ir::HavocReason::Input, {}});
    const LocationId others = fork(source_, 0);
    add(ir::Assign{known.kept, program_[known.results[0]].term});
    join(after);
    here_ = others;
    join(after);
    here_ = after;
  }

  /// Goes on where the choice is the number; what is answered is where it is
  /// another one.
  LocationId fork(ir::VariableId choice, std::size_t number) {
    term::Pool& pool = *program_.pool;
    const Term is_it =
        pool.equal(program_[choice].term, pool.bits(number, kChoiceWidth));
    const LocationId others = body_.add_location();
    body_.add_edge({here_, others, ir::Assume{pool.negation(is_it)}, {}, {}});
    add(ir::Assume{is_it});
    return others;
  }

  void join(LocationId to) {
    body_.add_edge(
        {here_, to, ir::Assume{program_.pool->boolean(true)}, {}, {}});
  }

  void add(ir::Statement statement) {
    const LocationId next = body_.add_location();
    body_.add_edge({here_, next, std::move(statement), {}, {}});
    here_ = next;
  }

  ir::Program& program_;
  std::span<const ApiFunction> api_;
  ir::FunctionId client_;
  ir::FunctionId value_;
  ir::FunctionId acts_;
  ir::VariableId choice_;
  ir::VariableId source_;
  std::vector<Known> known_;
  ir::Cfa body_;
  LocationId here_;
};

}  // namespace

ir::FunctionId add_client(ir::Program& program,
                          std::span<const ApiFunction> api) {
  return Writer(program, api).run();
}

std::string client_choice() { return "__agon_client::choice"; }

std::string client_argument(const ir::Program& program, ir::FunctionId function,
                            std::size_t parameter) {
  const ir::VariableId id = program[function].parameters[parameter];
  return fmt::format("__agon_client::{}.{}.{}", program[function].name,
                     parameter, program[id].display);
}

std::string client_result(const ir::Program& program, ir::FunctionId function,
                          std::size_t result) {
  return fmt::format("__agon_client::{}.result.{}", program[function].name,
                     result);
}

}  // namespace agon::analysis
