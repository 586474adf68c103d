// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include "ir/flatten_objects.h"
#include "ir/flattener.h"
#include "ir/routines.h"
#include "term/substitute.h"

namespace agon::ir {

void Flattener::finish_objects() {
  for (std::size_t i = 0; i < program_.functions.size(); ++i) {
    if (FunctionId::at(i) == entry_) continue;
    Function& function = program_.functions[i];
    function.has_body = false;
    function.body = Cfa();
    function.locals.clear();
    function.objects.clear();
  }
  if (options_.any_state) forget_initial_values();
  drop_unused_contents();
  assume_outside();
}

void Flattener::forget_initial_values() {
  for (std::size_t i = 0; i < program_.variables.size(); ++i) {
    const bool is_flag = program_.variables[i].name.starts_with(kToldFlag);
    if (VariableId::at(i) != heap_ && !is_flag) {
      program_.variables[i].initial = Term();
    }
  }
  for (Object& object : program_.objects) {
    if (object.is_constant || object.kind == ObjectKind::String) continue;
    object.is_zeroed = false;
    object.initial.clear();
    object.bytes.clear();
  }
}

/// What cannot be reached from the body may hold anything.
void Flattener::drop_unused_contents() {
  std::set<Term> used = addresses_in(program_[entry_].body);
  const auto note = [&](Term value) {
    term::visit_subterms(value, [&](Term part) {
      if (part.kind() == term::Kind::Address) used.insert(part);
    });
  };
  for (const Variable& variable : program_.variables) {
    if (variable.initial.valid()) note(variable.initial);
  }
  for (std::size_t before = 0; before != used.size();) {
    before = used.size();
    for (const Object& object : program_.objects) {
      if (!used.contains(object.address)) continue;
      for (const InitialCell& cell : object.initial) note(cell.value);
    }
  }
  for (Object& object : program_.objects) {
    if (used.contains(object.address)) continue;
    object.is_zeroed = false;
    object.initial.clear();
    object.bytes.clear();
  }
}

/// Whether the value comes from outside.
bool Flattener::is_given(const Variable& variable) const {
  const auto& parameters = program_[entry_].parameters;
  const bool is_given = is_global(variable) ||
                        std::ranges::any_of(parameters, [&](VariableId id) {
                          return program_[id].term == variable.term;
                        });
  return is_given && !variable.initial.valid();
}

/// What C says of the parameters of `main`.
void Flattener::assume_arguments(std::vector<Term>& parts) {
  const std::vector<VariableId>& parameters = program_[entry_].parameters;
  if (options_.any_state || program_[entry_].name != "main" ||
      parameters.size() < 2) {
    return;
  }
  term::Pool& pool = *program_.pool;
  const Term count = program_[parameters[0]].term;
  const Term values = program_[parameters[1]].term;
  if (count.sort().is_bits()) {
    parts.push_back(
        pool.negation(pool.signed_less(count, pool.bits(0, count.width()))));
  }
  if (values.sort().is_bits()) {
    parts.push_back(
        pool.negation(pool.equal(values, pool.bits(0, values.width()))));
  }
}

/// From where to where the locals lie that are used.
Flattener::Span Flattener::locals() {
  const std::set<Term> used = addresses_in(program_[entry_].body);
  Span result;
  for (const Object& object : program_.objects) {
    if (object.kind != ObjectKind::Local || !used.contains(object.address)) {
      continue;
    }
    if (!result.first.valid()) result.first = object.address;
    result.end = program_.pool->add(
        object.address, number(std::max<std::uint64_t>(object.size, 1)));
  }
  return result;
}

/// What a pointer points to, if it is an object of a known size.
const Type* Flattener::pointee(const Variable& pointer) const {
  const TypeId to = program_.types[pointer.type].element;
  return to.valid() ? &program_.types[to] : nullptr;
}

/// That no byte of so many that a pointer points to is one of a local.
Term Flattener::is_no_local(Term p, std::uint64_t size, const Span& locals) {
  term::Pool& pool = *program_.pool;
  if (!locals.first.valid()) return pool.boolean(true);
  const Term distance = pool.subtract(locals.first, p);
  return pool.disjunction(
      {pool.conjunction(
           {pool.unsigned_less(p, locals.first),
            pool.negation(pool.unsigned_less(distance, number(size)))}),
       pool.negation(pool.unsigned_less(p, locals.end))});
}

/// That a pointer is a multiple of what its type demands.
Term Flattener::is_aligned(Term pointer, const Type& to) {
  term::Pool& pool = *program_.pool;
  if (to.alignment <= 1) return pool.boolean(true);
  return pool.equal(pool.bit_and(pointer, number(to.alignment - 1)), number(0));
}

/// That two pointers to one type point to the same object, or to two that have
/// nothing in common.
Term Flattener::are_apart(Term a, Term b, TypeId to) {
  const Type& type = program_.types[to];
  if (type.size <= type.alignment) return program_.pool->boolean(true);
  return program_.pool->disjunction(
      {program_.pool->equal(a, b), lie_apart(a, type.size, b, type.size)});
}

std::vector<Term> Flattener::known_of_given() {
  term::Pool& pool = *program_.pool;
  const std::set<Term> used = variables_in(program_[entry_].body);
  const Span gone = locals();
  std::vector<Term> parts;
  assume_arguments(parts);
  std::vector<const Variable*> pointers;
  for (std::size_t i = 0; i < program_.variables.size(); ++i) {
    const Variable& variable = program_.variables[i];
    if (!used.contains(variable.term) || !is_given(variable)) continue;
    if (is_truth_value(variable)) parts.push_back(is_bit(VariableId::at(i)));
    if (!is_of(variable, TypeKind::Pointer)) continue;
    if (heap_.valid()) {
      parts.push_back(pool.unsigned_less(
          variable.term, number(heap_start(program_.pointer_width()))));
    }
    parts.push_back(is_no_local(variable.term, 1, gone));
    pointers.push_back(&variable);
  }
  for (std::size_t i = 0; i < pointers.size(); ++i) {
    const TypeId to = program_.types[pointers[i]->type].element;
    if (!to.valid()) continue;
    parts.push_back(is_aligned(pointers[i]->term, program_.types[to]));
    for (std::size_t k = 0; k < i; ++k) {
      if (program_.types[pointers[k]->type].element != to) continue;
      parts.push_back(are_apart(pointers[k]->term, pointers[i]->term, to));
    }
  }
  const Term by_types = pool.conjunction(known_by_types());
  knows_types_ = !by_types.is_true();
  if (options_.is_exact) parts.push_back(by_types);
  return parts;
}

/// Puts in front of the body what is known of values from outside, and behind
/// each choice of a client what is known of its pointers.
void Flattener::assume_outside() {
  const Term known = program_.pool->conjunction(known_of_given());
  const bool is_client = head_.valid();
  if (known.is_true() && !is_client) return;
  const Span gone = locals();
  const Cfa old = program_[entry_].body;
  Cfa body = old.without_edges();
  body.set_entry(body.add_location());
  body.add_edge({body.entry(), old.entry(), Assume{known},
                 program_[entry_].position, InlineId()});
  for (Edge edge : old.edges()) {
    const auto* const havoc = std::get_if<Havoc>(&edge.statement);
    const bool is_pointer = is_client && havoc != nullptr &&
                            havoc->source == kClientValue &&
                            is_of(program_[havoc->target], TypeKind::Pointer);
    if (!is_pointer) {
      body.add_edge(std::move(edge));
      continue;
    }
    Edge test = edge;
    test.from = edge.to = body.add_location();
    test.statement = Assume{is_of_client(program_[havoc->target], gone)};
    body.add_edge(std::move(edge));
    body.add_edge(std::move(test));
  }
  body.finish();
  program_.functions[entry_.index()].body = std::move(body);
}

void assume_flat(Program& program) {
  program.assume("alignment",
                 "pointers from outside the program are aligned; those to one "
                 "type point to the same object or to two that do not "
                 "overlap, and those to types that are never converted to "
                 "objects of these");
  program.assume("pointer arithmetic",
                 "a pointer stays inside the object that it points into");
  std::string known;  // Functions that somebody else could call.
  for (const Function& function : program.functions) {
    if (!function.has_body || !function.address.valid()) continue;
    known += (known.empty() ? "" : ", ") + function.display;
  }
  if (known.empty()) return;
  program.assume("callbacks",
                 "routines without a body perform no actions by calling "
                 "functions whose addresses they may know (" +
                     known + ")");
}

std::set<Term> addresses_in(const Cfa& body) {
  std::set<Term> used;
  visit_terms(body, [&](Term part) {
    if (part.kind() == term::Kind::Address) used.insert(part);
  });
  return used;
}

std::set<Term> variables_in(const Cfa& body) {
  std::set<Term> used;
  visit_terms(body, [&](Term part) {
    if (part.kind() == term::Kind::Variable) used.insert(part);
  });
  return used;
}

}  // namespace agon::ir
