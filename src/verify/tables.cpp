// SPDX-License-Identifier: Apache-2.0
#include "verify/tables.h"

#include <algorithm>
#include <set>

#include "analysis/statements.h"
#include "ir/actions.h"
#include "ir/interpreter.h"
#include "term/substitute.h"

namespace agon::verify {
namespace {

using term::Term;

constexpr std::size_t kMostCells = 64;
constexpr std::uint64_t kMostBytes = 512;

std::set<ir::VariableId> assigned_in(const ir::Cfa& body) {
  std::set<ir::VariableId> result;
  for (const ir::Edge& edge : body.edges()) {
    analysis::for_each_target(
        edge.statement, [&](ir::VariableId target) { result.insert(target); });
  }
  return result;
}

/// The array with what objects hold at the start written into it element by
/// element; invalid if there is nothing, or too much.
Term contents_of(const ir::Program& program, ir::VariableId array) {
  term::Pool& pool = *program.pool;
  const Term start = program[array].term;
  const unsigned width = program.pointer_width();
  const unsigned element = start.sort().element().width;
  Term result = start;
  std::size_t cells = 0;
  const auto write = [&](Term address, std::uint64_t offset, Term value) {
    result =
        pool.write(result, pool.add(address, pool.bits(offset, width)), value);
    ++cells;
  };
  for (std::size_t i = 0; i < program.objects.size(); ++i) {
    const ir::Object& object = program.objects[i];
    if (std::ranges::find(object.arrays, array) == object.arrays.end()) {
      continue;
    }
    if (object.is_zeroed) {
      if (object.size > kMostBytes) return {};
      for (std::uint64_t at = 0; at < object.size; at += element / 8) {
        write(object.address, at, pool.bits(0, element));
      }
    }
    for (const ir::InitialCell& cell :
         ir::initial_cells(program, ir::ObjectId::at(i))) {
      if (cell.array == array) write(object.address, cell.offset, cell.value);
    }
    if (cells > kMostCells) return {};
  }
  return cells > 0 ? result : Term();
}

}  // namespace

void put_in_tables(ir::Program& program, ir::FunctionId entry) {
  const std::set<ir::VariableId> assigned = assigned_in(program[entry].body);
  term::Substitution contents;
  for (std::size_t i = 0; i < program.variables.size(); ++i) {
    const ir::VariableId variable = ir::VariableId::at(i);
    const Term array = program[variable].term;
    if (!array.sort().is_array() || assigned.contains(variable)) continue;
    const Term known = contents_of(program, variable);
    if (known.valid()) contents.emplace(array, known);
  }
  if (contents.empty()) return;
  ir::change_edges(program, [&](ir::Edge& edge) {
    edge.statement = analysis::map_statement(
        std::move(edge.statement),
        [&](Term t) { return term::substitute(*program.pool, t, contents); },
        [](ir::VariableId target) { return target; });
  });
}

}  // namespace agon::verify
