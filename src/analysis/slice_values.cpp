// SPDX-License-Identifier: Apache-2.0
#include "analysis/slice_values.h"

#include <algorithm>

#include "analysis/statements.h"
#include "support/sort_unique.h"
#include "term/substitute.h"

namespace agon::analysis {
namespace {

std::uint64_t key(Node node, ir::VariableId variable) {
  return support::pair_key(node, variable.value());
}

}  // namespace

EdgeAccesses::EdgeAccesses(const ir::Program& program, const Calls& calls,
                           const Criterion& criterion)
    : program_(program), calls_(calls), criterion_(criterion) {
  for (std::size_t v = 0; v < program.variables.size(); ++v) {
    if (program.variables[v].kind == ir::VariableKind::Memory) {
      memory_.push_back(ir::VariableId::at(v));
    }
  }
}

bool EdgeAccesses::is_observed(ir::FunctionId routine) const {
  return criterion_.routines ? criterion_.routines->contains(routine)
                             : !program_[routine].has_body;
}

const std::vector<ir::VariableId>& EdgeAccesses::variables_of(
    term::Term term) const {
  const auto [entry, is_new] = cache_.try_emplace(term);
  if (is_new) {
    for (const term::Term variable : term::variables_of(term)) {
      const ir::VariableId id = program_.variable_of(variable);
      if (id.valid()) entry->second.push_back(id);
    }
  }
  return entry->second;
}

std::vector<ir::VariableId> EdgeAccesses::unknown_writes(
    const std::vector<ir::FunctionId>& callees) const {
  std::vector<ir::VariableId> result;
  for (const ir::VariableId array : memory_) {
    const bool written =
        std::ranges::any_of(callees, [&](ir::FunctionId callee) {
          return !program_[callee].has_body &&
                 (!criterion_.may_write || criterion_.may_write(callee, array));
        });
    if (written) result.push_back(array);
  }
  return result;
}

EdgeAccess EdgeAccesses::of(ir::FunctionId function, ir::EdgeId id) const {
  const ir::Edge& edge = program_[function].body.edge(id);
  EdgeAccess result;
  for_each_term(edge.statement, [&](term::Term term) {
    const auto& read = variables_of(term);
    result.reads.insert(result.reads.end(), read.begin(), read.end());
  });
  for_each_target(edge.statement, [&](ir::VariableId target) {
    result.writes.push_back(target);
  });
  if (std::holds_alternative<ir::Call>(edge.statement)) {
    const auto callees = calls_.callees(function, id);
    for (const ir::VariableId array : unknown_writes(callees)) {
      result.reads.push_back(array);
      result.writes.push_back(array);
    }
    if (std::ranges::any_of(callees, [&](ir::FunctionId callee) {
          return is_observed(callee);
        })) {
      result.reads.insert(result.reads.end(), criterion_.variables.begin(),
                          criterion_.variables.end());
    }
  }
  support::sort_unique(result.reads);
  support::sort_unique(result.writes);
  return result;
}

SliceValues::SliceValues(const ir::Program& program, ir::FunctionId entry,
                         const Calls& calls, const Criterion& criterion,
                         const EdgeAccesses& accesses,
                         const std::vector<const ControlGraph*>& controls,
                         horn::Solver& solver)
    : program_(program),
      entry_(entry),
      calls_(calls),
      criterion_(criterion),
      accesses_(accesses),
      solver_(solver),
      anywhere_(program.variables.size()),
      accessor_(program.variables.size()),
      has_many_accessors_(program.variables.size(), false),
      num_writes_(program.variables.size(), 0),
      flows_(program.functions.size()),
      never_(solver.add_variable()) {
  for (horn::Variable& variable : anywhere_) {
    variable = solver_.add_variable();
  }
  for (const ir::FunctionId function : calls.functions()) {
    const ControlGraph* const control = controls[function.index()];
    if (control != nullptr) count_accesses(function, *control);
  }
  for (const ir::FunctionId function : calls.functions()) {
    const ControlGraph* const control = controls[function.index()];
    if (control != nullptr) follow(function, *control);
  }
}

void SliceValues::count(ir::FunctionId function, ir::VariableId variable,
                        bool write) {
  ir::FunctionId& accessor = accessor_[variable.index()];
  if (accessor.valid() && accessor != function) {
    has_many_accessors_[variable.index()] = true;
  }
  accessor = function;
  if (write) ++num_writes_[variable.index()];
}

void SliceValues::count_accesses(ir::FunctionId function,
                                 const ControlGraph& control) {
  for (const ir::VariableId parameter : program_[function].parameters) {
    count(function, parameter, /*write=*/true);
  }
  const auto edges = program_[function].body.edges();
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const EdgeAccess access = accesses_.of(function, ir::EdgeId::at(e));
    for (const ir::VariableId v : access.reads) count(function, v, false);
    for (const ir::VariableId v : access.writes) count(function, v, true);
  }
  if (function == entry_ && control.exit() != kNoNode) {
    for (const ir::VariableId v : criterion_.variables) {
      count(function, v, false);
    }
  }
}

// With a single assignment there is nothing to tell apart, as far as a slice
// is concerned. A global keeps its value from call to call.
bool SliceValues::is_followed(ir::FunctionId function,
                              ir::VariableId variable) const {
  if (has_many_accessors_[variable.index()]) return false;
  if (num_writes_[variable.index()] < 2) return false;
  if (program_[variable].owner.valid()) {
    return program_[variable].owner == function;
  }
  return function == entry_ && !calls_.is_called(entry_);
}

SliceValues::Followed SliceValues::collect(ir::FunctionId function,
                                           const ControlGraph& control) const {
  const ir::Cfa& body = program_[function].body;
  Followed result;
  std::unordered_map<ir::VariableId, std::uint32_t> numbers;
  const auto number = [&](ir::VariableId variable) {
    const auto [entry, is_new] = numbers.try_emplace(
        variable, static_cast<std::uint32_t>(result.variables.size()));
    if (is_new) result.variables.push_back(variable);
    return entry->second;
  };
  const auto enter = [&](std::vector<std::uint32_t>& list,
                         const std::vector<ir::VariableId>& accessed) {
    for (const ir::VariableId variable : accessed) {
      if (is_followed(function, variable)) list.push_back(number(variable));
    }
    support::sort_unique(list);
  };
  Accesses& accesses = result.accesses;
  accesses.uses.resize(control.graph().size());
  accesses.definitions.resize(control.graph().size());
  for (std::size_t e = 0; e < body.edges().size(); ++e) {
    const EdgeAccess access = accesses_.of(function, ir::EdgeId::at(e));
    const std::size_t from = body.edges()[e].from.index();
    enter(accesses.uses[from], access.reads);
    enter(accesses.definitions[from], access.writes);
  }
  if (function == entry_ && control.exit() != kNoNode) {
    enter(accesses.uses[control.exit()], criterion_.variables);
  }
  for (const ir::VariableId parameter : program_[function].parameters) {
    if (is_followed(function, parameter)) number(parameter);
  }
  accesses.num_variables = static_cast<std::uint32_t>(result.variables.size());
  return result;
}

void SliceValues::follow(ir::FunctionId function, const ControlGraph& control) {
  const auto [variables, accesses] = collect(function, control);
  if (variables.empty()) return;
  const ReachingDefinitions reaching = reaching_definitions(
      control.graph(), program_[function].body.entry().value(), accesses);
  std::vector<horn::Variable> values(reaching.num_values);
  for (horn::Variable& value : values) value = solver_.add_variable();
  Flow& flow = flows_[function.index()];
  const auto enter = [&](Table& table, Node node, std::uint32_t variable,
                         ReachingDefinitions::Value value) {
    table.emplace(
        key(node, variables[variable]),
        value == ReachingDefinitions::kUnreachable ? never_ : values[value]);
  };
  for (Node node = 0; node < control.graph().size(); ++node) {
    const auto& uses = accesses.uses[node];
    for (std::size_t i = 0; i < uses.size(); ++i) {
      enter(flow.uses, node, uses[i], reaching.uses[node][i]);
    }
    const auto& definitions = accesses.definitions[node];
    for (std::size_t i = 0; i < definitions.size(); ++i) {
      enter(flow.definitions, node, definitions[i],
            reaching.definitions[node][i]);
    }
  }
  for (std::size_t v = 0; v < variables.size(); ++v) {
    flow.starts.emplace(variables[v], values[v]);
  }
  for (const auto& [merge, value] : reaching.merges) {
    solver_.add_clause(values[value], std::span(&values[merge], 1));
  }
}

horn::Variable SliceValues::used(ir::FunctionId function, Node location,
                                 ir::VariableId variable) const {
  if (!is_followed(function, variable)) return anywhere_[variable.index()];
  return flows_[function.index()].uses.at(key(location, variable));
}

horn::Variable SliceValues::defined(ir::FunctionId function, Node location,
                                    ir::VariableId variable) const {
  if (!is_followed(function, variable)) return anywhere_[variable.index()];
  return flows_[function.index()].definitions.at(key(location, variable));
}

horn::Variable SliceValues::at_start(ir::FunctionId function,
                                     ir::VariableId variable) const {
  if (!is_followed(function, variable)) return anywhere_[variable.index()];
  return flows_[function.index()].starts.at(variable);
}

}  // namespace agon::analysis
