// SPDX-License-Identifier: Apache-2.0
#include "verify/flat_tables.h"

#include <bit>
#include <map>
#include <set>
#include <utility>

#include "analysis/statements.h"
#include "support/sort_unique.h"
#include "term/substitute.h"

namespace agon::verify {
namespace {

using term::Kind;
using term::Term;

constexpr std::uint64_t kMostBytes = 512;
constexpr std::size_t kMostPlaces = 64;
constexpr unsigned kByte = 8;

/// A place in memory, and what is there.
struct Entry {
  Term place;
  Term value;
};

/// What objects hold at the start, byte by byte; invalid where it is not known.
std::vector<Term> bytes_of(const ir::Program& program, ir::ObjectId id) {
  term::Pool& pool = *program.pool;
  const ir::Object& object = program[id];
  const Term unknown;
  std::vector<Term> result(object.size,
                           object.is_zeroed ? pool.bits(0, kByte) : unknown);
  for (const ir::InitialCell& cell : ir::initial_cells(program, id)) {
    const bool is_fixed = term::variables_of(cell.value).empty();
    const unsigned width = cell.value.width();
    for (unsigned i = 0; kByte * i < width; ++i) {
      if (cell.offset + i >= result.size()) break;
      const bool is_whole = kByte * (i + 1) <= width;
      result[cell.offset + i] = is_fixed && is_whole
                                    ? pool.extract(cell.value, kByte * i, kByte)
                                    : unknown;
    }
  }
  return result;
}

class Tables {
 public:
  Tables(const ir::Program& flat, ir::FunctionId entry)
      : program_(flat), entry_(entry) {
    std::set<ir::VariableId> changed;
    for (const ir::Edge& edge : flat[entry].body.edges()) {
      analysis::for_each_target(edge.statement, [&](ir::VariableId target) {
        changed.insert(target);
      });
    }
    for (std::size_t i = 0; i < flat.objects.size(); ++i) {
      const ir::Object& object = flat.objects[i];
      if (object.arrays.size() != 1 ||
          changed.contains(object.arrays.front())) {
        continue;
      }
      if (object.size > kMostBytes) {
        needed_.insert(flat[object.arrays.front()].term);
        continue;
      }
      tables_[flat[object.arrays.front()].term].emplace_back(
          object.address, bytes_of(flat, ir::ObjectId::at(i)));
    }
  }

  LookedUp run() {
    if (!tables_.empty()) {
      look_up();
      drop_contents();
    }
    support::sort_unique(facts_);
    return {std::move(program_), std::move(facts_)};
  }

 private:
  /// No location is left out, even if a condition is decided now.
  void look_up() {
    ir::Cfa& body = program_.functions[entry_.index()].body;
    const ir::Cfa old = std::exchange(body, body.without_edges());
    for (ir::Edge edge : old.edges()) {
      edge.statement = analysis::map_statement(
          std::move(edge.statement), [&](Term t) { return looked_up(t); },
          [](ir::VariableId target) { return target; });
      body.add_edge(std::move(edge));
    }
    body.finish_unchanged();
  }

  Term looked_up(Term term) {
    return term::transform(
        *program_.pool, term,
        [&](Term part, std::span<const Term> operands) -> Term {
          Term result;
          if (part.kind() == Kind::Read && tables_.contains(part.operand(0))) {
            result = read(part, operands[1]);
          }
          if (!result.valid()) {
            needed_.insert(part.operands().begin(), part.operands().end());
          }
          return result;
        });
  }

  /// What is always looked up need not be in memory as well: it may hold
  /// anything where no value of this size was put.
  void drop_contents() {
    for (ir::Object& object : program_.objects) {
      if (object.arrays.size() != 1) continue;
      const Term array = program_[object.arrays.front()].term;
      if (!tables_.contains(array) || needed_.contains(array)) continue;
      object.is_zeroed = false;
      object.initial.clear();
      object.bytes.clear();
    }
  }

  /// Parts of bit-fields, of sizes that no element has, may lie anywhere.
  Term read(Term old, Term place) {
    term::Pool& pool = *program_.pool;
    const Term array = old.operand(0);
    const std::vector<Entry> all = std::has_single_bit(old.count())
                                       ? entries(array, old.count())
                                       : std::vector<Entry>();
    if (all.empty() || all.size() > kMostPlaces) return {};
    Term result = pool.read(array, place, old.count());
    for (const auto& [where, value] : all) {
      result = pool.ite(pool.equal(place, where), value, result);
      facts_.push_back(pool.equal(pool.read(array, where, old.count()), value));
    }
    return result;
  }

  /// The aligned places in an array where a value of so many bytes is known.
  std::vector<Entry> entries(Term array, unsigned size) const {
    term::Pool& pool = *program_.pool;
    std::vector<Entry> result;
    for (const auto& [address, bytes] : tables_.at(array)) {
      for (std::size_t at = 0; at + size <= bytes.size(); at += size) {
        Term value = bytes[at];
        for (unsigned i = 1; i < size && value.valid(); ++i) {
          const Term next = bytes[at + i];
          value = next.valid() ? pool.concat(next, value) : Term();
        }
        if (!value.valid()) continue;
        result.push_back(
            {pool.add(address, pool.bits(at, program_.pointer_width())),
             value});
      }
    }
    return result;
  }

  ir::Program program_;
  ir::FunctionId entry_;
  /// By array, the addresses of objects with their bytes.
  std::map<Term, std::vector<std::pair<Term, std::vector<Term>>>> tables_;
  std::set<Term> needed_;  // What is used otherwise than by looking it up.
  std::vector<Term> facts_;
};

}  // namespace

LookedUp with_tables(const ir::Program& flat, ir::FunctionId entry) {
  return Tables(flat, entry).run();
}

}  // namespace agon::verify
