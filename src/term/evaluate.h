// SPDX-License-Identifier: Apache-2.0
/// The value of a term under an assignment.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>

#include "term/term.h"

namespace agon::term {

/// A concrete value: a Boolean (0 or 1), a bit-vector (read as unsigned), an
/// integer, or an array that is a default element with exceptions.
struct Value {
  Sort sort;
  Integer number;
  /// Elements of an array that differ from `number`, by index.
  std::map<Integer, Integer> elements;

  friend bool operator==(const Value&, const Value&) = default;
};

/// Values of variables and addresses. What is missing counts as 0 (or an array
/// of zeros), as in a solver's partial model.
using Assignment = std::unordered_map<Term, Value>;

/// Evaluates by the definition of each kind; linear in the term's graph.
Value evaluate(Term term, const Assignment& assignment);

}  // namespace agon::term
