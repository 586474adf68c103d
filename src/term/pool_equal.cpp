// SPDX-License-Identifier: Apache-2.0
#include <ranges>
#include <utility>
#include <vector>

#include "support/error.h"
#include "term/pool.h"
#include "term/rules.h"
#include "term/tables.h"

namespace agon::term {
namespace {

// How many choices an equation with a constant is pushed through. A longer
// chain is left alone as a whole.
constexpr std::size_t kMostChoices = 64;

/// One step towards the solution of an equation: it may replace both sides, in
/// which case `changed` is set, or know the truth value.
struct Step {
  Term result;
  bool changed = false;
};

Step replace(Term& a, Term& b, Term new_a, Term new_b) {
  a = new_a;
  b = new_b;
  return {{}, true};
}

/// extended(x) == k for a constant k.
Step peel_extension(Pool& pool, Term& t, Term& k) {
  const Term x = t.operand(0);
  const Term narrow = pool.extract(k, 0, x.width());
  const Term wide = t.kind() == Kind::ZeroExtend
                        ? pool.zero_extend(narrow, k.width())
                        : pool.sign_extend(narrow, k.width());
  if (wide != k) return {pool.boolean(false)};
  return replace(t, k, x, narrow);
}

/// high . low == k, where one of the parts is constant.
Step peel_concat(Pool& pool, Term& t, Term& k) {
  const Term high = t.operand(0);
  const Term low = t.operand(1);
  if (!high.is_constant() && !low.is_constant()) return {};
  const Term k_high = pool.extract(k, low.width(), high.width());
  const Term k_low = pool.extract(k, 0, low.width());
  if (high.is_constant()) {
    if (high != k_high) return {pool.boolean(false)};
    return replace(t, k, low, k_low);
  }
  if (low != k_low) return {pool.boolean(false)};
  return replace(t, k, high, k_high);
}

/// Moves an invertible operator from `t` to the constant `k`.
Step peel(Pool& pool, Term& t, Term& k) {
  switch (t.kind()) {
    case Kind::Address:
      return detail::is_zero(k) ? Step{pool.boolean(false)} : Step{};
    case Kind::Negate:
    case Kind::BitNot:
      return replace(t, k, t.operand(0), pool.unary(t.kind(), k));
    case Kind::Add:
      if (!t.operand(1).is_constant()) return {};
      return replace(t, k, t.operand(0), pool.subtract(k, t.operand(1)));
    case Kind::BitXor:
      if (!t.operand(1).is_constant()) return {};
      return replace(t, k, t.operand(0),
                     pool.binary(Kind::BitXor, k, t.operand(1)));
    case Kind::Subtract:
      if (t.operand(0).is_constant()) {
        return replace(t, k, t.operand(1), pool.subtract(t.operand(0), k));
      }
      if (!detail::is_zero(k)) return {};
      return replace(t, k, t.operand(0), t.operand(1));
    case Kind::ZeroExtend:
    case Kind::SignExtend:
      return peel_extension(pool, t, k);
    case Kind::Concat:
      return peel_concat(pool, t, k);
    default:
      return {};
  }
}

/// ite(c, 1, ite(d, 2, x)) == k: the conditions under which it holds. None if
/// no branch is constant, or if there are too many choices.
Term push_into_choices(Pool& pool, Term t, Term k) {
  struct Choice {
    Term condition;
    bool constant_first;
    bool holds;
  };
  std::vector<Choice> choices;
  Step step;
  while (!step.result && !t.is_constant() && k.is_constant()) {
    if (t.kind() == Kind::Ite &&
        (t.operand(1).is_constant() || t.operand(2).is_constant())) {
      if (choices.size() == kMostChoices) return {};
      const bool first = t.operand(1).is_constant();
      choices.push_back({t.operand(0), first, t.operand(first ? 1 : 2) == k});
      t = t.operand(first ? 2 : 1);
      continue;
    }
    if (choices.empty()) return {};
    step = peel(pool, t, k);
    if (!step.result && !step.changed) break;
  }
  Term result = step.result ? step.result : pool.equal(t, k);
  for (const Choice& choice : choices | std::views::reverse) {
    const Term constant = pool.boolean(choice.holds);
    result = choice.constant_first
                 ? pool.ite(choice.condition, constant, result)
                 : pool.ite(choice.condition, result, constant);
  }
  return result;
}

/// What is left of a sum when one of its operands is taken away, or none.
Term without(Term sum, Term operand) {
  if (sum.kind() != Kind::Add) return {};
  if (sum.operand(0) == operand) return sum.operand(1);
  return sum.operand(1) == operand ? sum.operand(0) : Term();
}

/// Cancels what two sums, or a sum and a term, have in common.
Step cancel(Pool& pool, Term& a, Term& b) {
  if (detail::has_constant(a, Kind::Add) &&
      detail::has_constant(b, Kind::Add)) {
    const Term offset = pool.subtract(b.operand(1), a.operand(1));
    return replace(a, b, a.operand(0), pool.add(b.operand(0), offset));
  }
  // Of two terms, the later one is second, and only it can contain the other.
  if (const Term rest = without(b, a)) {
    return replace(a, b, rest, detail::zero_like(pool, rest));
  }
  if (a.kind() != Kind::Add) return {};
  for (const Term operand : a.operands()) {
    const Term rest = without(b, operand);
    if (rest) return replace(a, b, without(a, operand), rest);
  }
  return {};
}

/// Equations of two choices between the same two constants.
Step compare_choices(Pool& pool, Term a, Term b) {
  if (!detail::is_constant_ite(a) || !detail::is_constant_ite(b)) return {};
  if (a.operand(1) == b.operand(1) && a.operand(2) == b.operand(2)) {
    return {pool.equal(a.operand(0), b.operand(0))};
  }
  if (a.operand(1) == b.operand(2) && a.operand(2) == b.operand(1)) {
    return {pool.negation(pool.equal(a.operand(0), b.operand(0)))};
  }
  return {};
}

/// One step for two terms that are not constant.
Step solve(Pool& pool, Term& a, Term& b) {
  if (a.kind() == Kind::Add || b.kind() == Kind::Add) return cancel(pool, a, b);
  if (a.kind() != b.kind()) return {};
  switch (a.kind()) {
    case Kind::Address:
      return {pool.boolean(false)};
    case Kind::Negate:
    case Kind::BitNot:
      return replace(a, b, a.operand(0), b.operand(0));
    case Kind::ZeroExtend:
    case Kind::SignExtend: {
      const bool is_signed = a.kind() == Kind::SignExtend;
      const unsigned width =
          std::max(a.operand(0).width(), b.operand(0).width());
      return replace(a, b, pool.resize(a.operand(0), width, is_signed),
                     pool.resize(b.operand(0), width, is_signed));
    }
    case Kind::Ite:
      return compare_choices(pool, a, b);
    default:
      return {};
  }
}

Term equal_booleans(Pool& pool, Term a, Term b) {
  if (a.is_constant()) return a.is_true() ? b : pool.negation(b);
  if (b.is_constant()) return b.is_true() ? a : pool.negation(a);
  if (a.kind() == Kind::Not) {
    return pool.negation(pool.equal(a.operand(0), b));
  }
  if (b.kind() == Kind::Not) {
    return pool.negation(pool.equal(a, b.operand(0)));
  }
  return {};
}

}  // namespace

Term Pool::equal(Term a, Term b) {
  AGON_ASSERT(a.sort() == b.sort() && !a.sort().is_array());
  for (Step step{{}, true}; step.changed;) {
    if (a == b) return boolean(true);
    if (a.is_constant() && b.is_constant()) return boolean(false);
    if (a.sort().is_bool()) {
      const Term simple = equal_booleans(*this, a, b);
      if (simple) return simple;
    }
    if (a.is_constant() || (!b.is_constant() && b < a)) std::swap(a, b);
    step = b.is_constant() ? peel(*this, a, b) : solve(*this, a, b);
    if (step.result) return step.result;
  }
  if (b.is_constant()) {
    const Term pushed = push_into_choices(*this, a, b);
    if (pushed) return pushed;
  }
  return tables_->make(Kind::Equal, Sort::boolean(), {a, b});
}

}  // namespace agon::term
