// SPDX-License-Identifier: Apache-2.0
#include "spec/effects.h"

#include <algorithm>
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

template <class Counts>
std::vector<bool> reached_by_calls(const ir::Program& program, FunctionId from,
                                   Counts&& counts) {
  std::vector<bool> reached(program.functions.size(), false);
  std::vector<FunctionId> left{from};
  reached[from.index()] = true;
  while (!left.empty()) {
    const FunctionId caller = left.back();
    left.pop_back();
    for_each_call(program, caller, [&](const ir::Call& call) {
      if (!counts(call)) return;
      for_each_callee(program, call, [&](FunctionId callee) {
        if (reached[callee.index()]) return;
        reached[callee.index()] = true;
        left.push_back(callee);
      });
    });
  }
  return reached;
}

bool changes_unknown(const ir::Function& routine) {
  return !routine.has_body && !routine.is_action &&
         !routine.name.starts_with("__agon_effects_") &&
         !routine.name.starts_with("__agon_any_");
}

/// What is reached, also behind the functions that stand for others.
std::vector<bool> reached_behind(
    const ir::Program& program, FunctionId from,
    const std::map<FunctionId, FunctionId>& stands_for) {
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
  return reached;
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
  return reached_by_calls(program, from, [](const ir::Call&) { return true; });
}

std::vector<bool> reached_by_name(const ir::Program& program, FunctionId from) {
  return reached_by_calls(
      program, from, [](const ir::Call& call) { return call.callee.valid(); });
}

Changes changes(const ir::Program& program, FunctionId from,
                const std::map<FunctionId, FunctionId>& stands_for) {
  const std::vector<bool> reached = reached_behind(program, from, stands_for);
  std::set<ir::VariableId> globals;
  Changes result;
  const auto change = [&](ir::VariableId id) {
    const ir::Variable& variable = program[id];
    if (variable.kind == ir::VariableKind::Memory) result.anything = true;
    if (variable.kind != ir::VariableKind::Global) return;
    globals.insert(id);
    // Integers may hold addresses as well.
    if (variable.term.width() >= program.pointer_width()) {
      result.anything = true;
    }
  };
  bool changes_all = false;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    if (!reached[i]) continue;
    if (changes_unknown(program.functions[i])) changes_all = true;
    for (const ir::Edge& edge : program.functions[i].body.edges()) {
      if (const auto* assign = std::get_if<ir::Assign>(&edge.statement)) {
        change(assign->target);
      } else if (const auto* havoc = std::get_if<ir::Havoc>(&edge.statement)) {
        change(havoc->target);
      } else if (const auto* call = std::get_if<ir::Call>(&edge.statement)) {
        for (const ir::VariableId id : call->results) change(id);
      }
    }
  }
  if (changes_all) {
    result.anything = true;
    for (std::size_t i = 0; i < program.variables.size(); ++i) {
      change(ir::VariableId::at(i));
    }
  }
  result.globals.assign(globals.begin(), globals.end());
  return result;
}

std::optional<FunctionId> changes_of_bodies(const ir::Program& program,
                                            const std::vector<bool>& flagged) {
  const auto is_shared = [&](ir::VariableId id) {
    return program[id].kind == ir::VariableKind::Global ||
           program[id].kind == ir::VariableKind::Memory;
  };
  for (std::size_t i = 0; i < flagged.size(); ++i) {
    if (!flagged[i]) continue;
    for (const ir::Edge& edge : program.functions[i].body.edges()) {
      const auto* assign = std::get_if<ir::Assign>(&edge.statement);
      const auto* havoc = std::get_if<ir::Havoc>(&edge.statement);
      const auto* call = std::get_if<ir::Call>(&edge.statement);
      if ((assign != nullptr && is_shared(assign->target)) ||
          (havoc != nullptr && is_shared(havoc->target)) ||
          (call != nullptr && std::ranges::any_of(call->results, is_shared))) {
        return FunctionId::at(i);
      }
    }
  }
  return std::nullopt;
}

}  // namespace agon::spec
