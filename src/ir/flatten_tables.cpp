// SPDX-License-Identifier: Apache-2.0
#include "ir/flatten_tables.h"

#include <algorithm>
#include <bit>
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
    term::Pool& pool = *program.pool;
    if (object_.is_zeroed) bytes_.assign(object_.size, pool.bits(0, 8));
    bytes_.resize(object_.size);
    for (const InitialCell& cell : initial_cells(program, id)) {
      const bool is_fixed = term::variables_of(cell.value).empty();
      for (unsigned i = 0; 8 * i < cell.value.width(); ++i) {
        if (cell.offset + i >= bytes_.size()) break;
        bytes_[cell.offset + i] =
            is_fixed ? pool.extract(cell.value, 8 * i, 8) : Term();
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
  /// Together if all of them are known.
  Term at_offset(std::uint64_t offset, unsigned size) const {
    Term result = bytes_[offset];
    for (unsigned i = 1; i < size && result.valid(); ++i) {
      const Term next = bytes_[offset + i];
      result = next.valid() ? program_.pool->concat(next, result) : Term();
    }
    return result;
  }

  const Program& program_;
  const Object& object_;
  std::vector<Term> bytes_;  // Invalid where they are not known.
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

/// Whether routines are called that may read memory.
bool calls_routines(const Program& program, const Cfa& body) {
  return std::ranges::any_of(body.edges(), [&](const Edge& edge) {
    const auto* const call = std::get_if<Call>(&edge.statement);
    return call != nullptr &&
           !(call->callee.valid() && program[call->callee].is_action);
  });
}

class Tables {
 public:
  Tables(Program& program, FunctionId entry) : program_(program) {
    const std::set<VariableId> changed = changed_in(program[entry].body);
    if (calls_routines(program, program[entry].body)) {
      needed_.insert(program[program.memory].term);
    }
    for (std::size_t i = 0; i < program.objects.size(); ++i) {
      const Object& object = program.objects[i];
      if (object.arrays.size() != 1 ||
          changed.contains(object.arrays.front())) {
        continue;
      }
      const Term array = program[object.arrays.front()].term;
      if (object.size > kMostBytes) {
        needed_.insert(array);
      } else {
        tables_[array].emplace_back(program, ObjectId::at(i));
      }
    }
  }

  bool empty() const { return tables_.empty(); }

  /// What is always looked up need not be in memory as well. It may hold
  /// anything at places where no value of this size was put.
  void drop_contents() {
    for (Object& object : program_.objects) {
      if (object.arrays.size() != 1) continue;
      const Term array = program_[object.arrays.front()].term;
      if (!tables_.contains(array) || needed_.contains(array)) continue;
      object.is_zeroed = false;
      object.initial.clear();
      object.bytes.clear();
    }
  }

  void look_up(Statement& statement) {
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
  Term looked_up(Term term) {
    return term::transform(
        *program_.pool, term,
        [&](Term part, std::span<const Term> operands) -> Term {
          if (part.kind() == Kind::Read && tables_.contains(part.operand(0))) {
            const Term result =
                read(tables_.at(part.operand(0)), part, operands[1]);
            if (result.valid()) return result;
          }
          for (const Term operand : part.operands()) needed_.insert(operand);
          return {};
        });
  }

  Term read(const std::vector<Table>& tables, Term old, Term place) const {
    const unsigned size = old.width() / 8;
    // Parts of bit-fields may lie anywhere.
    if (!std::has_single_bit(size)) return {};
    term::Pool& pool = *program_.pool;
    std::vector<std::pair<Term, Term>> values;
    for (const Table& table : tables) {
      const auto more = table.values(size);
      values.insert(values.end(), more.begin(), more.end());
    }
    if (values.empty() || values.size() > kMostPlaces) return {};
    Term result = pool.read(old.operand(0), place, old.count());
    for (const auto& [where, value] : values) {
      result = pool.ite(pool.equal(place, where), value, result);
    }
    return result;
  }

  Program& program_;
  std::map<Term, std::vector<Table>> tables_;  // By array.
  std::set<Term> needed_;  // What is used otherwise than by looking it up.
};

}  // namespace

void look_up_tables(Program& program, FunctionId entry) {
  Tables tables(program, entry);
  if (tables.empty()) return;
  change_edges(program, [&](Edge& edge) { tables.look_up(edge.statement); });
  tables.drop_contents();
}

}  // namespace agon::ir
