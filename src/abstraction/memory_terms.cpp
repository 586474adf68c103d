// SPDX-License-Identifier: Apache-2.0
#include "abstraction/memory_terms.h"

#include <algorithm>
#include <array>
#include <optional>
#include <ranges>
#include <unordered_set>
#include <utility>
#include <vector>

#include "term/bounds.h"

namespace agon::abstraction {

using term::Bits;
using term::Kind;
using term::Term;

namespace {

constexpr unsigned kMostSkipped = 4096;
constexpr std::size_t kMostDifferences = 64;
/// How many writes to places that are not known are made conditional.
constexpr std::size_t kMostConditional = 8;
/// How many conditions deep an index is looked at.
constexpr unsigned kMostNested = 3;
constexpr Bits kMostSlack = 1 << 20;

/// How many elements a write or a copy changes, at most; none if that is not
/// known.
std::optional<Bits> extent_of(Term array) {
  if (array.kind() == Kind::Write) return array.count();
  if (array.kind() != Kind::Copy || !array.operand(2).sort().is_bits()) {
    return std::nullopt;
  }
  return term::largest_value(array.operand(2));
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

MemoryTerms::Place::Place(Term index) : width(index.width()) {
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

const MemoryTerms::Place& MemoryTerms::surroundings(Term index) {
  const auto [known, is_new] = surroundings_.try_emplace(index, index);
  Place& place = known->second;
  while (is_new && place.base.valid() && place.base.kind() == Kind::Add) {
    const std::array sums{term::largest_value(place.base.operand(0)),
                          term::largest_value(place.base.operand(1))};
    const unsigned smaller = sums[1] <= sums[0] ? 1 : 0;
    if (sums.at(smaller) > kMostSlack - place.slack) break;
    place.slack += sums.at(smaller);
    place.base = place.base.operand(1 - smaller);
  }
  return place;
}

bool MemoryTerms::are_apart(const Range& a, const Range& b, unsigned depth) {
  if (!a.index.sort().is_bits()) return false;
  const Place x(a.index);
  const Place y(b.index);
  if (x.base == y.base) return are_apart(x, a.count, y, b.count);
  if (are_apart(surroundings(a.index), a.count, surroundings(b.index),
                b.count)) {
    return true;
  }
  if (depth == kMostNested) return false;
  const auto is_apart = [&](const Range& one, const Range& other) {
    const auto choice = as_conditional(pool_, one.index);
    return choice && are_apart({choice->then, one.count}, other, depth + 1) &&
           are_apart({choice->otherwise, one.count}, other, depth + 1);
  };
  return is_apart(a, b) || is_apart(b, a);
}

bool MemoryTerms::are_apart(const Place& a, Bits count, const Place& b,
                            Bits other_count) const {
  const Bits size = a.slack + count;
  const Bits other_size = b.slack + other_count;
  if (a.base == b.base) {
    const Bits mask = term::mask(a.width);
    const Bits forward = (b.offset - a.offset) & mask;
    const Bits backward = (a.offset - b.offset) & mask;
    return forward >= size && backward >= other_size;
  }
  return a.base.valid() && b.base.valid() &&
         is_inside(a.base, a.offset, size) &&
         is_inside(b.base, b.offset, other_size);
}

/// The array without the last writes, as far as they do not concern the range.
Term MemoryTerms::behind(Term array, const Range& range) {
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
                             std::vector<Range>& ranges) {
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

/// `array` with the writes between two arrays, each made only if the condition
/// holds; nothing if there are too many.
std::optional<Term> MemoryTerms::write_if(Term condition, Term array,
                                          Term written, Term from) {
  std::vector<Term> writes;
  for (Term at = written; at != from; at = at.operand(0)) {
    if (at.kind() != Kind::Write || writes.size() == kMostConditional) {
      return std::nullopt;
    }
    writes.push_back(at);
  }
  for (const Term each : writes | std::views::reverse) {
    const Term index = each.operand(1);
    const Term before = read(array, index, each.count());
    array = pool_.write(array, index,
                        pool_.ite(condition, each.operand(2), before));
  }
  return array;
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
  if (!before.contains(common)) return pool_.ite(condition, then, otherwise);
  std::vector<Range> ranges;
  if (!add_writes(then, common, ranges) ||
      !add_writes(otherwise, common, ranges)) {
    const auto one = write_if(condition, common, then, common);
    const auto both =
        one ? write_if(pool_.negation(condition), *one, otherwise, common)
            : one;
    return both ? *both : pool_.ite(condition, then, otherwise);
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
