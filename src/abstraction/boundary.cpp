// SPDX-License-Identifier: Apache-2.0
#include "abstraction/boundary.h"

#include <algorithm>
#include <set>

namespace agon::abstraction {
namespace {

using term::Bits;
using term::Kind;
using term::Term;

Bits mask(unsigned width) {
  return width >= 128 ? ~Bits{0} : (Bits{1} << width) - 1;
}

/// Integers up to this are moved so that their order is that of their bits.
constexpr Bits kZero = Bits{1} << 100;

bool is_small(const term::Integer& value) {
  return abs(value) < (term::Integer(1) << 90);
}

Bits constant_of(Term term) {
  if (!term.sort().is_int()) return term.value();
  return kZero +
         static_cast<Bits>(static_cast<term::SignedBits>(term.integer()));
}

}  // namespace

std::optional<std::vector<Answers>> BoundaryCheck::solve(
    std::span<const Term> constraints, std::span<const Term> questions) {
  variables_.clear();
  index_.clear();
  read_.clear();
  const auto readable = [&](Term t) { return read(t); };
  if (!std::ranges::all_of(constraints, readable) ||
      !std::ranges::all_of(questions, readable)) {
    return std::nullopt;
  }
  std::size_t number = 1;
  for (Variable& v : variables_) {
    find_points(v);
    number *= v.points.size();
    if (number > max_points_) return std::nullopt;
  }
  std::set<Answers> found;
  at_.assign(variables_.size(), 0);
  do {
    known_.clear();
    if (!std::ranges::all_of(constraints,
                             [&](Term t) { return value(t) != 0; })) {
      continue;
    }
    Answers answers;
    for (const Term question : questions) {
      answers.push_back(value(question) != 0);
    }
    found.insert(std::move(answers));
  } while (next_point(at_));
  return std::vector<Answers>(found.begin(), found.end());
}

bool BoundaryCheck::next_point(std::vector<std::size_t>& at) {
  for (std::size_t i = 0; i < at.size(); ++i) {
    if (++at[i] < variables_[i].points.size()) return true;
    at[i] = 0;
  }
  return false;
}

BoundaryCheck::Variable& BoundaryCheck::variable(Term term) {
  const auto [at, is_new] = index_.try_emplace(term, variables_.size());
  if (is_new) variables_.push_back({term, {}, false, {}});
  return variables_[at->second];
}

bool BoundaryCheck::read(Term formula) {
  const auto [at, is_new] = read_.try_emplace(formula, true);
  if (!is_new) return at->second;
  bool result = false;
  switch (formula.kind()) {
    case Kind::Constant:
      result = true;
      break;
    case Kind::Variable:
      variable(formula);
      result = true;
      break;
    case Kind::Not:
    case Kind::And:
    case Kind::Or:
    case Kind::Ite:
      result = std::ranges::all_of(formula.operands(),
                                   [&](Term t) { return read(t); });
      break;
    case Kind::Equal:
      result = formula.operand(0).sort().is_bool()
                   ? read(formula.operand(0)) && read(formula.operand(1))
                   : read_comparison(formula);
      break;
    case Kind::ULess:
    case Kind::ULessEqual:
    case Kind::SLess:
    case Kind::SLessEqual:
      result = read_comparison(formula);
      break;
    default:
      break;
  }
  return read_[formula] = result;
}

bool BoundaryCheck::read_comparison(Term comparison) {
  const term::Sort sort = comparison.operand(0).sort();
  if (!sort.is_bits() && !sort.is_int()) return false;
  std::vector<Term> left;
  std::vector<Term> right;
  if (!read_leaves(comparison.operand(0), left) ||
      !read_leaves(comparison.operand(1), right)) {
    return false;
  }
  const bool is_ordered = comparison.kind() != Kind::Equal;
  for (const Term a : left) {
    for (const Term b : right) {
      if (!a.is_constant() && !b.is_constant()) return false;
      if (a.is_constant() && b.is_constant()) continue;
      Variable& v = variable(a.is_constant() ? b : a);
      v.constants.push_back(constant_of(a.is_constant() ? a : b));
      v.is_ordered |= is_ordered;
    }
  }
  return true;
}

bool BoundaryCheck::read_leaves(Term value, std::vector<Term>& leaves) {
  if (leaves.size() > 64) return false;
  if (value.kind() == Kind::Ite) {
    return read(value.operand(0)) && read_leaves(value.operand(1), leaves) &&
           read_leaves(value.operand(2), leaves);
  }
  if (value.kind() != Kind::Constant && value.kind() != Kind::Variable) {
    return false;
  }
  if (value.is_constant() && value.sort().is_int() &&
      !is_small(value.integer())) {
    return false;
  }
  leaves.push_back(value);
  return true;
}

void BoundaryCheck::find_points(Variable& v) {
  if (v.term.sort().is_bool()) {
    v.points = {0, 1};
    return;
  }
  const bool is_integer = v.term.sort().is_int();
  const Bits all = mask(is_integer ? 128 : v.term.width());
  std::set<Bits> points;
  for (const Bits c : v.constants) {
    points.insert(c);
    if (!v.is_ordered) continue;
    points.insert((c + 1) & all);
    points.insert((c - 1) & all);
  }
  if (v.is_ordered && is_integer) {
    points.insert(kZero);  // There is some, even if nothing tells them apart.
  } else if (v.is_ordered) {
    points.insert({0, all, all >> 1, (all >> 1) + 1});
  } else {
    Bits other = 0;  // Any value that is not mentioned, if there is one.
    while (points.contains(other)) ++other;
    if (other <= all) points.insert(other);
  }
  v.points.assign(points.begin(), points.end());
}

Bits BoundaryCheck::value(Term term) {
  if (term.is_constant()) return constant_of(term);
  if (term.kind() == Kind::Variable) {
    const std::size_t i = index_.at(term);
    return variables_[i].points[at_[i]];
  }
  const auto known = known_.find(term);
  if (known != known_.end()) return known->second;
  const Bits result = compute(term);
  known_.emplace(term, result);
  return result;
}

Bits BoundaryCheck::compute(Term term) {
  const auto holds = [&](Term t) { return value(t) != 0; };
  const auto left = [&] { return value(term.operand(0)); };
  const auto right = [&] { return value(term.operand(1)); };
  const auto shifted = [&](Bits value) {  // So that unsigned order is signed.
    const unsigned width = term.operand(0).width();
    return width == 0 ? value : value ^ (Bits{1} << (width - 1));
  };
  switch (term.kind()) {
    case Kind::Not:
      return left() == 0 ? 1 : 0;
    case Kind::And:
      return std::ranges::all_of(term.operands(), holds) ? 1 : 0;
    case Kind::Or:
      return std::ranges::any_of(term.operands(), holds) ? 1 : 0;
    case Kind::Ite:
      return value(term.operand(left() != 0 ? 1 : 2));
    case Kind::Equal:
      return left() == right() ? 1 : 0;
    case Kind::ULess:
      return left() < right() ? 1 : 0;
    case Kind::ULessEqual:
      return left() <= right() ? 1 : 0;
    case Kind::SLess:
      return shifted(left()) < shifted(right()) ? 1 : 0;
    default:  // SLessEqual; `read` lets nothing else pass.
      return shifted(left()) <= shifted(right()) ? 1 : 0;
  }
}

}  // namespace agon::abstraction
