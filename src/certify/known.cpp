// SPDX-License-Identifier: Apache-2.0
#include "certify/known.h"

namespace agon::certify {

using term::Kind;
using term::Term;

namespace {

bool is_fixed(Term value) {
  return value.is_constant() || value.kind() == Kind::Address;
}

bool is_variable(Term term) {
  return term.kind() == Kind::Variable && !term.sort().is_array();
}

/// A literal as an equation with a fixed right side; invalid if it is none.
std::pair<Term, Term> equation(term::Pool& pool, Term literal) {
  if (is_variable(literal)) return {literal, pool.boolean(true)};
  if (literal.kind() == Kind::Not && is_variable(literal.operand(0))) {
    return {literal.operand(0), pool.boolean(false)};
  }
  if (literal.kind() != Kind::Equal) return {};
  const Term a = literal.operand(0);
  const Term b = literal.operand(1);
  if (is_fixed(b)) return {a, b};
  return is_fixed(a) ? std::pair(b, a) : std::pair<Term, Term>();
}

}  // namespace

term::Substitution known_values(const ir::Program& program,
                                std::span<const Term> literals) {
  term::Pool& pool = *program.pool;
  term::Substitution result;
  std::vector<std::pair<Term, Term>> cells;
  for (const Term literal : literals) {
    const auto [left, right] = equation(pool, literal);
    if (!left.valid()) continue;
    if (is_variable(left)) {
      result.emplace(left, right);
    } else if (left.kind() == Kind::Read &&
               left.operand(0).kind() == Kind::Variable) {
      cells.emplace_back(left, right);
    }
  }
  const term::Substitution scalars = result;
  for (const auto& [cell, value] : cells) {
    const Term array = cell.operand(0);
    const Term place = term::substitute(pool, cell.operand(1), scalars);
    Term& contents = result.try_emplace(array, array).first->second;
    contents = pool.write(contents, place, value);
  }
  return result;
}

Term without_memory(term::Pool& pool, Term formula) {
  term::Substitution names;
  std::vector<Term> open{formula};
  std::unordered_map<Term, bool> seen;
  while (!open.empty()) {
    const Term part = open.back();
    open.pop_back();
    if (!seen.emplace(part, true).second) continue;
    if (part.kind() == Kind::Read) {
      names.emplace(part, pool.fresh("read", part.sort()));
    } else {
      open.insert(open.end(), part.operands().begin(), part.operands().end());
    }
  }
  return names.empty() ? formula : term::substitute(pool, formula, names);
}

}  // namespace agon::certify
