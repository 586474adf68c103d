// SPDX-License-Identifier: Apache-2.0
#include "support/error.h"
#include "term/pool.h"
#include "term/tables.h"

namespace agon::term {
namespace {

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

}  // namespace

Term Pool::read(Term array, Term index, unsigned count) {
  check_block(array.sort(), index, count);
  return tables_->make(Kind::Read, block_sort(array.sort(), count),
                       {array, index}, count);
}

Term Pool::write(Term array, Term index, Term value) {
  const unsigned width = array.width();
  const unsigned count = width == 0 ? 1 : value.width() / width;
  check_block(array.sort(), index, count);
  AGON_ASSERT(value.sort() == block_sort(array.sort(), count));
  return tables_->make(Kind::Write, array.sort(), {array, index, value}, count);
}

Term Pool::copy(Term array, Term index, Term count, Term source, Term from) {
  AGON_ASSERT(array.sort().is_array() && source.sort() == array.sort());
  AGON_ASSERT(index.sort() == array.sort().index());
  AGON_ASSERT(count.sort() == index.sort() && from.sort() == index.sort());
  return tables_->make(Kind::Copy, array.sort(),
                       {array, index, count, source, from});
}

Term Pool::constant_array(Term element, unsigned index_width) {
  AGON_ASSERT(element.sort().is_bits() || element.sort().is_int());
  return tables_->make(Kind::ConstantArray,
                       Sort::array(index_width, element.width()), {element});
}

}  // namespace agon::term
