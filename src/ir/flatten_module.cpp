// SPDX-License-Identifier: Apache-2.0
// The client of a module (client.h), and routines that call the module back.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "ir/flattener.h"
#include "ir/routines.h"

namespace agon::ir {
namespace {

constexpr unsigned kChoiceWidth = 32;

/// Whether another file has to define it.
bool is_undefined(const Object& object) {
  return object.kind == ObjectKind::Global && !object.is_constant &&
         !object.is_zeroed && object.initial.empty() && object.bytes.empty();
}

}  // namespace

void Flattener::call_client(LocationId from, LocationId to, const Call& call) {
  told_.insert(told_.end(), call.arguments.begin(), call.arguments.end());
  const bool acts = program_[call.callee].name == kClientActs;
  if (acts) {
    head_ = from;
    from = act(resume(from));
  }
  for (const VariableId result : call.results) from = give(from, result);
  join(from, to);
}

/// Lets the client choose a value; `assume_outside` says which pointers it has.
LocationId Flattener::give(LocationId at, VariableId target) {
  at = add(at, Havoc{target, HavocReason::Input, kClientValue});
  return is_truth_value(program_[target]) ? add(at, Assume{is_bit(target)})
                                          : at;
}

/// The client changes its own memory, and what the module does not define.
LocationId Flattener::act(LocationId at) {
  term::Pool& pool = *program_.pool;
  const unsigned width = program_.pointer_width();
  const Term memory = program_[program_.memory].term;
  Variable variable;
  variable.name = variable.display = "anything";
  variable.kind = VariableKind::Temporary;
  const VariableId anything = add_local(std::move(variable), memory.sort());
  at = add(at, Havoc{anything, HavocReason::Input, kClientActs});
  const auto change = [&](Term start, std::uint64_t size) {
    at = add(
        at, Assign{program_.memory, pool.copy(memory, start, number(size),
                                              program_[anything].term, start)});
  };
  change(number(client_start(width)), heap_start(width) - client_start(width));
  for (const Object& object : program_.objects) {
    if (!is_undefined(object)) continue;
    if (object.size > 0) {
      change(object.address, object.size);
    } else {
      at = add(at, Havoc{program_.memory, HavocReason::Input, kClientActs});
    }
  }
  for (std::size_t i = 0; i < program_.variables.size(); ++i) {
    const Variable& global = program_.variables[i];
    if (is_global(global) && !global.initial.valid()) {
      at = give(at, VariableId::at(i));
    }
  }
  return at;
}

/// Where the client may return to a routine that it was called by.
LocationId Flattener::resume(LocationId at) {
  if (!options_.callbacks) return at;
  resumed_ = add_local(choice("resumed"), term::Sort::bits(kChoiceWidth));
  hub_ = add(at, Havoc{resumed_, HavocReason::Input, {}});
  return after_hub_ = body_.add_location();
}

Variable Flattener::choice(const char* name) {
  Variable variable;
  variable.name = variable.display = name;
  variable.kind = VariableKind::Temporary;
  return variable;
}

/// A global that is false at first.
VariableId Flattener::add_flag(const char* name) {
  Variable flag = choice(name);
  flag.kind = VariableKind::Global;
  flag.is_static = true;
  flag.initial = program_.pool->boolean(false);
  return program_.add_variable(std::move(flag), term::Sort::boolean());
}

/// A routine about which nothing is known calls back: whoever is active waits,
/// and the client goes on in the place of the routine. Of those who wait it is
/// known whether there are none, one or more; when it is their turn again,
/// their variables may hold anything. Returns where the routine does not call
/// back.
LocationId Flattener::call_back(const Frame& frame, LocationId from,
                                LocationId to, const Call& call) {
  for (const Frame* f = &frame; f != nullptr; f = f->caller) {
    for (const ObjectId id : program_[f->function].objects) {
      if (f->caller == nullptr || program_[id].kind != ObjectKind::Local) {
        continue;
      }
      reason_ = fmt::format(
          "'{}' may be called again while '{}' in it, whose address is taken, "
          "is in use",
          program_[f->function].display, program_[id].display);
      return from;
    }
  }
  term::Pool& pool = *program_.pool;
  const VariableId calls =
      add_local(choice("calls_back"), term::Sort::boolean());
  const VariableId waits = add_flag("waits");
  const VariableId more = add_flag("wait");
  from = add(from, Havoc{calls, HavocReason::Input, {}});
  const LocationId stays = body_.add_location();
  const LocationId leaves = body_.add_location();
  add(from, stays, Assume{pool.negation(program_[calls].term)});
  add(from, leaves, Assume{program_[calls].term});
  const LocationId left = add(
      change_outside(leaves, call),
      Assign{more,
             pool.disjunction({program_[more].term, program_[waits].term})});
  join(add(left, Assign{waits, pool.boolean(true)}), head_);
  if (call.callee.valid() && program_[call.callee].is_noreturn) return stays;
  const Term turn =
      pool.conjunction({program_[waits].term,
                        pool.equal(program_[resumed_].term,
                                   pool.bits(turns_.size(), kChoiceWidth))});
  turns_.push_back(turn);
  const LocationId back = body_.add_location();
  add(hub_, back, Assume{turn});
  LocationId at = add(back, Assign{waits, program_[more].term});
  at = add(at, Havoc{calls, HavocReason::Input, {}});
  at = add(at, Assign{more, pool.conjunction(
                                {program_[more].term, program_[calls].term})});
  at = forget_frames(frame, change_outside(at, call));
  for (const VariableId result : call.results) {
    at = change(at, result, {});
  }
  join(at, to);
  return stays;
}

/// Nothing is known of the variables of those who have waited.
LocationId Flattener::forget_frames(const Frame& frame, LocationId at) {
  for (const Frame* f = &frame; f != nullptr; f = f->caller) {
    for (const auto& [id, own] :
         std::map(f->variables.begin(), f->variables.end())) {
      at = change(at, own, {});
    }
  }
  for (const VariableId id : client_locals_) at = give(at, id);
  return at;
}

/// Closes the hub when all callbacks are known.
void Flattener::finish_callbacks() {
  if (!hub_.valid()) return;
  term::Pool& pool = *program_.pool;
  add(hub_, after_hub_, Assume{pool.negation(pool.disjunction(turns_))});
}

/// What a pointer of the client may be: null, a place in its own memory, or one
/// that the module may have given away. Locals are gone when it runs, and it
/// has no pointers to what is allocated later.
Term Flattener::is_of_client(const Variable& pointer, const Span& locals) {
  term::Pool& pool = *program_.pool;
  const Term p = pointer.term;
  const Term end = heap_.valid() ? program_[heap_].term
                                 : number(heap_start(program_.pointer_width()));
  const Type* const to = pointee(pointer);
  const std::uint64_t size =
      to == nullptr ? 1 : std::max<std::uint64_t>(to->size, 1);
  std::vector<Term> places{pool.conjunction(
      {pool.unsigned_less(p, end), is_no_local(p, size, locals)})};
  for (const Function& function : program_.functions) {
    if (!function.address.valid()) continue;
    places.push_back(pool.equal(p, function.address));
  }
  return pool.disjunction(places);
}

}  // namespace agon::ir
