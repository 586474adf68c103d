// SPDX-License-Identifier: Apache-2.0
#include "refine/walk.h"

#include "support/error.h"

namespace agon::refine {
namespace {

ir::EdgeId next_edge(abstraction::AbstractSteps& steps, ir::LocationId at,
                     const abstraction::Values& values,
                     const term::Assignment& model) {
  const ir::Cfa& body = steps.blocks().body();
  for (const ir::EdgeId id : body.out_edges(at)) {
    const auto* assume = std::get_if<ir::Assume>(&body.edge(id).statement);
    if (assume == nullptr) return id;
    const term::Term condition =
        steps.execution().rewriter()(assume->condition, values);
    if (term::evaluate(condition, model).number != 0) return id;
  }
  AGON_ASSERT(!"the model satisfies the guard of the exit");
  return {};
}

}  // namespace

std::vector<WalkStep> walk(abstraction::AbstractSteps& steps,
                           ir::LocationId cut, ir::EdgeId exit,
                           abstraction::Values values,
                           const abstraction::SymbolicExecution::Choice& choice,
                           const term::Assignment& model) {
  const ir::Cfa& body = steps.blocks().body();
  std::vector<WalkStep> path;
  for (ir::LocationId at = cut;; at = body.edge(path.back().edge).to) {
    AGON_ASSERT(path.empty() || !steps.blocks().is_cut(at));
    WalkStep taken{next_edge(steps, at, values, model), {}};
    const ir::Edge& edge = body.edge(taken.edge);
    if (const auto* assign = std::get_if<ir::Assign>(&edge.statement)) {
      taken.value = steps.execution().rewriter()(assign->value, values);
      values.set(assign->target, taken.value);
    } else if (const auto* havoc = std::get_if<ir::Havoc>(&edge.statement)) {
      taken.value = choice(taken.edge);
      values.set(havoc->target, taken.value);
    }
    path.push_back(taken);
    if (taken.edge == exit) return path;
  }
}

}  // namespace agon::refine
