// SPDX-License-Identifier: Apache-2.0
/// The terms and variables in statements, without a visitor for each use.
#pragma once

#include <type_traits>
#include <utility>
#include <variant>

#include "ir/statement.h"

namespace agon::analysis {

/// Calls `visit` with each term that a statement reads.
template <class Visit>
void for_each_term(const ir::Statement& statement, Visit&& visit) {
  if (const auto* assign = std::get_if<ir::Assign>(&statement)) {
    visit(assign->value);
  } else if (const auto* assume = std::get_if<ir::Assume>(&statement)) {
    visit(assume->condition);
  } else if (const auto* call = std::get_if<ir::Call>(&statement)) {
    if (call->pointer.valid()) visit(call->pointer);
    for (const term::Term argument : call->arguments) visit(argument);
  } else if (const auto* ret = std::get_if<ir::Return>(&statement)) {
    for (const term::Term value : ret->values) visit(value);
  }
}

/// Calls `visit` with each variable that a statement itself assigns; not with
/// what a called function assigns.
template <class Visit>
void for_each_target(const ir::Statement& statement, Visit&& visit) {
  if (const auto* assign = std::get_if<ir::Assign>(&statement)) {
    visit(assign->target);
  } else if (const auto* havoc = std::get_if<ir::Havoc>(&statement)) {
    visit(havoc->target);
  } else if (const auto* call = std::get_if<ir::Call>(&statement)) {
    for (const ir::VariableId result : call->results) visit(result);
  }
}

/// The statement with every term and every assigned variable replaced.
template <class MapTerm, class MapVariable>
ir::Statement map_statement(ir::Statement statement, MapTerm&& map_term,
                            MapVariable&& map_variable) {
  if (auto* assign = std::get_if<ir::Assign>(&statement)) {
    assign->target = map_variable(assign->target);
    assign->value = map_term(assign->value);
  } else if (auto* havoc = std::get_if<ir::Havoc>(&statement)) {
    havoc->target = map_variable(havoc->target);
  } else if (auto* assume = std::get_if<ir::Assume>(&statement)) {
    assume->condition = map_term(assume->condition);
  } else if (auto* call = std::get_if<ir::Call>(&statement)) {
    if (call->pointer.valid()) call->pointer = map_term(call->pointer);
    for (term::Term& argument : call->arguments) argument = map_term(argument);
    for (ir::VariableId& result : call->results) result = map_variable(result);
  } else if (auto* ret = std::get_if<ir::Return>(&statement)) {
    for (term::Term& value : ret->values) value = map_term(value);
  }
  return statement;
}

}  // namespace agon::analysis
