// SPDX-License-Identifier: Apache-2.0
#include "ir/flatten_tables.h"

#include <algorithm>
#include <map>
#include <set>

#include "ir/actions.h"
#include "term/substitute.h"

namespace agon::ir {
namespace {

using term::Kind;
using term::Term;

constexpr std::uint64_t kMostBytes = 512;
constexpr std::size_t kMostPlaces = 64;

/// What one object holds as long as the program runs.
class Table {
 public:
  Table(const Program& program, ObjectId id)
      : program_(program), object_(program[id]) {
    if (object_.is_zeroed) {
      for (std::uint64_t i = 0; i < object_.size; ++i) set(i, 0);
    }
    for (const InitialCell& cell : initial_cells(program, id)) {
      const unsigned size = cell.value.width() / 8;
      for (unsigned i = 0; i < size; ++i) bytes_.erase(cell.offset + i);
      std::erase_if(whole_, [&](const auto& each) {
        return each.first < cell.offset + size &&
               cell.offset < each.first + each.second.width() / 8;
      });
      if (cell.value.is_constant()) {
        for (unsigned i = 0; i < size; ++i) {
          set(cell.offset + i, cell.value.value() >> (8 * i));
        }
      } else {
        whole_.insert_or_assign(cell.offset, cell.value);
      }
    }
  }

  /// Where a value of so many bytes is known, and which it is.
  std::vector<std::pair<Term, Term>> values(unsigned size) const {
    std::vector<std::pair<Term, Term>> result;
    term::Pool& pool = *program_.pool;
    for (std::uint64_t at = 0; at + size <= object_.size; at += size) {
      const Term value = at_offset(at, size);
      if (!value.valid()) continue;
      result.emplace_back(
          pool.add(object_.address, pool.bits(at, program_.pointer_width())),
          value);
    }
    return result;
  }

 private:
  void set(std::uint64_t offset, term::Bits value) {
    bytes_[offset] = static_cast<std::uint8_t>(value);
  }

  Term at_offset(std::uint64_t offset, unsigned size) const {
    const auto found = whole_.find(offset);
    if (found != whole_.end() && found->second.width() == 8 * size) {
      return found->second;
    }
    if (size > sizeof(term::Bits)) return {};
    term::Bits value = 0;
    for (unsigned i = 0; i < size; ++i) {
      const auto byte = bytes_.find(offset + i);
      if (byte == bytes_.end()) return {};
      value |= term::Bits{byte->second} << (8 * i);
    }
    return program_.pool->bits(value, 8 * size);
  }

  const Program& program_;
  const Object& object_;
  std::map<std::uint64_t, std::uint8_t> bytes_;
  std::map<std::uint64_t, Term> whole_;  // Addresses.
};

std::set<VariableId> changed_in(const Cfa& body) {
  std::set<VariableId> result;
  for (const Edge& edge : body.edges()) {
    if (const auto* assign = std::get_if<Assign>(&edge.statement)) {
      result.insert(assign->target);
    } else if (const auto* havoc = std::get_if<Havoc>(&edge.statement)) {
      result.insert(havoc->target);
    }
  }
  return result;
}

class Tables {
 public:
  Tables(Program& program, FunctionId entry) : program_(program) {
    const std::set<VariableId> changed = changed_in(program[entry].body);
    for (std::size_t i = 0; i < program.objects.size(); ++i) {
      const Object& object = program.objects[i];
      if (object.arrays.size() != 1 || object.size > kMostBytes ||
          changed.contains(object.arrays.front())) {
        continue;
      }
      tables_[program[object.arrays.front()].term].emplace_back(
          program, ObjectId::at(i));
    }
  }

  bool empty() const { return tables_.empty(); }

  void look_up(Statement& statement) const {
    const auto change = [&](Term& term) { term = looked_up(term); };
    if (auto* assign = std::get_if<Assign>(&statement)) {
      change(assign->value);
    } else if (auto* test = std::get_if<Assume>(&statement)) {
      change(test->condition);
    } else if (auto* call = std::get_if<Call>(&statement)) {
      std::ranges::for_each(call->arguments, change);
    } else if (auto* ret = std::get_if<Return>(&statement)) {
      std::ranges::for_each(ret->values, change);
    }
  }

 private:
  Term looked_up(Term term) const {
    return term::transform(
        *program_.pool, term,
        [&](Term part, std::span<const Term> operands) -> Term {
          if (part.kind() != Kind::Read) return {};
          const auto found = tables_.find(part.operand(0));
          if (found == tables_.end()) return {};
          return read(found->second, part, operands[1]);
        });
  }

  Term read(const std::vector<Table>& tables, Term old, Term place) const {
    term::Pool& pool = *program_.pool;
    std::vector<std::pair<Term, Term>> values;
    for (const Table& table : tables) {
      const auto more = table.values(old.width() / 8);
      values.insert(values.end(), more.begin(), more.end());
    }
    if (values.size() > kMostPlaces) return {};
    Term result = pool.read(old.operand(0), place, old.count());
    for (const auto& [where, value] : values) {
      result = pool.ite(pool.equal(place, where), value, result);
    }
    return result;
  }

  Program& program_;
  std::map<Term, std::vector<Table>> tables_;  // By array.
};

}  // namespace

void look_up_tables(Program& program, FunctionId entry) {
  const Tables tables(program, entry);
  if (tables.empty()) return;
  change_edges(program, [&](Edge& edge) { tables.look_up(edge.statement); });
}

}  // namespace agon::ir
