// SPDX-License-Identifier: Apache-2.0
/// Relations between values that samples suggest.
#pragma once

#include <span>
#include <vector>

#include "abstraction/sampling.h"

namespace agon::abstraction {

/// Formulas that are true of all samples, in templates that loops of C programs
/// mostly need:
///
/// - `x == c`, bounds by constants of the program, parity;
/// - `x < y`, `x <= y`, and the same of a sum of two places and a third one;
/// - all linear equations: the affine hull of the samples (Karr's domain, from
///   executions as in Sharma et al., ESOP 2013).
///
/// `is_signed` says how a place is compared, and `constants` are sorted.
std::vector<term::Term> candidates(term::Pool& pool, const Places& places,
                                   const std::vector<bool>& is_signed,
                                   std::span<const Sample> samples,
                                   std::span<const term::Bits> constants);

}  // namespace agon::abstraction
