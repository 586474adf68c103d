// SPDX-License-Identifier: Apache-2.0
#include "spec/effects.h"

#include <set>
#include <utility>

namespace agon::spec {
namespace {

using ir::FunctionId;

template <class Visit>
void for_each_call(const ir::Program& program, FunctionId caller,
                   Visit&& visit) {
  for (const ir::Edge& edge : program[caller].body.edges()) {
    if (const auto* call = std::get_if<ir::Call>(&edge.statement)) visit(*call);
  }
}

template <class Visit>
void for_each_callee(const ir::Program& program, const ir::Call& call,
                     Visit&& visit) {
  if (call.callee.valid()) return visit(call.callee);
  for (std::size_t i = 0; i < program.functions.size(); ++i) {
    if (program.functions[i].address.valid()) visit(FunctionId::at(i));
  }
}

bool changes_unknown(const ir::Function& routine) {
  return !routine.has_body && !routine.is_action &&
         !routine.name.starts_with("__agon_effects_");
}

}  // namespace

bool calls(const ir::Program& program, FunctionId caller, FunctionId callee) {
  bool found = false;
  for_each_call(program, caller, [&](const ir::Call& call) {
    for_each_callee(program, call,
                    [&](FunctionId id) { found = found || id == callee; });
  });
  return found;
}

std::vector<bool> reachable_functions(const ir::Program& program,
                                      FunctionId from) {
  std::vector<bool> reached(program.functions.size(), false);
  std::vector<FunctionId> left{from};
  reached[from.index()] = true;
  while (!left.empty()) {
    const FunctionId caller = left.back();
    left.pop_back();
    for_each_call(program, caller, [&](const ir::Call& call) {
      for_each_callee(program, call, [&](FunctionId callee) {
        if (reached[callee.index()]) return;
        reached[callee.index()] = true;
        left.push_back(callee);
      });
    });
  }
  return reached;
}

std::vector<ir::VariableId> changed_variables(
    const ir::Program& program, FunctionId from,
    const std::map<FunctionId, FunctionId>& stands_for) {
  std::set<ir::VariableId> changed;
  bool changes_all = false;
  std::vector<bool> reached = reachable_functions(program, from);
  for (bool again = true; std::exchange(again, false);) {
    for (const auto& [standing, real] : stands_for) {
      if (!reached[standing.index()] || reached[real.index()]) continue;
      again = true;
      const std::vector<bool> more = reachable_functions(program, real);
      for (std::size_t i = 0; i < more.size(); ++i) {
        reached[i] = reached[i] || more[i];
      }
    }
  }
  const auto change = [&](ir::VariableId id) {
    const ir::VariableKind kind = program[id].kind;
    if (kind == ir::VariableKind::Global || kind == ir::VariableKind::Memory) {
      changed.insert(id);
    }
  };
  for (std::size_t i = 0; i < reached.size(); ++i) {
    if (!reached[i]) continue;
    if (changes_unknown(program.functions[i])) changes_all = true;
    for (const ir::Edge& edge : program.functions[i].body.edges()) {
      if (const auto* assign = std::get_if<ir::Assign>(&edge.statement)) {
        change(assign->target);
      } else if (const auto* havoc = std::get_if<ir::Havoc>(&edge.statement)) {
        change(havoc->target);
      } else if (const auto* call = std::get_if<ir::Call>(&edge.statement)) {
        for (const ir::VariableId result : call->results) change(result);
      }
    }
  }
  if (changes_all) {
    for (std::size_t i = 0; i < program.variables.size(); ++i) {
      if (program.variables[i].kind == ir::VariableKind::Global) {
        changed.insert(ir::VariableId::at(i));
      }
    }
    changed.insert(program.memory);
  }
  return {changed.begin(), changed.end()};
}

}  // namespace agon::spec
