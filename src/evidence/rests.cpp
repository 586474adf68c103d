// SPDX-License-Identifier: Apache-2.0
#include "evidence/rests.h"

#include <utility>

#include "ir/fragment.h"

namespace agon::evidence {

Rests::Rests(const ir::Program& program, std::set<std::string> visible)
    : program_(program), visible_(std::move(visible)) {}

const ir::Waiting& Rests::waiting(ir::FunctionId function) {
  const auto known = waiting_.find(function);
  if (known != waiting_.end()) return known->second;
  return waiting_
      .emplace(function, ir::find_waiting(program_, program_[function].body))
      .first->second;
}

Rest Rests::before(const ir::Step& step) {
  const ir::Edge& edge = program_[step.function].body.edge(step.edge);
  Rest result;
  if (const auto* const call = std::get_if<ir::Call>(&edge.statement)) {
    if (!call->callee.valid()) return result;
    const ir::Function& callee = program_[call->callee];
    result.is_waiting = callee.is_action && visible_.contains(callee.display);
    if (result.is_waiting) result.offers = {callee.display};
    return result;
  }
  const auto* const havoc = std::get_if<ir::Havoc>(&edge.statement);
  if (havoc == nullptr || havoc->source != ir::kProcessChoice) return result;
  const ir::Waiting& here = waiting(step.function);
  result.is_clear = !here.has_unclear_choice;
  const auto& offers = here.offers[edge.from.index()];
  result.is_waiting = offers.has_value();
  if (!offers) return result;
  for (const ir::FunctionId id : *offers) {
    const ir::Function& action = program_[id];
    // What nobody else takes part in is a step of its own.
    result.is_waiting &= action.is_action && visible_.contains(action.display);
    result.offers.insert(action.display);
  }
  return result;
}

}  // namespace agon::evidence
