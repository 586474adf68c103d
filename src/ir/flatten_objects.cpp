// SPDX-License-Identifier: Apache-2.0
#include "ir/flatten_objects.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "term/substitute.h"

namespace agon::ir {

using term::Kind;
using term::Term;

namespace {

/// The summands of an index.
std::vector<Term> summands(Term index) {
  std::vector<Term> open{index};
  std::vector<Term> result;
  while (!open.empty()) {
    const Term part = open.back();
    open.pop_back();
    if (part.kind() == Kind::Add) {
      open.insert(open.end(), part.operands().begin(), part.operands().end());
    } else {
      result.push_back(part);
    }
  }
  return result;
}

bool is_change(Term contents) {
  return contents.kind() == Kind::Write || contents.kind() == Kind::Copy;
}

}  // namespace

/// The one object whose address is a summand of the index.
ObjectId NamedObjects::base_of(Term index) const {
  ObjectId result;
  for (const Term part : summands(index)) {
    if (part.kind() != Kind::Address) continue;
    if (result.valid()) return {};
    result = program_.object_of(part);
    if (!result.valid()) return {};
  }
  return result;
}

void NamedObjects::look_at_place(Term index) {
  const ObjectId base = base_of(index);
  if (!base.valid()) return look_at(index);
  used_.insert(base);
  for (const Term part : summands(index)) {
    if (part.kind() != Kind::Address) look_at(part);
  }
}

void NamedObjects::look_at(Term term) {
  std::vector<Term> open{term};
  while (!open.empty()) {
    const Term part = open.back();
    open.pop_back();
    if (!seen_.insert(part).second) continue;
    if (part.kind() == Kind::Address) {
      const ObjectId object = program_.object_of(part);
      if (object.valid()) exposed_.insert(object);
    }
    const bool reads_memory = part.kind() == Kind::Read &&
                              part.operand(0) == program_[program_.memory].term;
    if (reads_memory) {
      look_at_place(part.operand(1));
    } else {
      open.insert(open.end(), part.operands().begin(), part.operands().end());
    }
  }
}

/// What is assigned to memory: changes of memory, one after the other. If they
/// concern different objects then these stay together.
void NamedObjects::look_at_contents(Term contents) {
  const Term memory = program_[program_.memory].term;
  std::set<ObjectId> bases;
  Term inner = contents;
  while (is_change(inner)) {
    bases.insert(base_of(inner.operand(1)));
    inner = inner.operand(0);
  }
  if (inner != memory) return look_at(contents);
  if (bases.size() > 1) exposed_.insert(bases.begin(), bases.end());
  for (inner = contents; is_change(inner); inner = inner.operand(0)) {
    look_at_place(inner.operand(1));
    look_at(inner.operand(2));
    if (inner.kind() != Kind::Copy) continue;
    if (inner.operand(3) == memory) {
      look_at_place(inner.operand(4));
    } else {
      look_at(inner.operand(3));
      look_at(inner.operand(4));
    }
  }
}

void NamedObjects::look_at(const Cfa& body) {
  for (const Edge& edge : body.edges()) {
    if (const auto* assign = std::get_if<Assign>(&edge.statement)) {
      if (assign->target == program_.memory) {
        look_at_contents(assign->value);
      } else {
        look_at(assign->value);
      }
    } else if (const auto* test = std::get_if<Assume>(&edge.statement)) {
      look_at(test->condition);
    } else if (const auto* call = std::get_if<Call>(&edge.statement)) {
      if (call->pointer.valid()) look_at(call->pointer);
      for (const Term argument : call->arguments) look_at(argument);
    } else if (const auto* ret = std::get_if<Return>(&edge.statement)) {
      for (const Term value : ret->values) look_at(value);
    }
  }
}

void NamedObjects::look_at_initial_values() {
  for (const Variable& variable : program_.variables) {
    if (variable.initial.valid()) look_at(variable.initial);
  }
  for (const Object& object : program_.objects) {
    for (const InitialCell& cell : object.initial) look_at(cell.value);
  }
}

VariableId NamedObjects::array_of(const Program& program, Term index) const {
  const ObjectId base = base_of(index);
  const bool is_apart =
      base.valid() && used_.contains(base) && !exposed_.contains(base);
  return is_apart ? program[base].arrays.front() : program.memory;
}

Term NamedObjects::rewrite(Program& program, Term term) const {
  const Term memory = program[program.memory].term;
  return term::transform(
      *program.pool, term,
      [&](Term part, std::span<const Term> operands) -> Term {
        if (part.kind() == Kind::Read && part.operand(0) == memory) {
          const VariableId array = array_of(program, part.operand(1));
          return program.pool->read(program[array].term, operands[1],
                                    part.count());
        }
        if (part.kind() == Kind::Copy && part.operand(3) == memory) {
          const VariableId array = array_of(program, part.operand(4));
          return program.pool->copy(operands[0], operands[1], operands[2],
                                    program[array].term, operands[4]);
        }
        return {};
      });
}

Statement NamedObjects::rewrite_assignment(Program& program,
                                           const Assign& assign) const {
  const Term value = rewrite(program, assign.value);
  if (assign.target != program.memory || !is_change(assign.value)) {
    return Assign{assign.target, value};
  }
  const VariableId array = array_of(program, assign.value.operand(1));
  if (array == program.memory) return Assign{array, value};
  // All changes concern the same object.
  std::vector<Term> changes;
  Term inner = value;
  for (; is_change(inner); inner = inner.operand(0)) changes.push_back(inner);
  Term contents = program[array].term;
  for (std::size_t i = changes.size(); i-- > 0;) {
    std::vector<Term> operands(changes[i].operands().begin(),
                               changes[i].operands().end());
    operands.front() = contents;
    contents = program.pool->rebuild(changes[i], operands);
  }
  return Assign{array, contents};
}

void NamedObjects::separate(Program& program, FunctionId function) const {
  for (const ObjectId id : used_) {
    if (exposed_.contains(id)) continue;
    Variable array;
    array.name = fmt::format("bytes of {}", program[id].name);
    array.display = fmt::format("bytes of {}", program[id].display);
    array.kind = VariableKind::Memory;
    const VariableId own = program.add_variable(
        std::move(array), program[program.memory].term.sort());
    Object& object = program.objects[id.index()];
    object.arrays = {own};
    for (InitialCell& cell : object.initial) cell.array = own;
  }
  const Cfa old = std::move(program.functions[function.index()].body);
  Cfa body;
  for (std::size_t i = 0; i < old.num_locations(); ++i) body.add_location();
  body.set_entry(old.entry());
  body.set_exit(old.exit());
  for (Edge edge : old.edges()) {
    if (const auto* assign = std::get_if<Assign>(&edge.statement)) {
      edge.statement = rewrite_assignment(program, *assign);
    } else if (auto* test = std::get_if<Assume>(&edge.statement)) {
      test->condition = rewrite(program, test->condition);
    } else if (auto* call = std::get_if<Call>(&edge.statement)) {
      for (Term& value : call->arguments) value = rewrite(program, value);
    } else if (auto* ret = std::get_if<Return>(&edge.statement)) {
      for (Term& value : ret->values) value = rewrite(program, value);
    }
    body.add_edge(std::move(edge));
  }
  body.finish();
  program.functions[function.index()].body = std::move(body);
}

}  // namespace agon::ir
