// SPDX-License-Identifier: Apache-2.0
#include "spec/module_client.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/suggest.h"

namespace agon::spec {
namespace {

void make_empty(ir::Function& function) {
  ir::Cfa body;
  body.set_entry(body.add_location());
  body.set_exit(body.add_location());
  body.add_edge({body.entry(), body.exit(), ir::Return{}, {}, {}});
  body.finish();
  function.body = std::move(body);
}

/// Takes the actions away that other questions are about.
void silence(ir::Program& program, const Specification& specification,
             const ModuleQuestion* kept) {
  for (const ModuleQuestion& question : specification.modules()) {
    if (&question == kept) continue;
    for (const ModuleQuestion::Routine& routine : question.routines) {
      for (const std::string& name : {routine.called, routine.returned}) {
        const auto id = program.find_function(name);
        if (id) make_empty(program.functions[id->index()]);
      }
    }
  }
}

/// Lets the client perform the actions of a routine.
void observe(const ir::Program& program, const ModuleQuestion& question,
             const ModuleQuestion::Routine& routine, const ModuleBorder& border,
             std::vector<ir::ApiFunction>& api) {
  const auto find = [&](const std::string& name) {
    return program.find_function(name).value_or(ir::FunctionId());
  };
  const ir::FunctionId id = find(routine.name);
  if (!id.valid()) {
    // Their functions exist if it is declared; then it is never called.
    if (find(routine.called).valid() || find(routine.returned).valid()) return;
    std::vector<std::string> known = border.api;
    known.insert(known.end(), border.undefined.begin(), border.undefined.end());
    question.place.fail(fmt::format(
        "this process speaks of '{0}', but the C files neither declare nor "
        "call '{0}'{1}",
        routine.name, support::did_you_mean(routine.name, known)));
  }
  const auto found = std::ranges::find(api, id, &ir::ApiFunction::function);
  if (found != api.end()) {
    found->on_call = find(routine.called);
    found->on_return = find(routine.returned);
  } else if (!border.undefined.contains(routine.name)) {
    question.place.fail(fmt::format(
        "this process speaks of '{}', which is neither named in --api nor "
        "a routine without a body",
        routine.name));
  }
}

}  // namespace

std::set<std::string> without_body(const ir::Program& program) {
  std::set<std::string> result;
  for (const ir::Function& function : program.functions) {
    if (!function.has_body) result.insert(function.name);
  }
  return result;
}

ModuleClient add_client(ir::Program& program,
                        const Specification* specification,
                        const ModuleQuestion* question,
                        const ModuleBorder& border) {
  if (specification != nullptr) silence(program, *specification, question);
  ModuleClient client;
  for (const std::string& name : border.api) {
    client.api.push_back({program.find_function(name).value(), {}, {}});
  }
  if (question != nullptr) {
    for (const ModuleQuestion::Routine& routine : question->routines) {
      observe(program, *question, routine, border, client.api);
    }
  }
  client.function = ir::add_client(program, client.api);
  return client;
}

void assume_calls_only(ir::Program& program) {
  std::set<std::string> names;
  ir::Position first;
  const auto note = [&](const auto& named) {
    names.insert(named.display.substr(0, named.display.find('.')));
    if (first.line == 0) first = named.position;
  };
  for (const ir::Variable& variable : program.variables) {
    if (variable.kind == ir::VariableKind::Global && !variable.is_static &&
        variable.initial.valid()) {
      note(variable);
    }
  }
  for (const ir::Object& object : program.objects) {
    if (object.kind == ir::ObjectKind::Global && !object.is_static &&
        !object.is_constant && object.is_zeroed) {
      note(object);
    }
  }
  if (names.empty()) return;
  program.assume("clients",
                 fmt::format("change {} by calls only, though {} not static",
                             fmt::join(names, ", "),
                             names.size() == 1 ? "it is" : "they are"),
                 first);
}

}  // namespace agon::spec
