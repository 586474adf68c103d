// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "support/error.h"
#include "term/pool.h"
#include "term/tables.h"

namespace agon::term {

Term Pool::negation(Term a) {
  AGON_ASSERT(a.sort().is_bool());
  if (a.is_constant()) return boolean(a.is_false());
  if (a.kind() == Kind::Not) return a.operand(0);
  return tables_->make(Kind::Not, Sort::boolean(), {a});
}

Term Pool::junction(Kind kind, std::span<const Term> terms) {
  const Term unit = boolean(kind == Kind::And);
  std::vector<Term> kept;
  for (const Term term : terms) {
    AGON_ASSERT(term.sort().is_bool());
    if (term.is_constant() && term != unit) return term;
    if (term != unit) kept.push_back(term);
  }
  std::ranges::sort(kept);
  const auto rest = std::ranges::unique(kept);
  kept.erase(rest.begin(), rest.end());
  if (kept.empty()) return unit;
  if (kept.size() == 1) return kept.front();
  return tables_->make(kind, Sort::boolean(), kept);
}

Term Pool::conjunction(std::span<const Term> terms) {
  return junction(Kind::And, terms);
}

Term Pool::disjunction(std::span<const Term> terms) {
  return junction(Kind::Or, terms);
}

Term Pool::conjunction(std::initializer_list<Term> terms) {
  return junction(Kind::And, std::span(terms.begin(), terms.size()));
}

Term Pool::disjunction(std::initializer_list<Term> terms) {
  return junction(Kind::Or, std::span(terms.begin(), terms.size()));
}

Term Pool::implies(Term a, Term b) { return disjunction({negation(a), b}); }

Term Pool::equal(Term a, Term b) {
  AGON_ASSERT(a.sort() == b.sort() && !a.sort().is_array());
  if (a == b) return boolean(true);
  if (a.is_constant() && b.is_constant()) return boolean(false);
  if (b < a) std::swap(a, b);
  return tables_->make(Kind::Equal, Sort::boolean(), {a, b});
}

Term Pool::ite(Term condition, Term then, Term otherwise) {
  AGON_ASSERT(condition.sort().is_bool() && then.sort() == otherwise.sort());
  if (condition.is_constant()) return condition.is_true() ? then : otherwise;
  if (then == otherwise) return then;
  return tables_->make(Kind::Ite, then.sort(), {condition, then, otherwise});
}

}  // namespace agon::term
