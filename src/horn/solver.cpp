// SPDX-License-Identifier: Apache-2.0
#include "horn/solver.h"

namespace agon::horn {

Clause Solver::add_clause(Variable head, std::span<const Variable> body) {
  cursor_.push_back(literals_.size());
  literals_.insert(literals_.end(), body.begin(), body.end());
  first_.push_back(literals_.size());
  return solver_.add_clause(head);
}

void Solver::solve() {
  const auto next = [this](Clause clause) { return next_literal(clause); };
  for (; started_ < num_clauses(); ++started_) {
    solver_.start(Clause::at(started_), next);
  }
  solver_.propagate(next);
}

std::span<const Variable> Solver::body(Clause clause) const {
  return {literals_.data() + first_[clause.index()],
          literals_.data() + first_[clause.index() + 1]};
}

Variable Solver::next_literal(Clause clause) {
  std::size_t& cursor = cursor_[clause.index()];
  if (cursor == first_[clause.index() + 1]) return {};
  return literals_[cursor++];
}

}  // namespace agon::horn
