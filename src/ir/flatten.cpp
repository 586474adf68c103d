// SPDX-License-Identifier: Apache-2.0
#include "ir/flatten.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/actions.h"
#include "ir/flatten_objects.h"
#include "ir/flattener.h"
#include "ir/routines.h"
#include "ir/text.h"
#include "support/source.h"
#include "term/substitute.h"

namespace agon::ir {
namespace {

/// The same program in a pool of its own, so that the names of what is added
/// depend on nothing else; nor does it matter from where files were named.
Program in_own_pool(Program program) {
  program.assumptions.clear();
  for (std::string& file : program.files) {
    file = file.substr(file.rfind('/') + 1);
  }
  return parse_text(support::Source::from_string("program", to_text(program)));
}

}  // namespace

Term converted(term::Pool& pool, Term value, term::Sort sort) {
  const term::Sort from = value.sort();
  if (from == sort) return value;
  if (from.is_bits() && sort.is_bits()) {
    return pool.resize(value, sort.width, /*is_signed=*/false);
  }
  if (from.is_bool() && sort.is_bits()) {
    return pool.ite(value, pool.bits(1, sort.width), pool.bits(0, sort.width));
  }
  if (from.is_bits() && sort.is_bool()) {
    return pool.negation(pool.equal(value, pool.bits(0, from.width)));
  }
  return {};
}

Flat Flattener::run() {
  hide_actions(program_, options_.visible);
  moves_blocks_ = moves_blocks(program_);
  for (const VariableId id : program_[entry_].locals) {
    shown_.insert(program_[id].display);
  }
  client_locals_ = program_[entry_].locals;
  Frame top;
  top.function = entry_;
  body_.set_entry(body_.add_location());
  body_.set_exit(body_.add_location());
  top.entry = body_.entry();
  top.after = body_.exit();
  copy_body(top);
  finish_callbacks();
  if (!reason_.empty()) {
    return {std::nullopt, {}, reason_, is_recursive_, is_recursive_};
  }
  body_.finish();
  Function& function = program_.functions[entry_.index()];
  function.body = std::move(body_);
  const bool has_clients = head_.valid();
  PrivateObjects objects(program_, heap_, sizes_);
  std::vector<const Cfa*> bodies{&function.body};
  for (std::size_t i = 0; i < program_.functions.size(); ++i) {
    if (options_.any_state && FunctionId::at(i) != entry_) {
      bodies.push_back(&program_.functions[i].body);
    }
  }
  objects.look_at(bodies, told_, options_.any_state);
  for (std::size_t i = 0; i < program_.objects.size(); ++i) {
    const Object& object = program_.objects[i];
    const bool is_visible =
        object.kind == ObjectKind::Global && !object.is_static;
    const bool is_known = used_back_.contains(ObjectId::at(i));
    if (is_known || (is_visible && (options_.any_state || calls_unknown_))) {
      objects.expose(ObjectId::at(i));
    }
  }
  for (const VariableId id : named_back_) objects.expose(id);
  if (has_clients && heap_.valid()) objects.expose(heap_);
  const bool may_have_flags =
      !has_clients && calls_unknown_ && objects.has_told(options_.any_state);
  if (may_have_flags && options_.is_exact) {
    objects.use_flags(options_.any_state);
  }
  objects.separate(program_, entry_);
  std::string heap_array = objects.heap_array(program_);
  finish_objects();
  return {std::move(program_),
          entry_,
          {},
          is_recursive_,
          calls_pointers_ || may_have_flags || knows_types_,
          std::move(told_),
          calls_unknown_,
          heap_,
          std::move(heap_array),
          sizes_};
}

void Flattener::copy_body(Frame& frame) {
  const Cfa body = program_[frame.function].body;
  frame.locations.resize(body.num_locations());
  for (LocationId& location : frame.locations) location = body_.add_location();
  position_ = program_[frame.function].position;
  inlined_ = frame.inlined;
  if (body.exit().valid()) {
    // Control that gets to the exit without a return leaves the results open.
    LocationId at = frame.locations[body.exit().index()];
    for (const VariableId result : frame.results) at = assign(at, result, {});
    join(at, frame.after);
  }
  join(frame.entry, frame.locations[body.entry().index()]);
  for (const Edge& edge : body.edges()) {
    if (!reason_.empty()) return;
    position_ = edge.position;
    inlined_ = frame.inlined;
    copy_edge(frame, edge);
  }
}

void Flattener::copy_edge(const Frame& frame, const Edge& edge) {
  const LocationId from = frame.locations[edge.from.index()];
  const LocationId to = frame.locations[edge.to.index()];
  if (const auto* assigned = std::get_if<Assign>(&edge.statement)) {
    add(from, to,
        Assign{frame.map(assigned->target), map(frame, assigned->value)});
  } else if (const auto* havoc = std::get_if<Havoc>(&edge.statement)) {
    add(from, to,
        Havoc{frame.map(havoc->target), havoc->reason, havoc->source});
  } else if (const auto* test = std::get_if<Assume>(&edge.statement)) {
    add(from, to, Assume{map(frame, test->condition)});
  } else if (const auto* call = std::get_if<Call>(&edge.statement)) {
    copy_call(frame, edge, *call);
  } else if (const auto* ret = std::get_if<Return>(&edge.statement)) {
    copy_return(frame, from, *ret);
  }
}

void Flattener::copy_return(const Frame& frame, LocationId from,
                            const Return& ret) {
  if (frame.caller == nullptr) {
    add(from, body_.exit(), ret);
    return;
  }
  // Results may be globals, on which other values depend.
  std::vector<Term> values;
  for (std::size_t i = 0; i < frame.results.size(); ++i) {
    Term value = i < ret.values.size() ? map(frame, ret.values[i]) : Term();
    if (value.valid() && frame.results.size() > 1) {
      Variable copy;
      copy.name = copy.display = "returned";
      copy.kind = VariableKind::Temporary;
      const VariableId id = add_local(std::move(copy), value.sort());
      from = add(from, Assign{id, value});
      value = program_[id].term;
    }
    values.push_back(value);
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    from = assign(from, frame.results[i], values[i]);
  }
  join(from, frame.after);
}

void Flattener::copy_call(const Frame& frame, const Edge& edge, Call call) {
  const LocationId from = frame.locations[edge.from.index()];
  const LocationId to = frame.locations[edge.to.index()];
  if (call.pointer.valid()) call.pointer = map(frame, call.pointer);
  for (Term& argument : call.arguments) argument = map(frame, argument);
  for (VariableId& result : call.results) result = frame.map(result);
  if (!call.callee.valid()) {
    branch(frame, from, to, call);
  } else if (program_[call.callee].has_body) {
    enter(frame, from, to, call, call.callee);
  } else {
    call_routine(frame, from, to, call);
  }
}

void Flattener::branch(const Frame& frame, LocationId from, LocationId to,
                       const Call& call) {
  calls_pointers_ = true;
  term::Pool& pool = *program_.pool;
  const Position position = position_;
  for (std::size_t i = 0; i < program_.functions.size(); ++i) {
    if (!program_.functions[i].address.valid()) continue;
    const bool is_routine = !program_.functions[i].has_body;
    const Term is_it = pool.equal(call.pointer, program_.functions[i].address);
    const LocationId chosen = body_.add_location();
    const LocationId others = body_.add_location();
    add(from, chosen, Assume{is_it});
    add(from, others, Assume{pool.negation(is_it)});
    if (is_routine) {
      Call direct = call;
      direct.callee = FunctionId::at(i);
      direct.pointer = {};
      call_routine(frame, chosen, to, direct);
    } else if (!is_it.is_false()) {
      enter(frame, chosen, to, call, FunctionId::at(i));
    }
    position_ = position;
    inlined_ = frame.inlined;
    from = others;
    if (!reason_.empty() || is_it.is_true()) return;
  }
  from = add(from, Assume{pool.negation(pool.equal(
                       call.pointer, pool.bits(0, call.pointer.width())))});
  if (options_.is_exact)
    return give_up(from, "__agon_no_function", kNoFunction);
  call_unknown(frame, from, to, call);
}

void Flattener::enter(const Frame& frame, LocationId from, LocationId to,
                      const Call& call, FunctionId callee) {
  std::size_t active = 0;
  for (const Frame* f = &frame; f != nullptr; f = f->caller) {
    active += f->function == callee ? 1 : 0;
  }
  is_recursive_ = is_recursive_ || active > 0;
  if (active > 0 && active >= options_.depth)
    return call_too_deep(from, callee);
  Frame next;
  next.function = callee;
  next.caller = &frame;
  next.results = call.results;
  own_names(next);
  const std::vector<VariableId> parameters = program_[callee].parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    from = assign(from, next.map(parameters[i]),
                  i < call.arguments.size() ? call.arguments[i] : Term());
  }
  const Position position = position_;
  next.inlined = InlineId::at(program_.inlined.size());
  program_.inlined.push_back({callee, position, frame.inlined});
  next.entry = from;
  next.after = to;
  copy_body(next);
  position_ = position;
  inlined_ = frame.inlined;
}

void Flattener::call_too_deep(LocationId from, FunctionId callee) {
  if (options_.depth == 0) {
    reason_ = fmt::format("'{}' may call itself", program_[callee].display);
    return;
  }
  give_up(from, "__agon_too_deep", kTooDeep);
}

/// Performs an action that no proof allows.
void Flattener::give_up(LocationId from, const char* name,
                        const char* display) {
  std::optional<FunctionId> action = program_.find_function(name);
  if (!action) {
    Function added;
    added.name = name;
    added.display = display;
    added.is_action = added.is_noreturn = true;
    action = program_.add_function(std::move(added));
  }
  Call call;
  call.callee = *action;
  add(from, body_.add_location(), std::move(call));
}

/// Gives a copy of a body its own variables and objects.
void Flattener::own_names(Frame& frame) {
  std::vector<VariableId> variables = program_[frame.function].parameters;
  const auto& locals = program_[frame.function].locals;
  variables.insert(variables.end(), locals.begin(), locals.end());
  for (const VariableId id : variables) {
    Variable variable = program_[id];
    if (variable.kind == VariableKind::Parameter) {
      variable.kind = VariableKind::Local;
    }
    const Term old = variable.term;
    const VariableId own = add_local(std::move(variable), old.sort());
    frame.variables.emplace(id, own);
    frame.terms.emplace(old, program_[own].term);
  }
  const std::vector<ObjectId> objects = program_[frame.function].objects;
  std::vector<ObjectId> copies;
  for (const ObjectId id : objects) {
    Object object = program_[id];
    if (object.kind != ObjectKind::Local) continue;
    const Term old = object.address;
    object.owner = entry_;
    const ObjectId own = program_.add_object(std::move(object));
    Object& added = program_.objects[own.index()];
    if (!shown_.insert(added.display).second) added.display = added.name;
    program_.functions[entry_.index()].objects.push_back(own);
    frame.terms.emplace(old, program_[own].address);
    copies.push_back(own);
  }
  for (const ObjectId own : copies) {
    for (InitialCell& cell : program_.objects[own.index()].initial) {
      cell.value = map(frame, cell.value);
    }
  }
}

VariableId Flattener::add_local(Variable variable, term::Sort sort) {
  variable.owner = entry_;
  const VariableId id = program_.add_variable(std::move(variable), sort);
  Variable& added = program_.variables[id.index()];
  if (!shown_.insert(added.display).second) added.display = added.name;
  program_.functions[entry_.index()].locals.push_back(id);
  return id;
}

std::vector<FlattenOptions> variants(const FlattenOptions& options,
                                     const Flat& first) {
  std::vector<std::size_t> depths{options.depth};
  if (first.is_recursive) {
    depths.insert(depths.end(), kDepths.begin(), kDepths.end());
  }
  std::vector<FlattenOptions> result;
  for (const std::size_t depth : depths) {
    for (const bool is_exact : {false, true}) {
      const bool is_first = depth == options.depth && !is_exact;
      if (is_first || (is_exact && !first.may_be_exact)) continue;
      result.push_back(options);
      result.back().depth = depth;
      result.back().is_exact = is_exact;
    }
  }
  return result;
}

Flat flatten(const Program& program, FunctionId entry,
             const FlattenOptions& options) {
  return Flattener(in_own_pool(program), entry, options).run();
}

}  // namespace agon::ir
