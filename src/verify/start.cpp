// SPDX-License-Identifier: Apache-2.0
#include "verify/start.h"

#include <algorithm>
#include <set>

#include "analysis/unknown_calls.h"
#include "ir/interpreter.h"
#include "ir/start.h"
#include "term/substitute.h"
#include "verify/outside.h"

namespace agon::verify {

using term::Term;

namespace {

/// The array with an object in it as it is at the start.
Term initialised(const ir::Program& program, ir::ObjectId id,
                 ir::VariableId array, Term contents) {
  const ir::Object& object = program[id];
  term::Pool& pool = *program.pool;
  const unsigned width = program.pointer_width();
  if (object.is_zeroed && object.size > 0) {
    const term::Sort sort = contents.sort();
    const Term zeros =
        pool.constant_array(pool.bits(0, sort.width), sort.index_width);
    contents = pool.copy(contents, object.address,
                         pool.bits(object.size, width), zeros, object.address);
  }
  for (const ir::InitialCell& cell : ir::initial_cells(program, id)) {
    if (cell.array != array) continue;
    contents = pool.write(
        contents, pool.add(object.address, pool.bits(cell.offset, width)),
        cell.value);
  }
  return contents;
}

}  // namespace

abstraction::Start start_of(const ir::Program& program) {
  abstraction::Start start;
  for (std::size_t i = 0; i < program.variables.size(); ++i) {
    const ir::Variable& variable = program.variables[i];
    if (variable.initial.valid()) {
      start.values.set(ir::VariableId::at(i), variable.initial);
    }
  }
  for (std::size_t i = 0; i < program.objects.size(); ++i) {
    const ir::Object& object = program.objects[i];
    if (!object.is_zeroed && object.initial.empty() && object.bytes.empty()) {
      continue;
    }
    for (const ir::VariableId array : object.arrays) {
      const Term known = start.values.find(array);
      start.values.set(
          array, initialised(program, ir::ObjectId::at(i), array,
                             known.valid() ? known : program[array].term));
    }
  }
  return start;
}

void forget_initial_values(ir::Program& program) {
  for (ir::Variable& variable : program.variables) {
    if (!analysis::is_heap(variable)) variable.initial = Term();
  }
  for (ir::Object& object : program.objects) {
    if (object.is_constant || object.kind == ir::ObjectKind::String) continue;
    object.is_zeroed = false;
    object.initial.clear();
    object.bytes.clear();
  }
}

namespace {

/// The addresses that a body uses, or what it finds in its variables at the
/// start.
std::set<Term> addresses_of(const ir::Program& program, ir::FunctionId entry) {
  std::set<Term> result = addresses_in(program[entry].body);
  const abstraction::Start start = start_of(program);
  const std::set<Term> used = variables_in(program[entry].body);
  for (std::size_t i = 0; i < program.variables.size(); ++i) {
    const Term known = start.values.find(ir::VariableId::at(i));
    if (!known.valid() || !used.contains(program.variables[i].term)) continue;
    term::visit_subterms(known, [&](Term part) {
      if (part.kind() == term::Kind::Address) result.insert(part);
    });
  }
  return result;
}

}  // namespace

std::vector<Term> layout_axioms(const ir::Program& program,
                                ir::FunctionId entry) {
  const std::set<Term> used = addresses_of(program, entry);
  term::Pool& pool = *program.pool;
  const unsigned width = program.pointer_width();
  const bool integers = program[program.memory].term.sort().index().is_int();
  const auto number = [&](std::uint64_t n) {
    return integers ? pool.integer(n) : pool.bits(n, width);
  };
  const auto less = [&](Term a, Term b) {
    return integers ? pool.signed_less(a, b) : pool.unsigned_less(a, b);
  };
  std::vector<Term> axioms;
  Term end = number(ir::lowest_address(program));
  // If they fit, then below the memory of a client.
  const std::uint64_t low = analysis::first_client_address(width);
  std::uint64_t size = 0;
  for (const bool is_local : {false, true}) {
    for (const ir::Object& object : program.objects) {
      if ((object.kind == ir::ObjectKind::Local) != is_local ||
          !used.contains(object.address)) {
        continue;
      }
      axioms.push_back(pool.negation(less(object.address, end)));
      size = std::min(size + std::min(object.size, low), low);
      end = pool.add(object.address,
                     number(std::max<std::uint64_t>(object.size, 1)));
      axioms.push_back(less(object.address, end));
    }
  }
  if (axioms.empty()) return axioms;
  axioms.push_back(less(
      end, number(size < low / 2 ? low : analysis::first_free_address(width))));
  return axioms;
}

std::vector<Term> interpreter_layout(const ir::Program& program,
                                     ir::FunctionId entry) {
  const std::set<Term> used = addresses_of(program, entry);
  ir::ZeroEnvironment nothing;
  ir::InterpreterOptions options;
  options.max_steps = 0;
  const ir::Run run = ir::interpret(program, entry, nothing, options);
  std::vector<Term> places;
  const auto add = [&](Term term, std::uint64_t address) {
    if (!used.contains(term)) return;
    places.push_back(program.pool->equal(
        term, program.pool->bits(address, program.pointer_width())));
  };
  for (const auto& [object, address] : run.addresses) {
    add(program[object].address, address);
  }
  for (const auto& [function, address] : run.functions) {
    add(program[function].address, address);
  }
  return places;
}

}  // namespace agon::verify
