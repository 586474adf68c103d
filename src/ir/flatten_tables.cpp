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
    for (const InitialCell& cell : initial_cells(program, id)) {
      const std::uint64_t end = cell.offset + cell.value.width() / 8;
      std::erase_if(cells_, [&](const auto& each) {
        return overlaps(each, cell.offset, end);
      });
      cells_.emplace(cell.offset, cell.value);
    }
  }

  std::uint64_t size() const { return object_.size; }

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
  using Cells = std::map<std::uint64_t, Term>;

  static bool overlaps(const Cells::value_type& cell, std::uint64_t first,
                       std::uint64_t end) {
    return cell.first < end && first < cell.first + cell.second.width() / 8;
  }

  Term at_offset(std::uint64_t offset, unsigned size) const {
    const auto found = cells_.find(offset);
    if (found != cells_.end() && found->second.width() == 8 * size &&
        term::variables_of(found->second).empty()) {
      return found->second;
    }
    const bool is_zero = object_.is_zeroed && size <= sizeof(term::Bits) &&
                         std::ranges::none_of(cells_, [&](const auto& each) {
                           return overlaps(each, offset, offset + size);
                         });
    return is_zero ? program_.pool->bits(0, 8 * size) : Term();
  }

  const Program& program_;
  const Object& object_;
  Cells cells_;
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
      if (object.arrays.size() != 1 ||
          changed.contains(object.arrays.front())) {
        continue;
      }
      const Term array = program[object.arrays.front()].term;
      tables_[array].emplace_back(program, ObjectId::at(i));
      if (object.size > kMostBytes) needed_.insert(array);
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
    term::Pool& pool = *program_.pool;
    std::vector<std::pair<Term, Term>> values;
    for (const Table& table : tables) {
      if (table.size() > kMostBytes) continue;
      const auto more = table.values(old.width() / 8);
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
