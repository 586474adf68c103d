// SPDX-License-Identifier: Apache-2.0
#include "certify/start.h"

#include <algorithm>

#include "certify/rejected.h"
#include "ir/flatten.h"

namespace agon::certify {

using term::Term;

term::Substitution initial_values(const ir::Program& program) {
  term::Pool& pool = *program.pool;
  const unsigned width = program.pointer_width();
  term::Substitution result;
  for (const ir::Variable& variable : program.variables) {
    if (variable.initial.valid()) result[variable.term] = variable.initial;
  }
  for (std::size_t i = 0; i < program.objects.size(); ++i) {
    const ir::Object& object = program.objects[i];
    const auto cells = ir::initial_cells(program, ir::ObjectId::at(i));
    for (const ir::VariableId array : object.arrays) {
      const Term variable = program[array].term;
      Term contents = result.try_emplace(variable, variable).first->second;
      if (object.is_zeroed && object.size > 0) {
        const Term zeros = pool.constant_array(pool.bits(0, variable.width()),
                                               variable.sort().index_width);
        contents =
            pool.copy(contents, object.address, pool.bits(object.size, width),
                      zeros, object.address);
      }
      for (const ir::InitialCell& cell : cells) {
        if (cell.array != array) continue;
        const Term place =
            pool.add(object.address, pool.bits(cell.offset, width));
        contents = pool.write(contents, place, cell.value);
      }
      result[variable] = contents;
    }
  }
  return result;
}

std::vector<Term> layout(const ir::Program& program,
                         const std::set<Term>& used) {
  term::Pool& pool = *program.pool;
  const unsigned width = program.pointer_width();
  std::vector<Term> result;
  Term end = pool.bits(16, width);
  std::uint64_t room = ir::heap_start(width) - 17;
  for (const bool is_local : {false, true}) {
    for (const ir::Object& object : program.objects) {
      if ((object.kind == ir::ObjectKind::Local) != is_local ||
          !used.contains(object.address)) {
        continue;
      }
      if (object.size >= room) throw Rejected("objects do not fit into memory");
      room -= object.size + 1;
      const Term size =
          pool.bits(std::max<std::uint64_t>(object.size, 1), width);
      result.push_back(pool.negation(pool.unsigned_less(object.address, end)));
      end = pool.add(object.address, size);
      result.push_back(pool.unsigned_less(object.address, end));
    }
  }
  result.push_back(
      pool.unsigned_less(end, pool.bits(ir::heap_start(width), width)));
  return result;
}

}  // namespace agon::certify
