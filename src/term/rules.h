// SPDX-License-Identifier: Apache-2.0
/// The equivalences that the constructors of a pool apply. Internal to the
/// folder.
///
/// A rule looks at an operator and its operands and returns an equal term, or
/// none if it does not apply. What no rule applies to is made as it is; so to
/// make a term from its own operands again gives the same term. Rules look at
/// a few levels of their operands only, or walk along one chain in a loop,
/// because terms may be deeper than the stack.
#pragma once

#include "term/pool.h"

namespace agon::term::detail {

// Operands of binary rules are not both constant. Those of commutative
// operators are in order: a constant comes last.
Term simplify_negate(Pool& pool, Term a);
Term simplify_add(Pool& pool, Term a, Term b);
Term simplify_subtract(Pool& pool, Term a, Term b);
Term simplify_multiply(Pool& pool, Term a, Term b);
Term simplify_division(Pool& pool, Kind kind, Term a, Term b);
Term simplify_bitwise(Pool& pool, Kind kind, Term a, Term b);
Term simplify_shift(Pool& pool, Kind kind, Term a, Term b);
Term simplify_order(Pool& pool, Kind kind, Term a, Term b);

/// Whether `t` chooses between two constants.
bool is_constant_ite(Term t);

/// Whether `t` is of this kind and its last operand is constant.
bool has_constant(Term t, Kind kind);

/// Whether `t` is a constant minus something.
bool is_from_constant(Term t);

bool is_zero(Term t);
bool is_one(Term t);
bool is_all_ones(Term t);  ///< Of integers: -1.

Term zero_like(Pool& pool, Term t);
Term all_ones_like(Pool& pool, Term t);

}  // namespace agon::term::detail
