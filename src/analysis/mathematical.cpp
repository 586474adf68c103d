// SPDX-License-Identifier: Apache-2.0
#include "analysis/mathematical.h"

#include <set>
#include <utility>

#include "analysis/statements.h"
#include "ir/print.h"
#include "support/error.h"
#include "term/print_c.h"
#include "term/substitute.h"

namespace agon::analysis {
namespace {

using ir::EdgeId;
using ir::LocationId;
using ir::VariableId;
using term::Sort;
using term::Term;

constexpr Sort kMemory = Sort::array(0, 0);

Sort integer_sort(Sort sort) {
  if (sort.is_bool()) return sort;
  return sort.is_array() ? kMemory : Sort::integer();
}

}  // namespace

Mathematical::Mathematical(ir::Program machine, ir::FunctionId entry)
    : machine_(std::move(machine)),
      entry_(entry),
      program_(machine_.model, kMemory),
      terms_(machine_, program_, find_readings(machine_)),
      is_silent_(machine_[entry].body.edges().size(), false) {
  add_declarations();
  translate_body();
  program_.assume("integers",
                  "arithmetic is taken not to overflow (--integers=math)");
}

void Mathematical::add_declarations() {
  program_.types = machine_.types;
  program_.conversions = machine_.conversions;
  program_.numbered = machine_.numbered;
  program_.files = machine_.files;
  program_.assumptions = machine_.assumptions;
  program_.inlined = machine_.inlined;
  for (std::size_t i = 0; i < machine_.variables.size(); ++i) {
    ir::Variable variable = machine_.variables[i];
    const Sort sort = integer_sort(variable.term.sort());
    if (VariableId::at(i) == machine_.memory) {
      AGON_ASSERT(machine_.memory == program_.memory);
      continue;
    }
    variable.initial = Term();
    const std::string name = variable.name;
    const VariableId id = program_.add_variable(std::move(variable), sort);
    AGON_ASSERT(id == VariableId::at(i) && program_[id].name == name);
  }
  for (ir::Object object : machine_.objects) {
    object.is_zeroed = false;
    object.bytes.clear();
    object.initial.clear();
    program_.add_object(std::move(object));
  }
  for (ir::Function function : machine_.functions) {
    if (function.address.valid()) {
      function.address = program_.pool->address(function.address.name(), 0);
    }
    function.has_body &= program_.functions.size() == entry_.index();
    function.body = ir::Cfa();
    program_.add_function(std::move(function));
  }
}

void Mathematical::translate_body() {
  const ir::Cfa& old = machine_[entry_].body;
  ir::Cfa body = old.without_edges();
  const LocationId start = body.add_location();
  body.set_entry(start);
  add_edge(body, {start, old.entry(), ir::Assume{inputs_in_range()}, {}, {}},
           {});
  for (std::size_t i = 0; i < old.num_locations(); ++i) {
    translate_location(LocationId::at(i), body);
  }
  for (const EdgeId added : body.finish()) {
    machine_edges_.push_back(origins_[added.index()]);
  }
  program_.functions[entry_.index()].body = std::move(body);
}

/// Integers for what has no counterpart are chosen before the location
/// branches, so that the conditions of all its edges speak of the same.
void Mathematical::translate_location(LocationId location, ir::Cfa& body) {
  const ir::Cfa& old = machine_[entry_].body;
  terms_.forget();
  std::vector<VariableId> chosen;
  std::vector<Term> ranges;
  std::vector<ir::Edge> edges;
  for (const EdgeId id : old.out_edges(location)) {
    ir::Edge edge = old.edge(id);
    edge.statement = translate(edge.statement, [&](Term term) {
      const VariableId any = add_any(term, edge.position);
      chosen.push_back(any);
      ranges.push_back(
          terms_.in_range(program_[any].term, term.width(), Reading::Signed));
      return program_[any].term;
    });
    edges.push_back(std::move(edge));
  }
  for (const Term range : terms_.take_ranges()) ranges.push_back(range);
  LocationId from = location;
  for (const VariableId any : chosen) {
    from = insert(body, from, ir::Havoc{any, ir::HavocReason::Unsupported, ""});
  }
  if (!ranges.empty()) {
    from = insert(body, from, ir::Assume{program_.pool->conjunction(ranges)});
  }
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const EdgeId id = old.out_edges(location)[i];
    ir::Edge& edge = edges[i];
    edge.from = from;
    if (const auto* test = std::get_if<ir::Assume>(&edge.statement)) {
      is_silent_[id.index()] = test->condition.is_true();
    } else if (const auto* havoc = std::get_if<ir::Havoc>(&edge.statement)) {
      const LocationId behind = body.add_location();
      add_edge(body,
               {behind, edge.to, ir::Assume{in_range(havoc->target)}, {}, {}},
               {});
      edge.to = behind;
    }
    add_edge(body, std::move(edge), id);
  }
}

ir::Statement Mathematical::translate(const ir::Statement& statement,
                                      const IntegerTerms::Any& any) {
  if (const auto* assign = std::get_if<ir::Assign>(&statement)) {
    return ir::Assign{assign->target,
                      terms_.translate_for(assign->target, assign->value, any)};
  }
  return map_statement(
      statement,
      [&](Term term) { return terms_.translate(term, Reading::Signed, any); },
      [](VariableId id) { return id; });
}

void Mathematical::add_edge(ir::Cfa& body, ir::Edge edge, EdgeId origin) {
  body.add_edge(std::move(edge));
  origins_.push_back(origin);
}

LocationId Mathematical::insert(ir::Cfa& body, LocationId from,
                                ir::Statement statement) {
  const LocationId to = body.add_location();
  add_edge(body, {from, to, std::move(statement), {}, {}}, {});
  return to;
}

VariableId Mathematical::add_any(Term term, ir::Position position) {
  program_.assume("operations on bits",
                  "those of two variables are taken to give any value "
                  "(--integers=math)",
                  position);
  ir::Variable variable;
  variable.name = "any";
  variable.display = term::to_c(term, ir::c_style(machine_));
  variable.kind = ir::VariableKind::Temporary;
  variable.owner = entry_;
  const VariableId id =
      program_.add_variable(std::move(variable), Sort::integer());
  program_.functions[entry_.index()].locals.push_back(id);
  return id;
}

Term Mathematical::in_range(VariableId variable) {
  const Term machine = machine_[variable].term;
  if (!machine.sort().is_bits()) return program_.pool->boolean(true);
  return terms_.in_range(program_[variable].term, machine.width(),
                         terms_.reading(variable));
}

Term Mathematical::inputs_in_range() {
  std::set<Term> used;
  for (const ir::Edge& edge : machine_[entry_].body.edges()) {
    for_each_term(edge.statement, [&](Term term) {
      for (const Term v : term::variables_of(term)) used.insert(v);
    });
  }
  std::vector<Term> ranges;
  for (const Term term : used) {
    const VariableId id = machine_.variable_of(term);
    const ir::Variable& variable = machine_[id];
    const bool is_given = variable.kind == ir::VariableKind::Parameter ||
                          variable.kind == ir::VariableKind::Global;
    if (is_given && !variable.initial.valid()) ranges.push_back(in_range(id));
  }
  return program_.pool->conjunction(ranges);
}

void Mathematical::set_initial(VariableId variable, Term value) {
  bool is_exact = true;
  terms_.forget();
  const Term translated = terms_.translate_for(variable, value, [&](Term) {
    is_exact = false;
    return program_.pool->integer(0);
  });
  if (is_exact) program_.variables[variable.index()].initial = translated;
}

std::optional<Term> Mathematical::translate(Term condition) {
  bool is_exact = true;
  terms_.forget();
  const Term translated =
      terms_.translate(condition, Reading::Signed, [&](Term) {
        is_exact = false;
        return program_.pool->integer(0);
      });
  return is_exact ? std::optional(translated) : std::nullopt;
}

std::optional<std::vector<EdgeId>> Mathematical::silent_way(
    LocationId from, LocationId to) const {
  const ir::Cfa& body = machine_[entry_].body;
  std::vector<EdgeId> way;
  while (from != to) {
    EdgeId next;
    for (const EdgeId id : body.out_edges(from)) {
      if (is_silent_[id.index()]) next = id;
    }
    if (!next.valid() || way.size() > body.edges().size()) return std::nullopt;
    way.push_back(next);
    from = body.edge(next).to;
  }
  return way;
}

}  // namespace agon::analysis
