// SPDX-License-Identifier: Apache-2.0
/// Rounds of a loop that only count, taken all at once. Internal to the folder.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "term/quick.h"
#include "term/substitute.h"

namespace agon::ir {

/// One way round a loop, in terms of what holds where it begins. Nothing is
/// chosen on it, called, or written to an array.
struct Round {
  std::vector<term::Term> guard;           ///< When it is taken.
  std::map<term::Term, term::Term> after;  ///< What it assigns.
};

struct Rounds {
  /// More than that many are no longer told from infinitely many.
  static constexpr std::uint64_t kForever = std::uint64_t{1} << 62;

  std::uint64_t number = 0;
  std::vector<std::pair<term::Term, term::Bits>> values;  ///< Behind them.
};

/// Rounds that are surely taken from a state on in which one has just ended,
/// but for the last, so that another one follows that gives values to variables
/// that are not among `values`. `value_of` is asked for variables, addresses
/// and elements of arrays in that state. Nothing if these are too few, or the
/// way does more than to count, to add up and to compute from that.
std::optional<Rounds> count_rounds(term::Pool& pool, const Round& round,
                                   const term::ValueOf& value_of);

}  // namespace agon::ir
