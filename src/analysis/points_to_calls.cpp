// SPDX-License-Identifier: Apache-2.0
// Calls, allocation, and what is outside the program.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/points_to_analysis.h"
#include "ir/routines.h"
#include "support/error.h"

namespace agon::analysis {

using ir::TypeKind;
using term::Kind;
using term::Term;

void PointsToAnalysis::process_call(ir::FunctionId function, ir::EdgeId edge,
                                    const ir::Call& call) {
  for (const Term argument : call.arguments) {
    note(argument);
    node_of(argument);
  }
  calls_.push_back({function, edge, &call, false});
  if (call.callee.valid()) {
    call_function(calls_.back(), call.callee);
    return;
  }
  note(call.pointer);
  const NodeId pointer = node_of(call.pointer);
  if (!pointer.valid()) return;
  add_rule(pointer,
           {kCallThrough, {}, static_cast<std::uint32_t>(calls_.size() - 1)});
}

void PointsToAnalysis::call_function(CallSite& site, ir::FunctionId callee) {
  const ir::Function& function = program_[callee];
  if (!function.has_body) return call_routine(site, callee);
  reach(callee);
  const ir::Call& call = *site.call;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const NodeId argument = node_of(call.arguments[i]);
    if (!argument.valid()) continue;
    // What goes through `...` may come out anywhere.
    include(argument, i < function.parameters.size()
                          ? variable_node(function.parameters[i])
                          : escape_);
  }
  for (std::size_t i = 0; i < call.results.size(); ++i) {
    include(result_node(callee, i), variable_node(call.results[i]));
  }
}

void PointsToAnalysis::call_routine(CallSite& site, ir::FunctionId routine) {
  const ir::RoutineModel model = ir::routine_model(program_[routine]);
  const ir::Call& call = *site.call;
  if (!model.is_known) {
    if (std::find(unknown_routines_.begin(), unknown_routines_.end(),
                  routine) == unknown_routines_.end()) {
      unknown_routines_.push_back(routine);
    }
    return call_outside(site);
  }
  if (model.is_client) return call_client(site);
  const auto argument = [&](std::size_t i) {
    return i < call.arguments.size() ? node_of(call.arguments[i]) : NodeId();
  };
  if (model.copies && argument(0).valid() && argument(1).valid()) {
    add_copy(argument(0), argument(1), kUnbounded, 1);
  }
  if (model.result == ir::RoutineResult::Fresh) {
    allocate(site, routine);
  } else if (model.result == ir::RoutineResult::Outside) {
    return_outside(site);
  } else if (model.result == ir::RoutineResult::Anything) {
    call_outside(site);
  } else if (model.result == ir::RoutineResult::Argument &&
             argument(0).valid() && !call.results.empty()) {
    const NodeId result = variable_node(call.results[0]);
    include(argument(0), result);
    add_rule(argument(0), {kMove, result, move_number({0, {1}, false})});
  }
}

void PointsToAnalysis::call_outside(CallSite& site) {
  if (site.is_outside) return;
  site.is_outside = true;
  const ir::Call& call = *site.call;
  if (!call.callee.valid()) has_unknown_call_ = true;
  activate_outside();
  for (const Term argument : call.arguments) {
    const NodeId node = node_of(argument);
    if (node.valid()) include(node, escape_);
  }
  return_outside(site);
}

void PointsToAnalysis::call_client(CallSite& site) {
  activate_client();
  for (const Term argument : site.call->arguments) {
    const NodeId node = node_of(argument);
    if (node.valid()) include(node, escape_);
  }
  return_outside(site);
}

void PointsToAnalysis::return_outside(const CallSite& site) {
  for (const ir::VariableId result : site.call->results) {
    if (!program_[result].type.valid() &&
        program_[result].term.width() >= program_.pointer_width()) {
      include(any_pointer({}), variable_node(result));
    } else {
      hold_anything(result);
    }
  }
}

/// A pointer that comes as an input, through `...` or out of assembly. One that
/// was not given a value, or came of what C leaves undefined, points to
/// nothing.
void PointsToAnalysis::process_havoc(const ir::Havoc& havoc) {
  if (havoc.reason != ir::HavocReason::Input &&
      havoc.reason != ir::HavocReason::Unsupported) {
    return;
  }
  const ir::Variable& target = program_[havoc.target];
  if (target.term.sort().is_array()) return;
  if (may_hold_address(target.type)) {
    activate_outside();
    hold_anything(havoc.target);
  } else if (havoc.reason == ir::HavocReason::Unsupported &&
             target.term.width() >= program_.pointer_width()) {
    activate_outside();  // It may be one as an integer.
    include(any_pointer({}), variable_node(havoc.target));
  }
}

void PointsToAnalysis::allocate(const CallSite& site, ir::FunctionId routine) {
  const std::uint64_t key =
      support::pair_key(site.function.value(), site.edge.value());
  const auto [found, is_new] = heap_of_.try_emplace(key, SiteId());
  if (is_new) {
    const ir::Edge& edge = program_[site.function].body.edge(site.edge);
    Site heap;
    heap.kind = SiteKind::Heap;
    heap.name = fmt::format("heap@{}", edge.position.line);
    heap.function = site.function;
    heap.edge = site.edge;
    heap.position = edge.position;
    heap.shape = heap_shape(site);
    if (heap.shape.type.valid()) uses_heap_types_ = true;
    found->second = add_site(std::move(heap));
  }
  const SiteId heap = found->second;
  const NodeId start = site.call->results.empty()
                           ? add_node()
                           : variable_node(site.call->results[0]);
  add(start, place({heap, layout(heap).normal(0)}));
  if (program_[routine].name == "realloc" && !site.call->arguments.empty()) {
    const NodeId old = node_of(site.call->arguments[0]);
    const NodeId fresh = add_node();
    add(fresh, place({heap, layout(heap).normal(0)}));
    if (old.valid()) add_copy(fresh, old, kUnbounded, 0);
  }
}

ir::TypeId PointsToAnalysis::pointee(ir::TypeId type) const {
  if (!type.valid() || program_.types[type].kind != TypeKind::Pointer) {
    return {};
  }
  const ir::TypeId to = program_.types[type].element;
  if (!to.valid()) return {};
  const ir::Type& pointee = program_.types[to];
  const bool is_character =
      pointee.kind == TypeKind::Integer && pointee.size == 1;
  const bool is_object = pointee.is_scalar() || pointee.is_record() ||
                         pointee.kind == TypeKind::Array;
  return is_object && !is_character && pointee.size > 0 ? to : ir::TypeId();
}

/// What a pointer points to by the type of the place that it is stored to.
ir::TypeId PointsToAnalysis::stored_pointee(const ir::Assign& assign,
                                            Term value) const {
  const Term write = assign.value;
  if (write.kind() != Kind::Write || write.operand(2) != value) return {};
  Term base = write.operand(1);
  std::int64_t offset = 0;
  if (base.kind() == Kind::Add && base.operand(1).is_constant()) {
    offset = static_cast<std::int64_t>(base.operand(1).value());
    base = base.operand(0);
  }
  const ir::ObjectId object = program_.object_of(base);
  const ir::VariableId variable = program_.variable_of(base);
  const ir::TypeId type = object.valid()     ? program_[object].type
                          : variable.valid() ? pointee(program_[variable].type)
                                             : ir::TypeId();
  if (!type.valid()) return {};
  const Layout layout(program_.types, {type, true});
  const std::uint32_t normal = layout.normal(offset);
  if (normal == kAnyOffset) return {};
  const Cell& cell = layout.cells()[layout.cell_at(normal)];
  return cell.offset == normal ? pointee(cell.type) : ir::TypeId();
}

/// Whether a struct ends in an array of any length.
bool PointsToAnalysis::ends_open(ir::TypeId id) const {
  const ir::Type& type = program_.types[id];
  if (type.kind != TypeKind::Struct || type.fields.empty()) return false;
  const ir::Type& last = program_.types[type.fields.back().type];
  return last.kind == TypeKind::Array && last.count == 0;
}

/// The layout of new memory, by what the first typed pointer to it points to.
Shape PointsToAnalysis::heap_shape(const CallSite& site) const {
  constexpr int kSteps = 8;
  if (site.call->results.empty()) return {};
  const ir::Cfa& body = program_[site.function].body;
  std::vector<Term> holders{program_[site.call->results[0]].term};
  ir::TypeId type = pointee(program_[site.call->results[0]].type);
  ir::LocationId location = body.edge(site.edge).to;
  for (int i = 0; i < kSteps && !type.valid(); ++i) {
    const auto out = body.out_edges(location);
    if (out.size() != 1) break;
    const ir::Edge& edge = body.edge(out[0]);
    location = edge.to;
    const auto* assign = std::get_if<ir::Assign>(&edge.statement);
    if (assign == nullptr) break;
    for (std::size_t k = 0; k < holders.size() && !type.valid(); ++k) {
      type = stored_pointee(*assign, holders[k]);
      if (assign->value != holders[k]) continue;
      type = pointee(program_[assign->target].type);
      holders.push_back(program_[assign->target].term);
    }
  }
  if (!type.valid()) return {};
  const Term size =
      site.call->arguments.empty() ? Term() : site.call->arguments.back();
  const std::uint64_t element = program_.types[type].size;
  const bool fits = !size.valid() || !size.is_constant() ||
                    size.value() % element == 0 || ends_open(type);
  return fits ? Shape{type, true} : Shape{};
}

}  // namespace agon::analysis
