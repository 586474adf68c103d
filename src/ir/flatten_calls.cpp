// SPDX-License-Identifier: Apache-2.0
// Routines without a body.
#include <utility>

#include "ir/flattener.h"
#include "ir/routines.h"

namespace agon::ir {

namespace {

constexpr unsigned kAlignment = 16;

}  // namespace

void Flattener::call_routine(const Frame& frame, LocationId from, LocationId to,
                             const Call& call) {
  const Function& routine = program_[call.callee];
  if (routine.is_action || options_.keep.contains(routine.name)) {
    // It ends at a place that nothing else leads to: a certificate lists those
    // where actions end, and then every run has to end there.
    const LocationId end = add(from, call);
    if (!routine.is_noreturn) join(end, to);
  } else {
    call_unknown(frame, from, to, call);
  }
}

/// Any value of its type.
LocationId Flattener::change(LocationId at, VariableId target,
                             const std::string& why) {
  at = add(at, Havoc{target, HavocReason::Input, why});
  return is_truth_value(program_[target]) ? add(at, Assume{is_bit(target)})
                                          : at;
}

void Flattener::call_unknown(const Frame& frame, LocationId from, LocationId to,
                             const Call& call) {
  const bool is_named = call.callee.valid();
  const Function routine = is_named ? program_[call.callee] : Function();
  const RoutineModel model = is_named ? routine_model(routine) : RoutineModel();
  if (model.is_client) return call_client(from, to, call);
  if (options_.callbacks && !model.is_known) {
    from = call_back(frame, from, to, call);
  }
  if (routine.is_noreturn) return;  // Nothing follows.
  if (model.result == RoutineResult::Fresh) {
    join(allocate(from, call, routine.name), to);
    return;
  }
  const bool gives_none = model.result == RoutineResult::Nothing ||
                          model.result == RoutineResult::Outside;
  if (!model.is_known || model.writes || !gives_none) {
    from = tell(from, call);
  }
  if (!model.is_known) {
    from = change_outside(from, call);
  } else if (model.writes) {
    calls_unknown_ = true;
    from = change(from, program_.memory, routine.display);
  }
  for (const VariableId result : call.results) {
    from = change(from, result, routine.display);
  }
  join(from, to);
}

/// Code that is not seen gets to know the arguments.
LocationId Flattener::tell(LocationId at, const Call& call) {
  if (!options_.is_exact) {
    told_.insert(told_.end(), call.arguments.begin(), call.arguments.end());
    return at;
  }
  for (const Term argument : call.arguments) {
    if (!argument.sort().is_bits() || argument.is_constant()) continue;
    VariableId& hearer = hearers_[argument.width()];
    if (!hearer.valid()) {
      Variable variable;  // Whatever is put there leaves the program.
      variable.name = variable.display =
          fmt::format("...told{}", argument.width());
      variable.kind = VariableKind::Temporary;
      hearer = add_local(std::move(variable), argument.sort());
    }
    at = add(at, Assign{hearer, argument});
  }
  return at;
}

/// What code that is not seen can change.
LocationId Flattener::change_outside(LocationId at, const Call& call) {
  const std::string why =
      call.callee.valid() ? program_[call.callee].display : std::string();
  calls_unknown_ = true;
  at = change(at, program_.memory, why);
  if (!called_back_) find_called_back();
  for (std::size_t i = 0; i < program_.variables.size(); ++i) {
    const Variable& variable = program_.variables[i];
    const VariableId id = VariableId::at(i);
    const bool is_visible = is_global(variable) && !variable.is_static;
    if (id != heap_ && (is_visible || called_back_->contains(id))) {
      at = change(at, id, why);
    }
  }
  return at;
}

/// What the functions use and name whose addresses others may have, and all
/// functions that these call.
void Flattener::find_called_back() {
  called_back_.emplace();
  std::vector<FunctionId> open;
  std::set<FunctionId> seen;
  const auto visit = [&](FunctionId id) {
    if (program_[id].has_body && seen.insert(id).second) open.push_back(id);
  };
  for (std::size_t i = 0; i < program_.functions.size(); ++i) {
    if (program_.functions[i].address.valid()) visit(FunctionId::at(i));
  }
  while (!open.empty()) {
    const Cfa& body = program_[open.back()].body;
    open.pop_back();
    for (const Term address : addresses_in(body)) {
      const ObjectId object = program_.object_of(address);
      if (object.valid()) used_back_.insert(object);
    }
    for (const Term variable : variables_in(body)) {
      const VariableId id = program_.variable_of(variable);
      if (id.valid() && is_global(program_[id])) named_back_.insert(id);
    }
    const auto note = [&](VariableId target) {
      if (is_global(program_[target])) called_back_->insert(target);
    };
    for (const Edge& edge : body.edges()) {
      if (const auto* assign = std::get_if<Assign>(&edge.statement)) {
        note(assign->target);
      } else if (const auto* havoc = std::get_if<Havoc>(&edge.statement)) {
        note(havoc->target);
      } else if (const auto* call = std::get_if<Call>(&edge.statement)) {
        for (const VariableId result : call->results) note(result);
        if (call->callee.valid()) visit(call->callee);
      }
    }
  }
}

VariableId Flattener::heap() {
  if (heap_.valid()) return heap_;
  Variable variable;
  variable.name = variable.display = "heap";
  variable.kind = VariableKind::Global;
  variable.is_static = true;
  variable.initial = number(heap_start(program_.pointer_width()));
  heap_ = program_.add_variable(std::move(variable),
                                term::Sort::bits(program_.pointer_width()));
  return heap_;
}

/// How large blocks are, by their addresses.
VariableId Flattener::sizes() {
  if (sizes_.valid()) return sizes_;
  Variable variable;
  variable.name = variable.display = "block_size";
  variable.kind = VariableKind::Global;
  variable.is_static = true;
  const unsigned width = program_.pointer_width();
  variable.initial = program_.pool->constant_array(number(0), width);
  sizes_ = program_.add_variable(std::move(variable),
                                 term::Sort::array(width, width));
  return sizes_;
}

Term Flattener::asked_size(const Call& call, const std::string& name) {
  term::Pool& pool = *program_.pool;
  const auto argument = [&](std::size_t i) {
    return i < call.arguments.size()
               ? converted(pool, call.arguments[i],
                           term::Sort::bits(program_.pointer_width()))
               : number(kAlignment);
  };
  if (name == "calloc") return pool.multiply(argument(0), argument(1));
  return argument(name == "realloc" || name == "aligned_alloc" ? 1 : 0);
}

/// The next free address that is a multiple of what is asked for.
Term Flattener::first_aligned(const Call& call, const std::string& name) {
  term::Pool& pool = *program_.pool;
  const Term next = program_[heap()].term;
  if (name != "aligned_alloc" || call.arguments.empty()) return next;
  const Term asked = converted(pool, call.arguments[0],
                               term::Sort::bits(program_.pointer_width()));
  const Term alignment = pool.ite(pool.unsigned_less(asked, number(kAlignment)),
                                  number(kAlignment), asked);
  const Term last = pool.subtract(alignment, number(1));
  if (last == number(kAlignment - 1)) return next;
  return pool.bit_and(pool.add(next, last),
                      pool.unary(term::Kind::BitNot, last));
}

/// What stays of a block: as much as it has, and as there is room for. Of
/// blocks that are not known it is nothing, so that anything may be there.
Term Flattener::moved_size(Term old, Term size) {
  term::Pool& pool = *program_.pool;
  const Term before = pool.read(program_[sizes()].term, old);
  return pool.ite(pool.unsigned_less(before, size), before, size);
}

/// Takes the next free bytes, at least one and a multiple of the alignment;
/// that there are so many is assumed.
LocationId Flattener::allocate(LocationId at, const Call& call,
                               const std::string& name) {
  term::Pool& pool = *program_.pool;
  const Term next = first_aligned(call, name);
  const Term size = asked_size(call, name);
  const Term rounded = pool.bit_and(
      pool.add(pool.bit_or(size, number(1)), number(kAlignment - 1)),
      pool.unary(term::Kind::BitNot, number(kAlignment - 1)));
  const Term end = pool.add(next, rounded);
  at = add(at,
           Assume{pool.conjunction(
               {pool.negation(pool.unsigned_less(next, program_[heap()].term)),
                pool.unsigned_less(next, end),
                pool.negation(pool.unsigned_less(rounded, size))})});
  if (name == "calloc") at = fill(at, next, size, {});
  if (name == "realloc" && !call.arguments.empty()) {
    const Term old = converted(pool, call.arguments[0],
                               term::Sort::bits(program_.pointer_width()));
    at = fill(at, next, moved_size(old, size), old);
  }
  if (moves_blocks_) {
    at = add(at,
             Assign{sizes(), pool.write(program_[sizes()].term, next, size)});
  }
  for (const VariableId result : call.results) at = assign(at, result, next);
  return add(at, Assign{heap(), end});
}

/// Clears what is allocated next, or copies into it.
LocationId Flattener::fill(LocationId at, Term next, Term size, Term from) {
  term::Pool& pool = *program_.pool;
  const Term memory = program_[program_.memory].term;
  const term::Sort sort = memory.sort();
  const Term zeros =
      pool.constant_array(pool.bits(0, sort.width), sort.index_width);
  return add(at,
             Assign{program_.memory,
                    pool.copy(memory, next, size, from.valid() ? memory : zeros,
                              from.valid() ? from : next)});
}

}  // namespace agon::ir
