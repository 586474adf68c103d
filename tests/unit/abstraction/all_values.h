// SPDX-License-Identifier: Apache-2.0
/// Variables with so few values that all assignments can be tried.
#pragma once

#include <set>
#include <span>
#include <vector>

#include "abstraction/boundary.h"
#include "term/evaluate.h"
#include "term/pool.h"

namespace agon::test {

/// All assignments of some Boolean and bit-vector variables.
inline std::vector<term::Assignment> all_assignments(
    std::span<const term::Term> variables) {
  std::vector<term::Assignment> all(1);
  for (const term::Term variable : variables) {
    const term::Sort sort = variable.sort();
    const std::size_t size = sort.is_bool() ? 2 : std::size_t{1} << sort.width;
    std::vector<term::Assignment> more;
    for (const term::Assignment& assignment : all) {
      for (std::size_t i = 0; i < size; ++i) {
        more.push_back(assignment);
        more.back()[variable] = {sort, term::Integer(i), {}};
      }
    }
    all = std::move(more);
  }
  return all;
}

inline bool holds(term::Term formula, const term::Assignment& assignment) {
  return term::evaluate(formula, assignment).number != 0;
}

inline bool hold(std::span<const term::Term> formulas,
                 const term::Assignment& assignment) {
  for (const term::Term formula : formulas) {
    if (!holds(formula, assignment)) return false;
  }
  return true;
}

/// The answers to questions that occur under the constraints, sorted.
inline std::vector<abstraction::Answers> all_answers(
    std::span<const term::Assignment> world,
    std::span<const term::Term> constraints,
    std::span<const term::Term> questions) {
  std::set<abstraction::Answers> found;
  for (const term::Assignment& assignment : world) {
    if (!hold(constraints, assignment)) continue;
    abstraction::Answers row;
    for (const term::Term question : questions) {
      row.push_back(holds(question, assignment));
    }
    found.insert(row);
  }
  return {found.begin(), found.end()};
}

}  // namespace agon::test
