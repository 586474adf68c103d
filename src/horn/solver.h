// SPDX-License-Identifier: Apache-2.0
/// Horn clauses with bodies that are known when the clause is added.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "horn/lazy_solver.h"

namespace agon::horn {

/// An online N-HORNSAT solver in time linear in the size of all clauses.
///
/// Clauses take effect at the next `solve`. Clauses that were added before the
/// first `solve` give least ranks; later ones add conclusions, but a variable
/// that is already true keeps the rank and reason that it has.
class Solver {
 public:
  Variable add_variable() { return solver_.add_variable(); }
  Clause add_clause(Variable head, std::span<const Variable> body);

  /// Brings the least model up to date.
  void solve();

  bool is_true(Variable variable) const { return solver_.is_true(variable); }
  std::uint32_t rank(Variable variable) const { return solver_.rank(variable); }
  Clause reason(Variable variable) const { return solver_.reason(variable); }

  Variable head(Clause clause) const { return solver_.head(clause); }
  std::span<const Variable> body(Clause clause) const;
  std::size_t num_variables() const { return solver_.num_variables(); }
  std::size_t num_clauses() const { return solver_.num_clauses(); }

 private:
  Variable next_literal(Clause clause);

  LazySolver solver_;
  std::vector<Variable> literals_;     // All bodies, one after the other.
  std::vector<std::size_t> first_{0};  // Where each body starts, and the end.
  std::vector<std::size_t> cursor_;    // What each clause reads next.
  std::size_t started_ = 0;            // Clauses before this one take part.
};

}  // namespace agon::horn
