// SPDX-License-Identifier: Apache-2.0
#include "verify/outside.h"

#include <algorithm>
#include <vector>

#include "analysis/coerce.h"
#include "analysis/unknown_calls.h"
#include "term/substitute.h"

namespace agon::verify {

using term::Term;

namespace {

/// Shows the terms of all statements.
template <class Look>
void visit_terms(const ir::Cfa& body, const Look& look) {
  for (const ir::Edge& edge : body.edges()) {
    if (const auto* assign = std::get_if<ir::Assign>(&edge.statement)) {
      term::visit_subterms(assign->value, look);
    } else if (const auto* test = std::get_if<ir::Assume>(&edge.statement)) {
      term::visit_subterms(test->condition, look);
    }
  }
}

bool is_given(const ir::Variable& variable, ir::FunctionId entry) {
  const bool is_given =
      variable.kind == ir::VariableKind::Global ||
      (variable.kind == ir::VariableKind::Parameter && variable.owner == entry);
  return is_given && !variable.initial.valid() && variable.type.valid();
}

/// What its type says about a value from outside; invalid if nothing.
Term known_about(const ir::Program& program, const ir::Variable& variable,
                 const Outside& outside) {
  switch (program.types[variable.type].kind) {
    case ir::TypeKind::Pointer:
      return outside.contains(variable.term);
    case ir::TypeKind::Bool:
      return analysis::is_truth_value(*program.pool, variable.term);
    default:
      return {};
  }
}

bool is_pointer(const ir::Program& program, const ir::Variable& variable) {
  return program.types[variable.type].kind == ir::TypeKind::Pointer;
}

/// That a pointer is a multiple of what its type demands.
Term is_aligned(const ir::Program& program, const ir::Variable& pointer) {
  term::Pool& pool = *program.pool;
  const ir::TypeId element = program.types[pointer.type].element;
  if (!element.valid()) return pool.boolean(true);
  const ir::Type& to = program.types[element];
  if (to.alignment <= 1) return pool.boolean(true);
  const unsigned width = pointer.term.width();
  return pool.equal(
      pool.bit_and(pointer.term, pool.bits(to.alignment - 1, width)),
      pool.bits(0, width));
}

/// That two pointers to one type of struct point to the same one, or to two
/// that have nothing in common.
Term are_apart(const ir::Program& program, const ir::Variable& a,
               const ir::Variable& b) {
  term::Pool& pool = *program.pool;
  const ir::TypeId to = program.types[a.type].element;
  if (!to.valid() || to != program.types[b.type].element) {
    return pool.boolean(true);
  }
  const ir::Type& type = program.types[to];
  if (type.size <= type.alignment) return pool.boolean(true);
  const Term size = pool.bits(type.size, a.term.width());
  const auto is_far = [&](Term from, Term until) {
    return pool.negation(pool.unsigned_less(pool.subtract(until, from), size));
  };
  return pool.disjunction(
      {pool.equal(a.term, b.term),
       pool.conjunction({is_far(a.term, b.term), is_far(b.term, a.term)})});
}

/// What pointers from outside can be, and how they lie to each other.
Term known_together(const ir::Program& program,
                    const std::vector<const ir::Variable*>& pointers) {
  term::Pool& pool = *program.pool;
  Term all = pool.boolean(true);
  for (std::size_t i = 0; i < pointers.size(); ++i) {
    all = pool.conjunction({all, is_aligned(program, *pointers[i])});
    for (std::size_t k = 0; k < i; ++k) {
      all = pool.conjunction(
          {all, are_apart(program, *pointers[k], *pointers[i])});
    }
  }
  return all;
}

/// Puts an assumption in front of a body.
void assume_first(ir::Program& program, ir::FunctionId entry, Term condition) {
  const ir::Cfa old = std::move(program.functions[entry.index()].body);
  ir::Cfa body = old.without_edges();
  body.set_entry(body.add_location());
  body.add_edge({body.entry(), old.entry(), ir::Assume{condition},
                 program[entry].position, ir::InlineId()});
  for (const ir::Edge& edge : old.edges()) body.add_edge(edge);
  body.finish();
  program.functions[entry.index()].body = std::move(body);
}

}  // namespace

std::set<Term> addresses_in(const ir::Cfa& body) {
  std::set<Term> used;
  visit_terms(body, [&](Term t) {
    if (t.kind() == term::Kind::Address) used.insert(t);
  });
  return used;
}

std::set<Term> variables_in(const ir::Cfa& body) {
  std::set<Term> used;
  visit_terms(body, [&](Term t) {
    if (t.kind() == term::Kind::Variable) used.insert(t);
  });
  return used;
}

Outside::Outside(const ir::Program& program, ir::FunctionId entry)
    : pool_(*program.pool), width_(program.pointer_width()) {
  // Over integers it was said before, in front of the body.
  if (program[program.memory].term.sort().index().is_int()) return;
  allocates_ = std::ranges::any_of(program.variables, analysis::is_heap);
  const std::set<Term> used = addresses_in(program[entry].body);
  for (const ir::Object& object : program.objects) {
    if (object.kind != ir::ObjectKind::Local ||
        !used.contains(object.address)) {
      continue;
    }
    // Locals lie one behind the other, in this order; see `layout_axioms`.
    if (!first_.valid()) first_ = object.address;
    const auto size = std::max<std::uint64_t>(object.size, 1);
    end_ = pool_.add(object.address, pool_.bits(size, width_));
  }
}

Term Outside::contains(Term pointer) const {
  const bool is_as_wide = pointer.sort().is_bits() && pointer.width() == width_;
  if (!is_as_wide || (!allocates_ && !first_.valid())) return {};
  Term result = pool_.boolean(true);
  if (allocates_) {
    result = pool_.unsigned_less(
        pointer, pool_.bits(analysis::first_free_address(width_), width_));
  }
  if (!first_.valid()) return result;
  const Term is_local =
      pool_.conjunction({pool_.negation(pool_.unsigned_less(pointer, first_)),
                         pool_.unsigned_less(pointer, end_)});
  return pool_.conjunction({result, pool_.negation(is_local)});
}

void assume_outside(ir::Program& program, ir::FunctionId entry) {
  const Outside outside(program, entry);
  const std::set<Term> used = variables_in(program[entry].body);
  Term all = program.pool->boolean(true);
  std::vector<const ir::Variable*> pointers;
  for (const ir::Variable& variable : program.variables) {
    if (!used.contains(variable.term) || !is_given(variable, entry)) continue;
    const Term holds = known_about(program, variable, outside);
    if (holds.valid()) all = program.pool->conjunction({all, holds});
    if (is_pointer(program, variable)) pointers.push_back(&variable);
  }
  const Term together = known_together(program, pointers);
  if (!together.is_true()) {
    all = program.pool->conjunction({all, together});
    program.assume("alignment",
                   "pointers from outside the program are aligned, and those "
                   "to one type point to the same object or to two that do "
                   "not overlap");
  }
  if (!all.is_true()) assume_first(program, entry, all);
}

void assume_arguments(ir::Program& program, ir::FunctionId main) {
  const std::vector<ir::VariableId>& parameters = program[main].parameters;
  if (parameters.size() < 2) return;
  const std::set<Term> used = variables_in(program[main].body);
  term::Pool& pool = *program.pool;
  const Term count = program[parameters[0]].term;
  const Term values = program[parameters[1]].term;
  Term all = pool.boolean(true);
  if (used.contains(count) && count.sort().is_bits()) {
    const Term zero = pool.bits(0, count.width());
    all = pool.negation(pool.signed_less(count, zero));
  }
  if (used.contains(values) && values.sort().is_bits()) {
    const Term null = pool.bits(0, values.width());
    all = pool.conjunction({all, pool.negation(pool.equal(values, null))});
  }
  if (!all.is_true()) assume_first(program, main, all);
}

}  // namespace agon::verify
