// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include "support/error.h"
#include "term/pool.h"
#include "term/rules.h"
#include "term/tables.h"

namespace agon::term {
namespace {

// How many writes and copies a read looks behind. If that does not suffice,
// the read stays in front of all of them.
constexpr unsigned kMostSkipped = 4096;

/// The sort of `count` elements read at once.
Sort block_sort(Sort array, unsigned count) {
  return array.width == 0 ? Sort::integer() : Sort::bits(array.width * count);
}

/// Asserts that a block of elements has a width and does not overlap itself.
void check_block(Sort array, Term index, unsigned count) {
  AGON_ASSERT(array.is_array() && index.sort() == array.index());
  AGON_ASSERT(count >= 1);
  AGON_ASSERT(array.width == 0 ? count == 1
                               : count <= Sort::kMaxWidth / array.width);
  AGON_ASSERT(array.index_width == 0 || count - 1 <= mask(array.index_width));
}

/// An index as a sum of a term, if any, and a constant, if any.
struct Index {
  Term base;
  Term offset;

  explicit Index(Term index) {
    if (index.is_constant()) {
      offset = index;
    } else if (detail::has_constant(index, Kind::Add)) {
      base = index.operand(0);
      offset = index.operand(1);
    } else {
      base = index;
    }
  }
  Bits bits() const { return offset ? offset.value() : 0; }
  Integer integer() const { return offset ? offset.integer() : Integer(0); }
};

/// Where a block lies in relation to another one.
enum class Place { Unknown, Inside, Outside };

/// A block of `size` elements that starts `distance` behind one of `other`
/// elements, in a circle of 2^width.
Place place(Bits distance, Bits size, Bits other, unsigned width) {
  if (distance < other) {
    return size <= other - distance ? Place::Inside : Place::Unknown;
  }
  const Bits way_on = truncate(-distance, width);
  return distance == 0 || way_on >= size ? Place::Outside : Place::Unknown;
}

/// The same on the line of integers.
Place place(const Integer& distance, const Integer& size,
            const Integer& other) {
  if (distance >= other || distance + size <= 0) return Place::Outside;
  return distance >= 0 && distance + size <= other ? Place::Inside
                                                   : Place::Unknown;
}

/// Where `size` elements from `index` on lie in relation to those from `start`
/// on, of which there are `count` or, if given, as many as the constant.
Place relate(Term index, unsigned size, Term start, unsigned count,
             Term constant) {
  const Index from(index);
  const Index to(start);
  if (from.base != to.base) return Place::Unknown;
  if (index.sort().is_int()) {
    return place(from.integer() - to.integer(), size,
                 constant ? constant.integer() : Integer(count));
  }
  const unsigned width = index.width();
  return place(truncate(from.bits() - to.bits(), width), size,
               constant ? constant.value() : Bits{count}, width);
}

/// A read on its way behind the writes that do not concern it.
struct Reading {
  Pool& pool;
  Term array;
  Term index;
  unsigned count;

  /// The part of the value of a write around the elements to be read.
  Term part() const {
    const Term value = array.operand(2);
    if (value.sort().is_int()) return value;
    const auto distance =
        static_cast<unsigned>(pool.subtract(index, array.operand(1)).value());
    const unsigned width = array.width();
    return pool.extract(value, distance * width, count * width);
  }

  Term repeated_element() const {
    const Term element = array.operand(0);
    Term result = element;
    for (unsigned i = 1; i < count; ++i) result = pool.concat(element, result);
    return result;
  }

  /// Goes behind one write or copy, or says what is read. False at the end.
  bool step(Term& result) {
    if (array.kind() == Kind::ConstantArray) {
      result = repeated_element();
      return false;
    }
    const bool copy = array.kind() == Kind::Copy;
    if (!copy && array.kind() != Kind::Write) return false;
    if (copy && !array.operand(2).is_constant()) return false;
    const Place where =
        relate(index, count, array.operand(1), copy ? 0 : array.count(),
               copy ? array.operand(2) : Term());
    if (where == Place::Unknown) return false;
    if (where == Place::Outside) {
      array = array.operand(0);
    } else if (copy) {
      index =
          pool.add(array.operand(4), pool.subtract(index, array.operand(1)));
      array = array.operand(3);
    } else {
      result = part();
      return false;
    }
    return true;
  }
};

}  // namespace

Term Pool::read(Term array, Term index, unsigned count) {
  check_block(array.sort(), index, count);
  Reading reading{*this, array, index, count};
  Term result;
  unsigned steps = 0;
  while (steps <= kMostSkipped && reading.step(result)) ++steps;
  if (result) return result;
  if (steps <= kMostSkipped) {
    array = reading.array;
    index = reading.index;
  }
  return tables_->make(Kind::Read, block_sort(array.sort(), count),
                       {array, index}, count);
}

Term Pool::write(Term array, Term index, Term value) {
  const unsigned width = array.width();
  const unsigned count = width == 0 ? 1 : value.width() / width;
  check_block(array.sort(), index, count);
  AGON_ASSERT(value.sort() == block_sort(array.sort(), count));
  // What is written over does not matter.
  while (array.kind() == Kind::Write &&
         relate(array.operand(1), array.count(), index, count, {}) ==
             Place::Inside) {
    array = array.operand(0);
  }
  if (value.kind() == Kind::Read && value.operand(0) == array &&
      value.operand(1) == index && value.count() == count) {
    return array;
  }
  if (array.kind() == Kind::ConstantArray && array.operand(0) == value) {
    return array;
  }
  return tables_->make(Kind::Write, array.sort(), {array, index, value}, count);
}

Term Pool::copy(Term array, Term index, Term count, Term source, Term from) {
  AGON_ASSERT(array.sort().is_array() && source.sort() == array.sort());
  AGON_ASSERT(index.sort() == array.sort().index());
  AGON_ASSERT(count.sort() == index.sort() && from.sort() == index.sort());
  if (detail::is_zero(count)) return array;
  if (array == source && index == from) return array;
  return tables_->make(Kind::Copy, array.sort(),
                       {array, index, count, source, from});
}

Term Pool::constant_array(Term element, unsigned index_width) {
  AGON_ASSERT(element.sort().is_bits() || element.sort().is_int());
  return tables_->make(Kind::ConstantArray,
                       Sort::array(index_width, element.width()), {element});
}

}  // namespace agon::term
