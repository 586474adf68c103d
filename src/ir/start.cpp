// SPDX-License-Identifier: Apache-2.0
#include "ir/start.h"

#include <algorithm>

#include "ir/addresses.h"

namespace agon::ir {

using term::Term;

term::Substitution initial_values(const Program& program) {
  term::Pool& pool = *program.pool;
  const unsigned width = program.pointer_width();
  term::Substitution result;
  for (const Variable& variable : program.variables) {
    if (variable.initial.valid()) result[variable.term] = variable.initial;
  }
  for (std::size_t i = 0; i < program.objects.size(); ++i) {
    const Object& object = program.objects[i];
    const auto cells = initial_cells(program, ObjectId::at(i));
    for (const VariableId array : object.arrays) {
      const Term variable = program[array].term;
      Term contents = result.try_emplace(variable, variable).first->second;
      if (object.is_zeroed && object.size > 0) {
        const Term zeros = pool.constant_array(pool.bits(0, variable.width()),
                                               variable.sort().index_width);
        contents =
            pool.copy(contents, object.address, pool.bits(object.size, width),
                      zeros, object.address);
      }
      for (const InitialCell& cell : cells) {
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

std::uint64_t lowest_address(const Program& program) {
  constexpr std::uint64_t kApart = 0x10000;
  const std::uint64_t high = std::uint64_t{1}
                             << (program.pointer_width() == 64 ? 46 : 27);
  std::uint64_t result = 16;
  for (const NumberedAddress& each : program.numbered) {
    const std::uint64_t size = program.types[each.to].size;
    if (each.value >= high || size >= high) continue;
    result = std::max(result, each.value + size + kApart);
  }
  return result;
}

std::optional<std::vector<Term>> layout(const Program& program,
                                        const std::set<Term>& used) {
  term::Pool& pool = *program.pool;
  const unsigned width = program.pointer_width();
  std::vector<Term> result;
  const std::uint64_t first = lowest_address(program);
  Term end = pool.bits(first, width);
  const std::uint64_t all = heap_start(width) - first - 1;
  std::uint64_t room = all;
  for (const bool is_local : {false, true}) {
    for (const Object& object : program.objects) {
      if ((object.kind == ObjectKind::Local) != is_local ||
          !used.contains(object.address)) {
        continue;
      }
      if (object.size >= room) return std::nullopt;
      room -= object.size + 1;
      const Term size =
          pool.bits(std::max<std::uint64_t>(object.size, 1), width);
      result.push_back(pool.negation(pool.unsigned_less(object.address, end)));
      end = pool.add(object.address, size);
      result.push_back(pool.unsigned_less(object.address, end));
    }
  }
  const bool is_small = all - room < client_start(width) / 2;
  const std::uint64_t last = is_small ? client_start(width) : heap_start(width);
  result.push_back(pool.unsigned_less(end, pool.bits(last, width)));
  return result;
}

}  // namespace agon::ir
