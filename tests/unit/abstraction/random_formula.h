// SPDX-License-Identifier: Apache-2.0
/// Random formulas over few small variables.
#pragma once

#include <string>
#include <vector>

#include "helpers/random_lts.h"
#include "term/pool.h"

namespace agon::test {

class RandomFormulas {
 public:
  using Term = term::Term;
  using Kind = term::Kind;

  RandomFormulas(term::Pool& pool, Random& random)
      : pool_(pool), random_(random) {}

  bool arithmetic = false;  ///< Also sums, products and bits of variables.
  bool pairs = false;       ///< Also comparisons of variables with each other.

  void add(Term variable) {
    (variable.sort().is_bool() ? booleans_ : numbers_).push_back(variable);
  }

  /// One to three variables with at most nine bits together.
  std::vector<Term> add_variables() {
    std::vector<Term> made;
    unsigned bits = 0;
    for (std::size_t i = 0, count = 1 + below(random_, 3); i < count; ++i) {
      const unsigned width = 3 + static_cast<unsigned>(below(random_, 2));
      if (bits + width > 9) break;
      bits += width;
      made.push_back(
          pool_.variable("x" + std::to_string(i) + "_" + std::to_string(width),
                         term::Sort::bits(width)));
    }
    for (std::size_t i = 0; i < below(random_, 3) && bits < 9; ++i, ++bits) {
      made.push_back(
          pool_.variable("b" + std::to_string(i), term::Sort::boolean()));
    }
    for (const Term variable : made) add(variable);
    return made;
  }

  Term formula(unsigned depth) {
    if (depth == 0) return atom(0);
    const unsigned d = depth - 1;
    switch (below(random_, 7)) {
      case 0:
        return pool_.negation(formula(d));
      case 1:
        return pool_.conjunction({formula(d), formula(d)});
      case 2:
        return pool_.disjunction({formula(d), formula(d), formula(d)});
      case 3:
        return pool_.ite(formula(d), formula(d), formula(d));
      case 4:
        return pool_.equal(formula(d), formula(d));
      default:
        return atom(d);
    }
  }

  std::vector<Term> formulas(std::size_t max_count, unsigned depth) {
    std::vector<Term> result(below(random_, max_count + 1));
    for (Term& f : result) {
      f = formula(static_cast<unsigned>(below(random_, depth + 1)));
    }
    return result;
  }

  Term number(unsigned width, unsigned depth) {
    if (depth > 0 && below(random_, 3) == 0) {
      return pool_.ite(formula(depth - 1), number(width, depth - 1),
                       number(width, depth - 1));
    }
    if (arithmetic && depth > 0 && below(random_, 2) == 0) {
      const Kind kinds[] = {Kind::Add,    Kind::Subtract, Kind::Multiply,
                            Kind::BitAnd, Kind::BitXor,   Kind::ShiftLeft};
      return pool_.binary(kinds[below(random_, 6)], number(width, depth - 1),
                          number(width, depth - 1));
    }
    const Term x = variable(width);
    return x.valid() && below(random_, 4) != 0 ? x : constant(width);
  }

  Term constant(unsigned width) { return pool_.bits(random_(), width); }

  unsigned some_width() {
    return numbers_[below(random_, numbers_.size())].width();
  }

 private:
  Term variable(unsigned width) {
    std::vector<Term> fitting;
    for (const Term x : numbers_) {
      if (x.width() == width) fitting.push_back(x);
    }
    if (fitting.empty()) return {};
    return fitting[below(random_, fitting.size())];
  }

  Term atom(unsigned depth) {
    if (!booleans_.empty() && below(random_, 4) == 0) {
      return booleans_[below(random_, booleans_.size())];
    }
    const unsigned width = some_width();
    Term a = number(width, depth);
    Term b = pairs && below(random_, 2) == 0 ? number(width, depth)
                                             : constant(width);
    if (below(random_, 2) == 0) std::swap(a, b);
    const Kind kinds[] = {Kind::Equal, Kind::ULess, Kind::ULessEqual,
                          Kind::SLess, Kind::SLessEqual};
    const Kind kind = kinds[below(random_, 5)];
    return kind == Kind::Equal ? pool_.equal(a, b) : pool_.binary(kind, a, b);
  }

  term::Pool& pool_;
  Random& random_;
  std::vector<Term> numbers_;
  std::vector<Term> booleans_;
};

}  // namespace agon::test
