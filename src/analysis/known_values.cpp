// SPDX-License-Identifier: Apache-2.0
#include "analysis/known_values.h"

#include <utility>

namespace agon::analysis {

using term::Term;

KnownValues::KnownValues(const ir::Program& program, ir::FunctionId function,
                         term::Substitution at_entry)
    : program_(&program), function_(function) {
  const ir::Cfa& body = program[function].body;
  known_.resize(body.num_locations());
  reach(body.entry(), at_entry);
  while (!pending_.empty()) {
    const ir::LocationId location = pending_.back();
    pending_.pop_back();
    for (const ir::EdgeId id : body.out_edges(location)) {
      follow(body.edge(id));
    }
  }
}

bool KnownValues::is_taken(const ir::Edge& edge) const {
  if (!is_reached(edge.from)) return false;
  const auto* const test = std::get_if<ir::Assume>(&edge.statement);
  return test == nullptr || !at(edge.from, test->condition).is_false();
}

Term KnownValues::at(ir::LocationId location, Term term) const {
  const auto& known = known_[location.index()];
  if (!known || known->empty()) return term;
  return term::substitute(*program_->pool, term, *known);
}

void KnownValues::follow(const ir::Edge& edge) {
  if (!is_taken(edge)) return;
  term::Substitution known = *known_[edge.from.index()];
  if (const auto* assign = std::get_if<ir::Assign>(&edge.statement)) {
    set(known, assign->target, at(edge.from, assign->value));
  } else if (const auto* havoc = std::get_if<ir::Havoc>(&edge.statement)) {
    set(known, havoc->target, {});
  } else if (const auto* call = std::get_if<ir::Call>(&edge.statement)) {
    for (const ir::VariableId result : call->results) set(known, result, {});
  }
  reach(edge.to, known);
}

void KnownValues::set(term::Substitution& known, ir::VariableId target,
                      Term value) const {
  const ir::Variable& variable = (*program_)[target];
  known.erase(variable.term);
  const bool is_own = variable.owner == function_ &&
                      variable.kind != ir::VariableKind::Memory &&
                      variable.kind != ir::VariableKind::Global;
  if (is_own && value.valid() && value.is_constant()) {
    known.emplace(variable.term, value);
  }
}

void KnownValues::reach(ir::LocationId location,
                        const term::Substitution& known) {
  auto& here = known_[location.index()];
  if (!here) {
    here = known;
    pending_.push_back(location);
    return;
  }
  const std::size_t lost =
      std::erase_if(*here, [&](const auto& variable_and_value) {
        const auto found = known.find(variable_and_value.first);
        return found == known.end() ||
               found->second != variable_and_value.second;
      });
  if (lost != 0) pending_.push_back(location);
}

}  // namespace agon::analysis
