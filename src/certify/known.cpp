// SPDX-License-Identifier: Apache-2.0
#include "certify/known.h"

#include <map>

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

/// What is read, without memory: what was written at this place, as long as it
/// is certain that it was all of it or nothing, and otherwise anything.
class Reads {
 public:
  explicit Reads(term::Pool& pool) : pool_(pool) {}

  Term value(Term array, Term place, unsigned count, unsigned depth = 0) {
    const auto [at, is_new] =
        known_.try_emplace(pool_.read(array, place, count));
    if (!is_new) return at->second;
    Term& result = at->second;  // Stays where it is.
    if (at->first.kind() != Kind::Read) return result = at->first;
    const Term anything = pool_.fresh("read", at->first.sort());
    array = at->first.operand(0);
    place = at->first.operand(1);
    if (depth == kMostDeep) return result = anything;
    if (array.kind() == Kind::Ite) {
      const Term first = value(array.operand(1), place, count, depth + 1);
      const Term second = value(array.operand(2), place, count, depth + 1);
      return result = pool_.ite(array.operand(0), first, second);
    }
    if (array.kind() != Kind::Write) return result = anything;
    const Term where = array.operand(1);
    const Term before = value(array.operand(0), place, count, depth + 1);
    const Term other = pool_.ite(are_apart(place, count, where, array.count()),
                                 before, anything);
    if (array.operand(2).sort() != other.sort()) return result = other;
    return result =
               pool_.ite(pool_.equal(place, where), array.operand(2), other);
  }

 private:
  static constexpr unsigned kMostDeep = 64;

  Term are_apart(Term a, unsigned a_size, Term b, unsigned b_size) {
    const auto is_far = [&](Term from, Term to, unsigned size) {
      return pool_.negation(pool_.unsigned_less(pool_.subtract(to, from),
                                                pool_.bits(size, a.width())));
    };
    return pool_.conjunction({is_far(a, b, a_size), is_far(b, a, b_size)});
  }

  term::Pool& pool_;
  std::map<Term, Term> known_;
};

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
  Reads reads(pool);
  return term::transform(
      pool, formula, [&](Term part, std::span<const Term> operands) {
        return part.kind() == Kind::Read
                   ? reads.value(operands[0], operands[1], part.count())
                   : Term();
      });
}

}  // namespace agon::certify
