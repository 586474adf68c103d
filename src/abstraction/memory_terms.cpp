// SPDX-License-Identifier: Apache-2.0
#include "abstraction/memory_terms.h"

#include <algorithm>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

namespace agon::abstraction {

using term::Bits;
using term::Kind;
using term::Term;

namespace {

constexpr unsigned kMostSkipped = 4096;
constexpr std::size_t kMostDifferences = 64;
/// How many conditions deep an index is looked at.
constexpr unsigned kMostNested = 3;

/// An index as a term, if any, and a constant.
struct Place {
  Term base;
  Bits offset = 0;

  explicit Place(Term index) {
    if (index.is_constant()) {
      offset = index.value();
    } else if (index.kind() == Kind::Add &&
               index.operands().back().is_constant()) {
      base = index.operand(0);
      offset = index.operands().back().value();
    } else {
      base = index;
    }
  }
};

/// The elements that a write or a copy changes; none if that is not known.
std::optional<Bits> extent_of(Term array) {
  if (array.kind() == Kind::Write) return array.count();
  if (array.kind() != Kind::Copy || !array.operand(2).is_constant() ||
      !array.operand(2).sort().is_bits()) {
    return std::nullopt;
  }
  return array.operand(2).value();
}

/// A read that waits for a write of which nobody knows whether it matters.
bool is_pending(Term term) {
  return term.kind() == Kind::Read && term.operand(0).kind() != Kind::Variable;
}

/// `condition ? a : b`, or the same plus a constant.
struct Conditional {
  Term condition, then, otherwise;
};

std::optional<Conditional> as_conditional(term::Pool& pool, Term index) {
  if (index.kind() == Kind::Ite) {
    return Conditional{index.operand(0), index.operand(1), index.operand(2)};
  }
  if (index.kind() != Kind::Add || !index.operands().back().is_constant() ||
      index.operand(0).kind() != Kind::Ite) {
    return std::nullopt;
  }
  const Term choice = index.operand(0);
  const Term offset = index.operands().back();
  return Conditional{choice.operand(0), pool.add(choice.operand(1), offset),
                     pool.add(choice.operand(2), offset)};
}

}  // namespace

MemoryTerms::MemoryTerms(const ir::Program& program)
    : program_(program), pool_(*program.pool) {
  for (const ir::Object& object : program.objects) {
    if (object.address.valid()) sizes_.emplace(object.address, object.size);
  }
}

bool MemoryTerms::is_inside(Term object, Bits offset, Bits count) const {
  const auto size = sizes_.find(object);
  return size != sizes_.end() && offset < size->second &&
         count <= size->second - offset;
}

bool MemoryTerms::are_apart(const Range& a, const Range& b) const {
  if (!a.index.sort().is_bits()) return false;
  const Place x(a.index);
  const Place y(b.index);
  if (x.base == y.base) {
    const Bits mask = term::mask(a.index.width());
    const Bits forward = (y.offset - x.offset) & mask;
    const Bits backward = (x.offset - y.offset) & mask;
    return forward >= a.count && backward >= b.count;
  }
  return x.base.valid() && y.base.valid() &&
         is_inside(x.base, x.offset, a.count) &&
         is_inside(y.base, y.offset, b.count);
}

/// The array without the last writes, as far as they do not concern the range.
Term MemoryTerms::behind(Term array, const Range& range) const {
  for (unsigned steps = 0; steps < kMostSkipped; ++steps) {
    const auto extent = extent_of(array);
    if (!extent || !are_apart(range, {array.operand(1), *extent})) break;
    array = array.operand(0);
  }
  return array;
}

Term MemoryTerms::read(Term array, Term index, unsigned count) {
  return read_either(array, index, count, 0);
}

Term MemoryTerms::read_at(Term array, Term index, unsigned count) {
  for (;;) {
    const Term result = pool_.read(behind(array, {index, count}), index, count);
    if (!is_pending(result) || result.count() != count) return result;
    const Term next = behind(result.operand(0), {result.operand(1), count});
    if (next == result.operand(0)) return result;
    array = next;
    index = result.operand(1);
  }
}

Term MemoryTerms::read_either(Term array, Term index, unsigned count,
                              unsigned depth) {
  const Term whole = read_at(array, index, count);
  if (!is_pending(whole) || depth == kMostNested) return whole;
  const auto choice = as_conditional(pool_, index);
  if (!choice) return whole;
  const Term then = read_either(array, choice->then, count, depth + 1);
  if (is_pending(then)) return whole;
  const Term otherwise =
      read_either(array, choice->otherwise, count, depth + 1);
  if (is_pending(otherwise)) return whole;
  return pool_.ite(choice->condition, then, otherwise);
}

Term MemoryTerms::write(Term array, Term index, Term value) {
  const auto choice = as_conditional(pool_, index);
  if (!choice || array.width() == 0) return pool_.write(array, index, value);
  const unsigned count = value.width() / array.width();
  if (!are_apart({choice->then, count}, {choice->otherwise, count})) {
    return pool_.write(array, index, value);
  }
  const Term first = write(
      array, choice->then,
      pool_.ite(choice->condition, value, read(array, choice->then, count)));
  return write(first, choice->otherwise,
               pool_.ite(choice->condition,
                         read(array, choice->otherwise, count), value));
}

/// Adds what the writes between two arrays change. False if that is too much,
/// or not known exactly.
bool MemoryTerms::add_writes(Term array, Term from,
                             std::vector<Range>& ranges) const {
  for (; array != from; array = array.operand(0)) {
    if (array.kind() != Kind::Write) return false;
    const Range range{array.operand(1), array.count()};
    bool is_new = true;
    for (const Range& other : ranges) {
      if (other.index == range.index && other.count == range.count) {
        is_new = false;
      } else if (!are_apart(other, range)) {
        return false;
      }
    }
    if (is_new) ranges.push_back(range);
    if (ranges.size() > kMostDifferences) return false;
  }
  return true;
}

Term MemoryTerms::choose(Term condition, Term then, Term otherwise) {
  if (condition.is_constant() || then == otherwise || then.width() == 0) {
    return pool_.ite(condition, then, otherwise);
  }
  std::unordered_set<Term> before{then};
  for (Term at = then; at.kind() == Kind::Write;) {
    before.insert(at = at.operand(0));
  }
  Term common = otherwise;
  while (!before.contains(common) && common.kind() == Kind::Write) {
    common = common.operand(0);
  }
  std::vector<Range> ranges;
  if (!before.contains(common) || !add_writes(then, common, ranges) ||
      !add_writes(otherwise, common, ranges)) {
    return pool_.ite(condition, then, otherwise);
  }
  Term result = common;
  for (const Range& range : ranges) {
    const auto count = static_cast<unsigned>(range.count);
    result = pool_.write(result, range.index,
                         pool_.ite(condition, read(then, range.index, count),
                                   read(otherwise, range.index, count)));
  }
  return result;
}

}  // namespace agon::abstraction
