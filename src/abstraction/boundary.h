// SPDX-License-Identifier: Apache-2.0
/// Decides the questions that most programs ask without a solver.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "term/pool.h"

namespace agon::abstraction {

/// The answers to questions, one bit for each.
using Answers = std::vector<bool>;

/// All combinations of answers that are possible under the constraints, sorted;
/// or nothing if this is beyond it.
///
/// It is exact for Boolean combinations of comparisons between variables and
/// constants, and of choices (`ite`) among these. Such a formula can tell apart
/// only so many values of a variable: the constants, their neighbours and the
/// ends of the range. It is enough to try those. Integers have no ends.
class BoundaryCheck {
 public:
  explicit BoundaryCheck(std::size_t max_points = 4096)
      : max_points_(max_points) {}

  std::optional<std::vector<Answers>> solve(
      std::span<const term::Term> constraints,
      std::span<const term::Term> questions);

 private:
  struct Variable {
    term::Term term;
    std::vector<term::Bits> constants;
    bool is_ordered = false;  // Compared by more than equality.
    std::vector<term::Bits> points;
  };

  bool read(term::Term formula);
  bool read_comparison(term::Term comparison);
  bool read_leaves(term::Term value, std::vector<term::Term>& leaves);
  Variable& variable(term::Term term);
  static void find_points(Variable& variable);
  bool next_point(std::vector<std::size_t>& at);
  term::Bits value(term::Term term);
  term::Bits compute(term::Term term);

  std::size_t max_points_;
  std::vector<Variable> variables_;
  std::unordered_map<term::Term, std::size_t> index_;  // Into variables_.
  std::unordered_map<term::Term, bool> read_;          // Formulas seen.
  std::vector<std::size_t> at_;  // The point that is tried, by variable.
  std::unordered_map<term::Term, term::Bits> known_;  // At that point.
};

}  // namespace agon::abstraction
