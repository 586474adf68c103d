// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "support/error.h"
#include "term/fold.h"
#include "term/pool.h"
#include "term/rules.h"
#include "term/tables.h"

namespace agon::term {
namespace {

// Larger junctions are kept as operands of others. So one that grows term by
// term becomes a chain of large ones, and does not get copied for each term.
constexpr std::size_t kMostSpliced = 32;

/// The order that holds iff the one of this kind with swapped operands fails.
Kind opposite(Kind order) {
  switch (order) {
    case Kind::ULess:
      return Kind::ULessEqual;
    case Kind::ULessEqual:
      return Kind::ULess;
    case Kind::SLess:
      return Kind::SLessEqual;
    default:
      return Kind::SLess;
  }
}

bool are_opposite(Term a, Term b) {
  return (a.kind() == Kind::Not && a.operand(0) == b) ||
         (b.kind() == Kind::Not && b.operand(0) == a);
}

/// Choices between truth values.
Term simplify_choice(Pool& pool, Term condition, Term then, Term otherwise) {
  if (then == condition) then = pool.boolean(true);
  if (otherwise == condition) otherwise = pool.boolean(false);
  if (then.is_true()) return pool.disjunction({condition, otherwise});
  if (then.is_false()) {
    return pool.conjunction({pool.negation(condition), otherwise});
  }
  if (otherwise.is_true()) {
    return pool.disjunction({pool.negation(condition), then});
  }
  if (otherwise.is_false()) return pool.conjunction({condition, then});
  if (are_opposite(then, otherwise)) return pool.equal(condition, then);
  return {};
}

/// Choices whose branches are choices.
Term simplify_nested_ite(Pool& pool, Term condition, Term then,
                         Term otherwise) {
  if (then.kind() == Kind::Ite) {
    if (then.operand(0) == condition) {
      return pool.ite(condition, then.operand(1), otherwise);
    }
    if (then.operand(2) == otherwise) {
      return pool.ite(pool.conjunction({condition, then.operand(0)}),
                      then.operand(1), otherwise);
    }
  }
  if (otherwise.kind() == Kind::Ite) {
    if (otherwise.operand(0) == condition) {
      return pool.ite(condition, then, otherwise.operand(2));
    }
    if (otherwise.operand(1) == then) {
      return pool.ite(pool.disjunction({condition, otherwise.operand(0)}), then,
                      otherwise.operand(2));
    }
  }
  return {};
}

}  // namespace

Term Pool::negation(Term a) {
  AGON_ASSERT(a.sort().is_bool());
  if (a.is_constant()) return boolean(a.is_false());
  if (a.kind() == Kind::Not) return a.operand(0);
  if (detail::is_order(a.kind())) {
    return binary(opposite(a.kind()), a.operand(1), a.operand(0));
  }
  return tables_->make(Kind::Not, Sort::boolean(), {a});
}

Term Pool::junction(Kind kind, std::span<const Term> terms) {
  const Term unit = boolean(kind == Kind::And);
  std::vector<Term> kept;
  for (const Term term : terms) {
    AGON_ASSERT(term.sort().is_bool());
    if (term.is_constant() && term != unit) return term;
    if (term.kind() == kind && term.operands().size() <= kMostSpliced) {
      kept.insert(kept.end(), term.operands().begin(), term.operands().end());
    } else if (term != unit) {
      kept.push_back(term);
    }
  }
  std::ranges::sort(kept);
  const auto rest = std::ranges::unique(kept);
  kept.erase(rest.begin(), rest.end());
  for (const Term term : kept) {
    const Term opposed = known_negation(term);
    if (opposed && std::ranges::binary_search(kept, opposed)) {
      return boolean(kind != Kind::And);
    }
  }
  if (kept.empty()) return unit;
  if (kept.size() == 1) return kept.front();
  return tables_->make(kind, Sort::boolean(), kept);
}

// The negation of an atom is found from its Not, so only orders are looked up.
Term Pool::known_negation(Term a) const {
  if (a.kind() == Kind::Not) return a.operand(0);
  if (!detail::is_order(a.kind())) return {};
  return tables_->lookup(opposite(a.kind()), Sort::boolean(),
                         {a.operand(1), a.operand(0)});
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

Term Pool::ite(Term condition, Term then, Term otherwise) {
  AGON_ASSERT(condition.sort().is_bool() && then.sort() == otherwise.sort());
  if (condition.is_constant()) return condition.is_true() ? then : otherwise;
  if (then == otherwise) return then;
  if (condition.kind() == Kind::Not) {
    return ite(condition.operand(0), otherwise, then);
  }
  if (then.sort().is_bool()) {
    const Term simple = simplify_choice(*this, condition, then, otherwise);
    if (simple) return simple;
  }
  const Term simple = simplify_nested_ite(*this, condition, then, otherwise);
  if (simple) return simple;
  return tables_->make(Kind::Ite, then.sort(), {condition, then, otherwise});
}

}  // namespace agon::term
