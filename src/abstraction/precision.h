// SPDX-License-Identifier: Apache-2.0
/// Which predicates an abstraction tracks, and where.
#pragma once

#include <vector>

#include "ir/ids.h"
#include "term/term.h"

namespace agon::abstraction {

/// Predicates by location, in the order in which they were added. A predicate
/// and its negation are the same.
class Precision {
 public:
  explicit Precision(std::size_t num_locations) : at_(num_locations) {}

  const std::vector<term::Term>& at(ir::LocationId location) const {
    return at_[location.index()];
  }

  /// True if the predicate is new there.
  bool add(ir::LocationId location, term::Term predicate);

  void add(const Precision& other);

  /// All predicates, each once, in the order of their terms.
  std::vector<term::Term> distinct() const;

 private:
  std::vector<std::vector<term::Term>> at_;
};

}  // namespace agon::abstraction
