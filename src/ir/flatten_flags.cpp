// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ir/flatten.h"
#include "ir/flatten_objects.h"

// Until a statement puts an address of a class of objects (flatten_objects.cpp)
// somewhere else, only variables of the class hold such addresses. So code that
// is not seen knows none of the objects before one of these statements was
// executed, which a flag says. The objects stay in the common memory.

namespace agon::ir {

using term::Term;

std::vector<PrivateObjects::Flag> PrivateObjects::find_told(bool any_state) {
  std::map<Number, std::vector<ObjectId>> classes;
  std::set<Number> unfit;  // What is allocated is not a few objects.
  if (heap_.valid()) unfit.insert(root(number(program_[heap_].term)));
  for (std::size_t i = 0; i < program_.objects.size(); ++i) {
    const Object& object = program_.objects[i];
    const bool is_static =
        object.kind == ObjectKind::Global && object.is_static && !any_state;
    const Number its = root(number(object.address));
    const bool is_fit = object.kind == ObjectKind::Local || is_static;
    if (!is_fit || object.size == 0) unfit.insert(its);
    classes[its].push_back(ObjectId::at(i));
  }
  std::vector<Flag> result;
  for (auto& [its, objects] : classes) {
    if (!is_exposed_[its] || is_lost_[its] || unfit.contains(its)) continue;
    result.push_back({its, {}, std::move(objects)});
  }
  return result;
}

void PrivateObjects::add_flags(Program& program, FunctionId function) {
  if (flags_.empty()) return;
  for (Flag& flag : flags_) {
    Variable variable;
    variable.name = variable.display =
        fmt::format("{}{}", kToldFlag, program[flag.objects.front()].display);
    variable.kind = VariableKind::Global;
    variable.is_static = true;
    variable.initial = program.pool->boolean(false);
    flag.variable =
        program.add_variable(std::move(variable), term::Sort::boolean());
  }
  Variable anything;
  anything.name = anything.display = "changed";
  anything.kind = VariableKind::Temporary;
  anything.owner = function;
  anything_ = program.add_variable(std::move(anything),
                                   program[program.memory].term.sort());
  program.functions[function.index()].locals.push_back(anything_);
}

/// Before a statement that tells objects.
void PrivateObjects::set_flags(Cfa& body, const Program& program,
                               std::size_t index, Edge& edge) {
  for (const Flag& flag : flags_) {
    const bool is_told = std::ranges::any_of(tells_, [&](const auto& each) {
      return each.first == index && root(each.second) == flag.root;
    });
    if (!is_told) continue;
    const LocationId next = body.add_location();
    body.add_edge({edge.from, next,
                   Assign{flag.variable, program.pool->boolean(true)},
                   edge.position, edge.inlined});
    edge.from = next;
  }
}

/// Where all of memory gets any contents, what was not told keeps its own.
void PrivateObjects::keep_untold(Cfa& body, const Program& program,
                                 Edge& edge) const {
  const auto* const havoc = std::get_if<Havoc>(&edge.statement);
  if (flags_.empty() || havoc == nullptr || havoc->target != program.memory ||
      havoc->reason != HavocReason::Input) {
    return;
  }
  const auto add = [&](LocationId from, LocationId to, Statement statement) {
    body.add_edge(
        {from, to, std::move(statement), edge.position, edge.inlined});
  };
  LocationId at = body.add_location();
  add(edge.from, at, Havoc{anything_, havoc->reason, havoc->source});
  for (const Flag& flag : flags_) {
    const Term is_told = program[flag.variable].term;
    const LocationId untold = body.add_location();
    const LocationId after = body.add_location();
    add(at, after, Assume{is_told});
    add(at, untold, Assume{program.pool->negation(is_told)});
    add(untold, after, Assign{anything_, with_old(program, flag)});
    at = after;
  }
  edge.from = at;
  edge.statement = Assign{program.memory, program[anything_].term};
}

/// The new contents of memory with the old ones of some objects.
Term PrivateObjects::with_old(const Program& program, const Flag& flag) const {
  Term contents = program[anything_].term;
  for (const ObjectId id : flag.objects) {
    const Object& object = program[id];
    const Term size = program.pool->bits(object.size, program.pointer_width());
    contents = program.pool->copy(contents, object.address, size,
                                  program[program.memory].term, object.address);
  }
  return contents;
}

}  // namespace agon::ir
