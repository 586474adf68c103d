// SPDX-License-Identifier: Apache-2.0
#include "falsify/conjuncts.h"

#include <optional>
#include <utility>
#include <vector>

namespace agon::falsify {
namespace {

using term::Kind;
using term::Term;

/// A variable and a constant that an equation says it is.
std::optional<std::pair<Term, Term>> equation(Term part) {
  if (part.kind() != Kind::Equal) return std::nullopt;
  const Term a = part.operand(0);
  const Term b = part.operand(1);
  if (a.kind() == Kind::Variable && b.is_constant()) return {{a, b}};
  if (b.kind() == Kind::Variable && a.is_constant()) return {{b, a}};
  return std::nullopt;
}

}  // namespace

std::span<const Term> conjuncts(const Term& formula) {
  return formula.kind() == Kind::And ? formula.operands()
                                     : std::span<const Term>(&formula, 1);
}

term::Substitution known_constants(const Term& formula) {
  term::Substitution result;
  for (const Term part : conjuncts(formula)) {
    if (const auto found = equation(part)) result.insert(*found);
  }
  return result;
}

Term without_repetitions(term::Pool& pool, const Term& formula) {
  const term::Substitution known = known_constants(formula);
  std::vector<Term> parts;
  for (const Term part : conjuncts(formula)) {
    if (equation(part) || !term::substitute(pool, part, known).is_true()) {
      parts.push_back(part);
    }
  }
  return pool.conjunction(parts);
}

}  // namespace agon::falsify
