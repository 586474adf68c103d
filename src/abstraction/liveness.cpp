// SPDX-License-Identifier: Apache-2.0
#include "abstraction/liveness.h"

#include <algorithm>

#include "term/substitute.h"

namespace agon::abstraction {

Liveness::Liveness(const ir::Program& program, const ir::Cfa& body)
    : words_((program.variables.size() + 63) / 64),
      bits_(body.num_locations() * words_),
      scratch_(words_) {
  // Locations are numbered depth first, so that going backwards meets most
  // uses before the edges that lead to them.
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t l = body.num_locations(); l-- > 0;) {
      for (const ir::EdgeId id : body.out_edges(ir::LocationId::at(l))) {
        if (update(program, body.edge(id))) changed = true;
      }
    }
  }
}

bool Liveness::update(const ir::Program& program, const ir::Edge& edge) {
  std::copy_n(row(edge.to), words_, scratch_.begin());
  const auto kill = [&](ir::VariableId v) {
    scratch_[v.index() / 64] &= ~(Word{1} << (v.index() % 64));
  };
  const auto use = [&](term::Term term) {
    for (const term::Term variable : term::variables_of(term)) {
      const ir::VariableId v = program.variable_of(variable);
      if (v.valid()) scratch_[v.index() / 64] |= Word{1} << (v.index() % 64);
    }
  };
  if (const auto* assign = std::get_if<ir::Assign>(&edge.statement)) {
    const bool matters = is_live(edge.to, assign->target);
    kill(assign->target);
    if (matters) use(assign->value);
  } else if (const auto* havoc = std::get_if<ir::Havoc>(&edge.statement)) {
    kill(havoc->target);
  } else if (const auto* assume = std::get_if<ir::Assume>(&edge.statement)) {
    use(assume->condition);
  }
  Word* const from = bits_.data() + edge.from.index() * words_;
  bool changed = false;
  for (std::size_t i = 0; i < words_; ++i) {
    const Word joined = from[i] | scratch_[i];
    changed |= joined != from[i];
    from[i] = joined;
  }
  return changed;
}

}  // namespace agon::abstraction
