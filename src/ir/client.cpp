// SPDX-License-Identifier: Apache-2.0
#include "ir/client.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "ir/routines.h"

namespace agon::ir {
namespace {

using term::Term;

constexpr unsigned kChoiceWidth = 32;

class Writer {
 public:
  Writer(Program& program, std::span<const ApiFunction> api)
      : program_(program), api_(api) {
    Function client;
    client.name = client.display = kClient;
    client_ = program.add_function(std::move(client));
    value_ = add_routine(kClientValue);
    acts_ = add_routine(kClientActs);
  }

  FunctionId run() {
    here_ = body_.add_location();
    body_.set_entry(here_);
    body_.set_exit(body_.add_location());
    make_variables();
    const LocationId head = here_;
    act();
    add(Havoc{choice_, HavocReason::Input, {}});
    for (std::size_t i = 0; i < api_.size(); ++i) {
      const LocationId others = fork(choice_, i);
      call(i);
      join(head);
      here_ = others;
    }
    body_.add_edge({here_, body_.exit(), Return{{}}, {}, {}});
    body_.finish();
    Function& client = program_.functions[client_.index()];
    client.body = std::move(body_);
    client.has_body = true;
    return client_;
  }

 private:
  /// What the client knows of one function.
  struct Known {
    std::vector<VariableId> arguments;
    std::vector<VariableId> results;
    VariableId kept;  ///< A pointer that it has returned; or invalid.
  };

  FunctionId add_routine(const char* name) {
    Function routine;
    routine.name = routine.display = name;
    return program_.add_function(std::move(routine));
  }

  VariableId local(const std::string& name, TypeId type, term::Sort sort) {
    Variable variable;
    variable.name = variable.display = name;
    variable.type = type;
    variable.owner = client_;
    const VariableId id = program_.add_variable(std::move(variable), sort);
    program_.functions[client_.index()].locals.push_back(id);
    return id;
  }

  VariableId choice(const std::string& name) {
    return local(name, {}, term::Sort::bits(kChoiceWidth));
  }

  bool is_pointer(TypeId type) const {
    return type.valid() && program_.types[type].kind == TypeKind::Pointer;
  }

  void make_variables() {
    choice_ = choice(client_choice());
    source_ = choice("__agon_client::source");
    for (const ApiFunction& each : api_) {
      Known& known = known_.emplace_back();
      const FunctionId id = each.function;
      for (std::size_t i = 0; i < program_[id].parameters.size(); ++i) {
        const Variable parameter = program_[program_[id].parameters[i]];
        known.arguments.push_back(local(client_argument(program_, id, i),
                                        parameter.type, parameter.term.sort()));
      }
      const std::vector<TypeId> types = program_[id].results;
      for (std::size_t i = 0; i < types.size(); ++i) {
        known.results.push_back(local(client_result(program_, id, i), types[i],
                                      program_.types.sort(types[i])));
      }
      if (types.size() != 1 || !is_pointer(types[0])) continue;
      known.kept =
          local(fmt::format("__agon_client::{}.kept", program_[id].name),
                types[0], program_.types.sort(types[0]));
      add(Assign{known.kept,
                 program_.pool->bits(0, program_[known.kept].term.width())});
    }
  }

  /// The client may use all that it has got so far.
  void act() {
    Call call;
    call.callee = acts_;
    for (const Known& known : known_) {
      for (const VariableId result : known.results) {
        call.arguments.push_back(program_[result].term);
      }
    }
    add(std::move(call));
  }

  void call(std::size_t number) {
    const ApiFunction& function = api_[number];
    const Known& known = known_[number];
    for (const VariableId argument : known.arguments) pass(argument);
    if (function.on_call.valid()) {
      Call told = call_of(function.on_call);
      add_values(told, known.arguments);
      add(std::move(told));
    }
    Call call = call_of(function.function);
    add_values(call, known.arguments);
    call.results = known.results;
    add(std::move(call));
    if (function.on_return.valid()) {
      Call told = call_of(function.on_return);
      add_values(told, known.results);
      add_values(told, known.arguments);
      add(std::move(told));
    }
    if (known.kept.valid()) keep(known);
  }

  Call call_of(FunctionId function) const {
    Call call;
    call.callee = function;
    call.type = program_[function].type;
    return call;
  }

  void add_values(Call& call, const std::vector<VariableId>& variables) const {
    for (const VariableId each : variables) {
      call.arguments.push_back(program_[each].term);
    }
  }

  /// Chooses a value for an argument.
  void pass(VariableId argument) {
    std::vector<VariableId> kept;
    for (const Known& known : known_) {
      if (known.kept.valid() &&
          program_[known.kept].type == program_[argument].type) {
        kept.push_back(known.kept);
      }
    }
    const LocationId after = kept.empty() ? LocationId() : body_.add_location();
    if (!kept.empty()) add(Havoc{source_, HavocReason::Input, {}});
    for (std::size_t i = 0; i < kept.size(); ++i) {
      const LocationId others = fork(source_, i);
      add(Assign{argument, program_[kept[i]].term});
      join(after);
      here_ = others;
    }
    Call call = call_of(value_);
    call.results.push_back(argument);
    add(std::move(call));
    if (kept.empty()) return;
    join(after);
    here_ = after;
  }

  /// Remembers a result, or rather the one before.
  void keep(const Known& known) {
    const LocationId after = body_.add_location();
    add(Havoc{source_, HavocReason::Input, {}});
    const LocationId others = fork(source_, 0);
    add(Assign{known.kept, program_[known.results[0]].term});
    join(after);
    here_ = others;
    join(after);
    here_ = after;
  }

  /// Goes on where the choice is the number; what is answered is where it is
  /// another one.
  LocationId fork(VariableId choice, std::size_t number) {
    term::Pool& pool = *program_.pool;
    const Term is_it =
        pool.equal(program_[choice].term, pool.bits(number, kChoiceWidth));
    const LocationId others = body_.add_location();
    body_.add_edge({here_, others, Assume{pool.negation(is_it)}, {}, {}});
    add(Assume{is_it});
    return others;
  }

  void join(LocationId to) {
    body_.add_edge({here_, to, Assume{program_.pool->boolean(true)}, {}, {}});
  }

  void add(Statement statement) {
    const LocationId next = body_.add_location();
    body_.add_edge({here_, next, std::move(statement), {}, {}});
    here_ = next;
  }

  Program& program_;
  std::span<const ApiFunction> api_;
  FunctionId client_;
  FunctionId value_;
  FunctionId acts_;
  VariableId choice_;
  VariableId source_;
  std::vector<Known> known_;
  Cfa body_;
  LocationId here_;
};

}  // namespace

FunctionId add_client(Program& program, std::span<const ApiFunction> api) {
  return Writer(program, api).run();
}

std::string client_choice() { return "__agon_client::choice"; }

std::string client_argument(const Program& program, FunctionId function,
                            std::size_t parameter) {
  const VariableId id = program[function].parameters[parameter];
  return fmt::format("__agon_client::{}.{}.{}", program[function].name,
                     parameter, program[id].display);
}

std::string client_result(const Program& program, FunctionId function,
                          std::size_t result) {
  return fmt::format("__agon_client::{}.result.{}", program[function].name,
                     result);
}

}  // namespace agon::ir
