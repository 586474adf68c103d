// SPDX-License-Identifier: Apache-2.0
/// What a value becomes that is passed as another sort than it has.
#pragma once

#include "term/pool.h"

namespace agon::analysis {

/// `value` as a term of `sort`: bit-vectors are extended with zeros or
/// truncated, Booleans count as 0 and 1. Invalid if there is no such reading.
inline term::Term coerce(term::Pool& pool, term::Term value, term::Sort sort) {
  const term::Sort from = value.sort();
  if (from == sort) return value;
  if (from.is_bits() && sort.is_bits()) {
    return pool.resize(value, sort.width, /*is_signed=*/false);
  }
  if (from.is_bool() && sort.is_bits()) {
    return pool.ite(value, pool.bits(1, sort.width), pool.bits(0, sort.width));
  }
  if (from.is_bits() && sort.is_bool()) {
    return pool.negation(pool.equal(value, pool.bits(0, from.width)));
  }
  return {};
}

/// That a value of type _Bool is 0 or 1. Memory has room for more.
inline term::Term is_truth_value(term::Pool& pool, term::Term value) {
  return pool.unsigned_less(value, pool.bits(2, value.width()));
}

}  // namespace agon::analysis
