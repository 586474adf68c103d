// SPDX-License-Identifier: Apache-2.0
#include "analysis/kept_addresses.h"

#include "term/substitute.h"

namespace agon::analysis {

using term::Kind;
using term::Term;

std::set<SiteId> kept_addresses(const ir::Program& program,
                                const PointsTo& where) {
  std::set<SiteId> result;
  const auto keep = [&](Term value) {
    if (!value.sort().is_bits() || value.is_constant()) return;
    for (const Location& place : where.representatives(value)) {
      result.insert(place.site);
    }
  };
  const auto look = [&](const ir::Edge& edge) {
    if (const auto* assign = std::get_if<ir::Assign>(&edge.statement)) {
      const bool is_global =
          program[assign->target].kind == ir::VariableKind::Global;
      if (is_global) keep(assign->value);
      term::visit_subterms(assign->value, [&](Term part) {
        if (part.kind() == Kind::Write) keep(part.operand(2));
      });
    } else if (const auto* call = std::get_if<ir::Call>(&edge.statement)) {
      if (call->callee.valid() && !program[call->callee].has_body) return;
      for (const Term argument : call->arguments) keep(argument);
    } else if (const auto* leave = std::get_if<ir::Return>(&edge.statement)) {
      for (const Term value : leave->values) keep(value);
    }
  };
  for (const ir::Function& function : program.functions) {
    for (const ir::Edge& edge : function.body.edges()) look(edge);
  }
  return result;
}

}  // namespace agon::analysis
