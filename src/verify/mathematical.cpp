// SPDX-License-Identifier: Apache-2.0
#include "verify/mathematical.h"

#include <utility>

#include "verify/counterexample.h"
#include "verify/start.h"

namespace agon::verify {
namespace {

using analysis::Mathematical;
using refine::Execution;
using refine::Feasibility;
using term::Integer;

/// The bits that an integer has, as a number.
Integer wrapped(const Integer& number, unsigned width) {
  const Integer modulus = Integer(1) << width;
  const Integer rest = number % modulus;
  return rest < 0 ? Integer(rest + modulus) : rest;
}

term::Value to_machine(const term::Value& value, term::Sort sort) {
  if (sort.is_bool()) return value;
  term::Value result{sort, wrapped(value.number, sort.width), {}};
  for (const auto& [index, element] : value.elements) {
    const Integer bits = wrapped(element, sort.width);
    if (bits == result.number) continue;
    result.elements[wrapped(index, sort.index_width)] = bits;
  }
  return result;
}

/// What an edge chooses or assigns; invalid if it does neither.
ir::VariableId target_of(const ir::Edge& edge) {
  if (const auto* assign = std::get_if<ir::Assign>(&edge.statement)) {
    return assign->target;
  }
  const auto* const havoc = std::get_if<ir::Havoc>(&edge.statement);
  return havoc != nullptr ? havoc->target : ir::VariableId();
}

/// The same steps in the machine's program, if there they lead on from each
/// other.
std::optional<Execution> to_machine(const Mathematical& both,
                                    const Execution& run) {
  const ir::Cfa& body = both.machine()[both.entry()].body;
  Execution result;
  ir::LocationId at = body.entry();
  for (const Execution::Step& step : run.steps) {
    const ir::EdgeId id = both.machine_edge(step.edge);
    if (!id.valid()) continue;
    const ir::Edge& edge = body.edge(id);
    const auto way = both.silent_way(at, edge.from);
    if (!way) return std::nullopt;
    for (const ir::EdgeId silent : *way) {
      result.steps.push_back({silent, std::nullopt});
    }
    result.steps.push_back({id, std::nullopt});
    if (step.value) {
      const term::Sort sort = both.machine()[target_of(edge)].term.sort();
      result.steps.back().value = to_machine(*step.value, sort);
    }
    at = edge.to;
  }
  return result;
}

std::optional<Feasibility> to_machine(const Mathematical& both,
                                      const Feasibility& found) {
  Feasibility result;
  result.answer = found.answer;
  for (std::size_t i = 0; i < both.machine().variables.size(); ++i) {
    const auto at = found.initial.find(both.program().variables[i].term);
    if (at == found.initial.end()) continue;
    const term::Term variable = both.machine().variables[i].term;
    result.initial.emplace(variable, to_machine(at->second, variable.sort()));
  }
  for (const Execution& run : found.executions) {
    auto same = to_machine(both, run);
    if (!same) return std::nullopt;
    result.executions.push_back(std::move(*same));
  }
  return result;
}

/// Whether an integer was chosen for something that has no counterpart.
bool chooses_results(const Mathematical& both, const Feasibility& found) {
  const ir::Cfa& body = both.program()[both.entry()].body;
  for (const Execution& run : found.executions) {
    for (const Execution::Step& step : run.steps) {
      const ir::VariableId target = target_of(body.edge(step.edge));
      if (target.valid() && target.index() >= both.machine().variables.size()) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace

std::unique_ptr<Mathematical> to_mathematical(ir::Program program,
                                              ir::FunctionId entry) {
  const abstraction::Start start = start_of(program);
  auto result = std::make_unique<Mathematical>(std::move(program), entry);
  for (const auto& [variable, value] : start.values.entries()) {
    result->set_initial(variable, value);
  }
  return result;
}

std::vector<term::Term> interpreter_layout(Mathematical& both) {
  std::vector<term::Term> result;
  for (const term::Term place :
       interpreter_layout(both.machine(), both.entry())) {
    if (const auto same = both.translate(place)) result.push_back(*same);
  }
  return result;
}

std::optional<Feasibility> on_machine(const Task& task,
                                      const Feasibility& found) {
  return to_machine(*task.mathematical, found);
}

std::optional<std::string> problem_on_machine(const Task& task,
                                              const Feasibility& found) {
  const Mathematical& both = *task.mathematical;
  const Task machine{both.machine(), both.entry(), task.spec};
  const abstraction::Blocks blocks(both.machine(), both.entry(),
                                   abstraction::BlockMode::Single);
  const auto same = to_machine(both, found);
  if (!same || replay(machine, blocks, *same)) {
    return chooses_results(both, found)
               ? "the counterexample needs operations on bits to give any value"
               : "the counterexample needs arithmetic without overflow";
  }
  if (const auto doubt = uncertain_step(machine, *same)) {
    return "the counterexample depends on " + *doubt;
  }
  return std::nullopt;
}

}  // namespace agon::verify
