// SPDX-License-Identifier: Apache-2.0
#include "analysis/relevance.h"

#include <algorithm>

#include "analysis/statements.h"
#include "analysis/terminating_loops.h"

// The exit of a function and the places where execution stops or blocks always
// count as relevant, so that every branch which decides between them is. Then
// the set of relevant nodes meets the condition of control_dependence.h, and a
// location outside it has exactly one relevant successor.
//
// Nothing in this set hides that a run goes on forever between two relevant
// nodes. Heads of cycles in the set exclude that: a run that visits none of
// them infinitely often is finite. Of cycles that have a way out they are put
// into it only if this is asked for; of others always, since a slice has no
// other way to go.
//
// Where a called function may stop or block as well as return, what decides is
// in that function, whose own branches are relevant; and a function that has
// anything relevant makes its calls so.

namespace agon::analysis {

Relevance::Relevance(const ir::Program& program, ir::FunctionId entry,
                     const Criterion& criterion)
    : program_(program),
      criterion_(criterion),
      calls_(program, entry),
      accesses_(program, calls_, criterion),
      parts_(program.functions.size()) {
  prepare(find_endings(program, calls_));
  std::vector<const ControlGraph*> controls;
  for (const Part& part : parts_) controls.push_back(part.control.get());
  values_ = std::make_unique<SliceValues>(program, entry, calls_, criterion,
                                          accesses_, controls, solver_);
  for (const ir::FunctionId function : calls_.functions()) {
    if (!program[function].has_body) continue;
    add_control(function);
    add_loops(function);
    const auto edges = program[function].body.edges();
    const Part& part = parts_[function.index()];
    for (std::size_t e = 0; e < edges.size(); ++e) {
      const Node node = edges[e].from.value();
      if (!part.reached[node]) continue;
      add_edge({function, ir::EdgeId::at(e), edges[e], node});
    }
  }
  add_returns(entry);
  solver_.solve();
}

void Relevance::prepare(const std::vector<Endings>& endings) {
  for (const ir::FunctionId function : calls_.functions()) {
    const ir::Function& described = program_[function];
    if (!described.has_body) continue;
    Part& part = parts_[function.index()];
    part.control =
        std::make_unique<ControlGraph>(program_, function, calls_, endings);
    part.dependence =
        control_dependence(part.control->graph(), part.control->end());
    const Node start = described.body.entry().value();
    part.reached = reachable_from(part.control->graph(), std::span(&start, 1));
    part.locations.resize(part.control->graph().size());
    part.statements.resize(described.body.edges().size());
    std::size_t num_results = described.results.size();
    for (const ir::Edge& edge : described.body.edges()) {
      if (const auto* ret = std::get_if<ir::Return>(&edge.statement)) {
        num_results = std::max(num_results, ret->values.size());
      }
    }
    part.results.resize(num_results);
    part.any = solver_.add_variable();
    for (auto& variable : part.locations) variable = solver_.add_variable();
    for (auto& variable : part.statements) variable = solver_.add_variable();
    for (auto& variable : part.results) variable = solver_.add_variable();
  }
}

void Relevance::use(const Place& place, term::Term term, horn::Variable cause) {
  for (const ir::VariableId variable : accesses_.variables_of(term)) {
    imply(values_->used(place.function, place.node, variable), cause);
  }
}

void Relevance::add_control(ir::FunctionId function) {
  const Part& part = parts_[function.index()];
  const ControlGraph& control = *part.control;
  for (const Node ending : {control.exit(), control.stop(), control.block()}) {
    if (ending != kNoNode) fact(part.locations[ending]);
  }
  for (Node node = 0; node < part.locations.size(); ++node) {
    if (!part.reached[node]) continue;
    for (const Node controller : part.dependence.controllers[node]) {
      if (!part.reached[controller]) continue;
      imply(part.locations[controller], part.locations[node]);
    }
    if (control.is_location(node) && node != control.exit()) {
      imply(part.any, part.locations[node]);
    }
  }
}

void Relevance::add_loops(ir::FunctionId function) {
  const Part& part = parts_[function.index()];
  for (const Node trap : part.control->traps()) {
    if (part.reached[trap]) fact(part.locations[trap]);
  }
  if (criterion_.loops != Loops::Keep || part.control->heads().empty()) return;
  TerminatingLoops loops(program_, function, calls_, *part.control, accesses_);
  for (const Node head : part.control->heads()) {
    if (part.reached[head] && !loops.surely_ends(head)) {
      fact(part.locations[head]);
    }
  }
}

void Relevance::add_edge(const Place& place) {
  const Part& part = parts_[place.function.index()];
  const horn::Variable location = part.locations[place.node];
  const horn::Variable statement = part.statements[place.id.index()];
  imply(location, statement);
  if (const auto* assume = std::get_if<ir::Assume>(&place.edge.statement)) {
    use(place, assume->condition, location);
  } else if (const auto* ret = std::get_if<ir::Return>(&place.edge.statement)) {
    for (std::size_t k = 0; k < ret->values.size(); ++k) {
      imply(location, part.results[k]);
      use(place, ret->values[k], part.results[k]);
    }
  } else if (const auto* call = std::get_if<ir::Call>(&place.edge.statement)) {
    add_call(place, *call);
  } else {
    for_each_target(place.edge.statement, [&](ir::VariableId target) {
      imply(statement, values_->defined(place.function, place.node, target));
    });
    for_each_term(place.edge.statement,
                  [&](term::Term term) { use(place, term, statement); });
  }
}

void Relevance::add_call(const Place& place, const ir::Call& call) {
  const Part& part = parts_[place.function.index()];
  const horn::Variable statement = part.statements[place.id.index()];
  const auto callees = calls_.callees(place.function, place.id);
  // A call through a pointer to no function ends the run, so it is a branch.
  if (call.pointer.valid()) {
    fact(statement);
    use(place, call.pointer, statement);
  }
  if (std::ranges::binary_search(part.control->traps(), place.node)) {
    fact(statement);
  }
  for (const ir::VariableId result : call.results) {
    imply(statement, values_->defined(place.function, place.node, result));
  }
  add_observation(place, callees);
  add_unknown_call(place, call, callees);
  for (const ir::FunctionId callee : callees) {
    if (program_[callee].has_body) add_known_call(place, call, callee);
  }
}

void Relevance::add_observation(const Place& place,
                                const std::vector<ir::FunctionId>& callees) {
  const horn::Variable statement =
      parts_[place.function.index()].statements[place.id.index()];
  for (const ir::FunctionId callee : callees) {
    if (!accesses_.is_observed(callee)) continue;
    fact(statement);
    for (const ir::VariableId variable : criterion_.variables) {
      fact(values_->used(place.function, place.node, variable));
    }
    for (const horn::Variable result : parts_[callee.index()].results) {
      fact(result);
    }
  }
}

void Relevance::add_unknown_call(const Place& place, const ir::Call& call,
                                 const std::vector<ir::FunctionId>& callees) {
  Part& part = parts_[place.function.index()];
  const horn::Variable statement = part.statements[place.id.index()];
  const horn::Variable arguments = solver_.add_variable();
  part.arguments.emplace(place.id, arguments);
  for (const ir::VariableId array : accesses_.unknown_writes(callees)) {
    const horn::Variable written =
        values_->defined(place.function, place.node, array);
    imply(statement, written);
    imply(arguments, written);
    imply(values_->used(place.function, place.node, array), written);
  }
  const bool matter = std::ranges::any_of(callees, [&](ir::FunctionId callee) {
    return !program_[callee].has_body || accesses_.is_observed(callee);
  });
  if (criterion_.arguments && matter) imply(arguments, statement);
  for (const term::Term argument : call.arguments) {
    use(place, argument, arguments);
  }
}

void Relevance::add_known_call(const Place& place, const ir::Call& call,
                               ir::FunctionId callee) {
  const Part& part = parts_[place.function.index()];
  const Part& called = parts_[callee.index()];
  const horn::Variable statement = part.statements[place.id.index()];
  imply(statement, called.any);
  const std::size_t results =
      std::min(call.results.size(), called.results.size());
  for (std::size_t k = 0; k < results; ++k) {
    imply(called.results[k],
          values_->defined(place.function, place.node, call.results[k]));
  }
  const auto& parameters = program_[callee].parameters;
  const std::size_t passed = std::min(call.arguments.size(), parameters.size());
  for (std::size_t i = 0; i < passed; ++i) {
    use(place, call.arguments[i], values_->at_start(callee, parameters[i]));
  }
  const CallGraph& graph = calls_.graph();
  if (criterion_.loops == Loops::Keep && graph.is_recursive(callee) &&
      graph.component(callee) == graph.component(place.function)) {
    fact(statement);
  }
}

void Relevance::add_returns(ir::FunctionId entry) {
  if (!program_[entry].has_body) return;
  const Part& part = parts_[entry.index()];
  if (criterion_.returns == Returns::Value) {
    for (const horn::Variable result : part.results) fact(result);
  }
  if (part.control->exit() == kNoNode) return;
  for (const ir::VariableId variable : criterion_.variables) {
    fact(values_->used(entry, part.control->exit(), variable));
  }
}

bool Relevance::call_results(ir::FunctionId function, ir::EdgeId edge) const {
  const ir::Edge& described = program_[function].body.edge(edge);
  const auto& results = std::get<ir::Call>(described.statement).results;
  return std::ranges::any_of(results, [&](ir::VariableId result) {
    return solver_.is_true(
        values_->defined(function, described.from.value(), result));
  });
}

bool Relevance::argument(ir::FunctionId function, ir::EdgeId edge,
                         std::size_t i) const {
  if (solver_.is_true(parts_[function.index()].arguments.at(edge))) {
    return true;
  }
  for (const ir::FunctionId callee : calls_.callees(function, edge)) {
    const auto& parameters = program_[callee].parameters;
    if (!program_[callee].has_body || i >= parameters.size()) continue;
    if (solver_.is_true(values_->at_start(callee, parameters[i]))) return true;
  }
  return false;
}

bool Relevance::result(ir::FunctionId function, std::size_t k) const {
  return solver_.is_true(parts_[function.index()].results[k]);
}

}  // namespace agon::analysis
