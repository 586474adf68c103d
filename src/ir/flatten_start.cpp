// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

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
    if (VariableId::at(i) != heap_) program_.variables[i].initial = Term();
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

void Flattener::assume_outside() {
  term::Pool& pool = *program_.pool;
  const Cfa old = program_[entry_].body;
  const std::set<Term> used = addresses_in(old);
  Term first;
  Term end;
  for (const Object& object : program_.objects) {
    if (object.kind != ObjectKind::Local || !used.contains(object.address) ||
        object.arrays.front() != program_.memory) {
      continue;
    }
    if (!first.valid()) first = object.address;
    end = pool.add(object.address,
                   number(std::max<std::uint64_t>(object.size, 1)));
  }
  std::vector<Term> parts;
  assume_arguments(parts);
  for (std::size_t i = 0; i < program_.variables.size(); ++i) {
    const Variable& variable = program_.variables[i];
    if (!is_given(variable)) continue;
    if (is_truth_value(variable)) parts.push_back(is_bit(VariableId::at(i)));
    if (!is_of(variable, TypeKind::Pointer)) continue;
    const Term p = variable.term;
    if (heap_.valid()) {
      parts.push_back(
          pool.unsigned_less(p, number(heap_start(program_.pointer_width()))));
    }
    if (first.valid()) {
      parts.push_back(
          pool.disjunction({pool.unsigned_less(p, first),
                            pool.negation(pool.unsigned_less(p, end))}));
    }
  }
  if (parts.empty()) return;
  Cfa body;
  for (std::size_t i = 0; i < old.num_locations(); ++i) body.add_location();
  body.set_exit(old.exit());
  body.set_entry(body.add_location());
  body.add_edge({body.entry(), old.entry(), Assume{pool.conjunction(parts)},
                 program_[entry_].position, InlineId()});
  for (const Edge& edge : old.edges()) body.add_edge(edge);
  body.finish();
  program_.functions[entry_.index()].body = std::move(body);
}

std::set<Term> addresses_in(const Cfa& body) {
  std::set<Term> used;
  const auto note = [&](Term value) {
    term::visit_subterms(value, [&](Term part) {
      if (part.kind() == term::Kind::Address) used.insert(part);
    });
  };
  for (const Edge& edge : body.edges()) {
    if (const auto* assign = std::get_if<Assign>(&edge.statement)) {
      note(assign->value);
    } else if (const auto* test = std::get_if<Assume>(&edge.statement)) {
      note(test->condition);
    } else if (const auto* call = std::get_if<Call>(&edge.statement)) {
      for (const Term argument : call->arguments) note(argument);
    } else if (const auto* ret = std::get_if<Return>(&edge.statement)) {
      for (const Term value : ret->values) note(value);
    }
  }
  return used;
}

}  // namespace agon::ir
