// SPDX-License-Identifier: Apache-2.0
#include "ir/actions.h"

#include <fmt/format.h>

#include <algorithm>

namespace agon::ir {

namespace {

void change_edges(Function& function,
                  const std::function<void(Edge&)>& change) {
  const Cfa& old = function.body;
  Cfa body = old.without_edges();
  for (Edge edge : old.edges()) {
    change(edge);
    body.add_edge(std::move(edge));
  }
  body.finish();
  function.body = std::move(body);
}

}  // namespace

void change_edges(Program& program, const std::function<void(Edge&)>& change) {
  for (Function& function : program.functions) {
    if (function.has_body) change_edges(function, change);
  }
}

void mark_actions(Program& program, std::span<const std::string> routines,
                  const char* label) {
  std::set<FunctionId> marked;
  for (const std::string& name : routines) {
    if (const auto found = program.find_function(name)) marked.insert(*found);
  }
  Function action;
  action.name = fmt::format("action {}", label);
  action.display = label;
  action.is_action = true;
  action.is_noreturn = true;
  const FunctionId id = program.add_function(std::move(action));
  change_edges(program, [&](Edge& edge) {
    auto* const call = std::get_if<Call>(&edge.statement);
    if (call == nullptr || !marked.contains(call->callee)) return;
    *call = Call{id, {}, {}, {}, call->type};
  });
}

void mark_errors(Program& program, std::span<const std::string> routines) {
  mark_actions(program, routines, kError);
}

void hide_actions(Program& program, const std::set<std::string>& visible) {
  const term::Term nothing = program.pool->boolean(true);
  const auto is_hidden = [&](const Edge& edge) {
    const auto* const call = std::get_if<Call>(&edge.statement);
    if (call == nullptr || !call->callee.valid()) return false;
    const Function& callee = program[call->callee];
    return callee.is_action && !visible.contains(callee.display);
  };
  for (Function& function : program.functions) {
    if (std::ranges::none_of(function.body.edges(), is_hidden)) continue;
    change_edges(function, [&](Edge& edge) {
      if (is_hidden(edge)) edge.statement = Assume{nothing};
    });
  }
}

}  // namespace agon::ir
