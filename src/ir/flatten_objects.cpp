// SPDX-License-Identifier: Apache-2.0
#include "ir/flatten_objects.h"

#include <fmt/format.h>

#include <algorithm>

#include "term/substitute.h"

// Objects and the variables that hold their addresses form classes, of which
// each is an array in the end, or exposed. A class is exposed if an address of
// it becomes part of anything else than a place, a comparison or a sum that is
// assigned to one of its variables, or if one of its variables gets a value of
// other origin. Only 0 may come from anywhere: it points to nothing.

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

/// Whether it does not matter from where contents are copied: they are what an
/// uninitialised object holds, or zeros.
bool is_same_everywhere(Term contents) {
  return contents.kind() == Kind::Variable ||
         contents.kind() == Kind::ConstantArray;
}

bool is_comparison(Term term) {
  switch (term.kind()) {
    case Kind::Equal:
    case Kind::ULess:
    case Kind::ULessEqual:
    case Kind::SLess:
    case Kind::SLessEqual:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool PrivateObjects::is_carrier(Term leaf) const {
  if (leaf.kind() == Kind::Address) return program_.object_of(leaf).valid();
  return carriers_.contains(leaf);
}

/// Whether an address may be part of the value, or have been used for it
/// otherwise than to compare it or to read there.
bool PrivateObjects::carries(Term term) {
  std::vector<Term> open{term};
  std::set<Term> seen;
  while (!open.empty()) {
    const Term part = open.back();
    open.pop_back();
    if (!seen.insert(part).second || part.kind() == Kind::Read ||
        is_comparison(part)) {
      continue;
    }
    if (is_carrier(part)) return true;
    open.insert(open.end(), part.operands().begin(), part.operands().end());
  }
  return false;
}

void PrivateObjects::collect_carriers(const std::vector<const Cfa*>& bodies) {
  if (heap_.valid()) carriers_.insert(program_[heap_].term);
  for (const Variable& variable : program_.variables) {
    if (variable.initial.valid() && carries(variable.initial)) {
      carriers_.insert(variable.term);
    }
  }
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (const Cfa* const body : bodies) {
      for (const Edge& edge : body->edges()) {
        const auto* assign = std::get_if<Assign>(&edge.statement);
        if (assign == nullptr || assign->target == program_.memory) continue;
        const Term target = program_[assign->target].term;
        if (is_sizes(target)) continue;
        // What is put there leaves the program.
        if (program_[assign->target].is_told()) continue;
        if (carriers_.contains(target) || !carries(assign->value)) continue;
        carriers_.insert(target);
        is_changed = true;
      }
    }
  }
}

PrivateObjects::Number PrivateObjects::number(Term leaf) {
  const auto [at, is_new] =
      numbers_.emplace(leaf, static_cast<Number>(parent_.size()));
  if (is_new) {
    parent_.push_back(at->second);
    is_exposed_.push_back(false);
    is_lost_.push_back(false);
  }
  return at->second;
}

PrivateObjects::Number PrivateObjects::root(Number number) {
  while (parent_[number] != number) {
    number = parent_[number] = parent_[parent_[number]];
  }
  return number;
}

void PrivateObjects::unite(Term a, Term b) {
  const Number first = root(number(a));
  const Number second = root(number(b));
  if (first == second) return;
  parent_[second] = first;
  is_exposed_[first] = is_exposed_[first] || is_exposed_[second];
  is_lost_[first] = is_lost_[first] || is_lost_[second];
}

void PrivateObjects::expose(Term leaf) {
  is_exposed_[root(number(leaf))] = true;
  is_lost_[root(number(leaf))] = true;
}

/// The address becomes part of something else, which others may see.
void PrivateObjects::tell(Term leaf) {
  if (!edge_) return expose(leaf);
  is_exposed_[root(number(leaf))] = true;
  tells_.emplace_back(*edge_, number(leaf));
}

void PrivateObjects::expose(ObjectId object) {
  expose(program_[object].address);
}

void PrivateObjects::expose_all(Term term) {
  term::visit_subterms(term, [&](Term part) {
    if (is_carrier(part)) tell(part);
  });
}

/// The one summand of an index that is, or holds, the address of an object.
Term PrivateObjects::base_of(Term index) {
  Term result;
  for (const Term part : summands(index)) {
    if (!carries(part)) continue;
    if (result.valid() || !is_carrier(part)) return {};
    result = part;
  }
  return result;
}

void PrivateObjects::look_at_place(Term index) {
  const Term base = base_of(index);
  if (!base.valid()) return look_at(index);
  used_.insert(base);
  for (const Term part : summands(index)) {
    if (part != base) look_at(part);
  }
}

void PrivateObjects::assign(Term target, Term value) {
  if (value.kind() == Kind::Ite) {
    look_at(value.operand(0));
    assign(target, value.operand(1));
    assign(target, value.operand(2));
    return;
  }
  const Term base = base_of(value);
  if (base.valid()) {
    unite(target, base);
    for (const Term part : summands(value)) {
      if (part != base) look_at(part);
    }
    return;
  }
  look_at(value);
  const bool is_null = value.is_constant() && value.value() == 0;
  if (!is_null) expose(target);
}

void PrivateObjects::look_at(Term term) {
  std::vector<Term> open{term};
  while (!open.empty()) {
    const Term part = open.back();
    open.pop_back();
    if (!seen_.insert(part).second) continue;
    if (is_carrier(part)) tell(part);
    const bool reads_memory = part.kind() == Kind::Read &&
                              part.operand(0) == program_[program_.memory].term;
    if (reads_memory ||
        (part.kind() == Kind::Read && is_sizes(part.operand(0)))) {
      look_at_place(part.operand(1));
      continue;
    }
    for (const Term operand : part.operands()) {
      const Term base = is_comparison(part) ? base_of(operand) : Term();
      if (!base.valid()) {
        open.push_back(operand);
        continue;
      }
      for (const Term other : summands(operand)) {
        if (other != base) open.push_back(other);
      }
    }
  }
}

bool PrivateObjects::is_sizes(Term term) const {
  return sizes_.valid() && term == program_[sizes_].term;
}

/// What is assigned to the sizes of blocks: those with that of one more.
void PrivateObjects::look_at_sizes(Term sizes) {
  if (sizes.kind() != Kind::Write || !is_sizes(sizes.operand(0))) {
    return look_at(sizes);
  }
  look_at_place(sizes.operand(1));
  look_at(sizes.operand(2));
}

/// What is assigned to memory: changes of memory, one after the other. If they
/// concern different objects then these stay together.
void PrivateObjects::look_at_contents(Term contents) {
  const Term memory = program_[program_.memory].term;
  std::vector<Term> bases;
  Term inner = contents;
  for (; is_change(inner); inner = inner.operand(0)) {
    bases.push_back(base_of(inner.operand(1)));
  }
  if (inner != memory) return expose_all(contents);
  together_.push_back(std::move(bases));
  for (inner = contents; is_change(inner); inner = inner.operand(0)) {
    look_at_place(inner.operand(1));
    look_at(inner.operand(2));
    if (inner.kind() != Kind::Copy) continue;
    if (inner.operand(3) == memory || is_same_everywhere(inner.operand(3))) {
      look_at_place(inner.operand(4));
    } else {
      look_at(inner.operand(3));
      look_at(inner.operand(4));
    }
  }
}

void PrivateObjects::look_at(const Cfa& body, bool is_flat) {
  for (std::size_t i = 0; i < body.edges().size(); ++i) {
    const Edge& edge = body.edges()[i];
    seen_.clear();  // Each statement that tells something counts.
    if (is_flat) edge_ = i;
    if (const auto* to = std::get_if<Assign>(&edge.statement)) {
      const Term target = program_[to->target].term;
      if (to->target == program_.memory) {
        look_at_contents(to->value);
      } else if (is_sizes(target)) {
        look_at_sizes(to->value);
      } else if (carriers_.contains(target)) {
        assign(target, to->value);
      } else {
        look_at(to->value);
      }
    } else if (const auto* havoc = std::get_if<Havoc>(&edge.statement)) {
      const Term target = program_[havoc->target].term;
      // What was not given a value points to nothing.
      if (carriers_.contains(target) &&
          havoc->reason != HavocReason::Uninitialised) {
        expose(target);
      }
    } else if (const auto* test = std::get_if<Assume>(&edge.statement)) {
      edge_.reset();  // Others may leave the same place.
      look_at(test->condition);
    } else if (const auto* call = std::get_if<Call>(&edge.statement)) {
      if (call->pointer.valid()) look_at(call->pointer);
      for (const Term argument : call->arguments) look_at(argument);
      for (const VariableId result : call->results) {
        if (carriers_.contains(program_[result].term)) {
          expose(program_[result].term);
        }
      }
    } else if (const auto* ret = std::get_if<Return>(&edge.statement)) {
      for (const Term value : ret->values) look_at(value);
    }
  }
  seen_.clear();
  edge_.reset();
}

/// Parameters and globals without a known value have one of other origin.
void PrivateObjects::look_at_start(bool any_state) {
  for (const Variable& variable : program_.variables) {
    if (heap_.valid() && variable.term == program_[heap_].term) continue;
    const bool is_known = variable.initial.valid() && !any_state;
    const bool is_carrier = carriers_.contains(variable.term);
    const bool is_given = variable.kind == VariableKind::Parameter ||
                          variable.kind == VariableKind::Global;
    if (is_carrier && is_given && !is_known) expose(variable.term);
    if (is_carrier && is_known) {
      assign(variable.term, variable.initial);
    } else if (variable.initial.valid()) {
      look_at(variable.initial);
    }
  }
  for (const Object& object : program_.objects) {
    for (const InitialCell& cell : object.initial) look_at(cell.value);
  }
}

void PrivateObjects::keep_together() {
  for (const std::vector<Term>& bases : together_) {
    const bool is_same = std::ranges::all_of(bases, [&](Term base) {
      return base.valid() && bases.front().valid() &&
             root(number(base)) == root(number(bases.front()));
    });
    for (const Term base : bases) {
      if (base.valid() && !is_same) is_exposed_[root(number(base))] = true;
    }
  }
}

void PrivateObjects::look_at(const std::vector<const Cfa*>& bodies,
                             const std::vector<Term>& told, bool any_state) {
  collect_carriers(bodies);
  for (const Cfa* const body : bodies) look_at(*body, body == bodies.front());
  edge_ = kNoEdge;
  for (const Term value : told) look_at(value);
  edge_.reset();
  look_at_start(any_state);
  keep_together();
}

VariableId PrivateObjects::array_of(const Program& program, Term index) {
  const Term base = base_of(index);
  if (!base.valid()) return program.memory;
  const auto found = arrays_.find(root(number(base)));
  return found == arrays_.end() ? program.memory : found->second;
}

Term PrivateObjects::rewrite(Program& program, Term term) {
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

Statement PrivateObjects::rewrite_assignment(Program& program,
                                             const Assign& assign) {
  const Term value = rewrite(program, assign.value);
  if (assign.target != program.memory || !is_change(assign.value)) {
    return Assign{assign.target, value};
  }
  const VariableId array = array_of(program, assign.value.operand(1));
  if (array == program.memory) return Assign{array, value};
  // All changes concern the same array.
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

bool PrivateObjects::is_private(Term leaf, const std::set<Number>& used) {
  const Number its = root(number(leaf));
  return !is_exposed_[its] && used.contains(its);
}

/// That of its class.
VariableId PrivateObjects::own_array(Program& program, Term leaf,
                                     const std::string& name,
                                     const std::string& display) {
  VariableId& own = arrays_[root(number(leaf))];
  if (!own.valid()) {
    Variable array;
    array.name = fmt::format("bytes of {}", name);
    array.display = fmt::format("bytes of {}", display);
    array.kind = VariableKind::Memory;
    own = program.add_variable(std::move(array),
                               program[program.memory].term.sort());
  }
  return own;
}

std::string PrivateObjects::heap_array(const Program& program) {
  if (!heap_.valid()) return {};
  const auto found = arrays_.find(root(number(program[heap_].term)));
  return found == arrays_.end() ? std::string() : program[found->second].name;
}

void PrivateObjects::separate(Program& program, FunctionId function) {
  std::set<Number> used;
  for (const Term base : used_) used.insert(root(number(base)));
  for (std::size_t i = 0; i < program_.objects.size(); ++i) {
    const Term address = program_.objects[i].address;
    if (!is_private(address, used)) continue;
    const VariableId own = own_array(program, address, program.objects[i].name,
                                     program.objects[i].display);
    Object& object = program.objects[i];
    object.arrays = {own};
    for (InitialCell& cell : object.initial) cell.array = own;
  }
  if (heap_.valid() && is_private(program[heap_].term, used)) {
    own_array(program, program[heap_].term, program[heap_].name,
              program[heap_].display);
  }
  add_flags(program, function);
  const Cfa old = std::move(program.functions[function.index()].body);
  Cfa body = old.without_edges();
  for (std::size_t i = 0; i < old.edges().size(); ++i) {
    Edge edge = old.edges()[i];
    set_flags(body, program, i, edge);
    keep_untold(body, program, edge);
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
