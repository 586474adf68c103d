// SPDX-License-Identifier: Apache-2.0
#include "abstraction/candidates.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

#include "support/sort_unique.h"

namespace agon::abstraction {

using term::Bits;
using term::Kind;
using term::SignedBits;
using term::Term;

namespace {

using Number = SignedBits;
/// A linear equation: coefficients, and last the constant; the sum is 0.
using Equation = std::vector<Number>;

constexpr Number kMostCoefficient = 1 << 10;
constexpr std::size_t kMostPlacesInSums = 6;
constexpr std::ptrdiff_t kMostMarks = 4;

Number magnitude(Number n) { return n < 0 ? -n : n; }

/// Divides by the common factor; the first coefficient becomes positive.
void normalise(Equation& row) {
  Number factor = 0;
  for (const Number n : row) {
    Number a = magnitude(n);
    while (a != 0) factor = std::exchange(a, factor % a);
  }
  if (factor == 0) return;
  const auto first = std::ranges::find_if(row, [](Number n) { return n != 0; });
  if (*first < 0) factor = -factor;
  for (Number& n : row) n /= factor;
}

bool is_small(const Equation& row) {
  return std::ranges::all_of(
      row, [](Number n) { return magnitude(n) < Number{1} << 60; });
}

/// Rows that span the same as `rows`, in echelon form from the left. Nothing if
/// the numbers get too large.
std::optional<std::vector<Equation>> echelon(std::vector<Equation> rows) {
  std::size_t done = 0;
  const std::size_t width = rows.empty() ? 0 : rows.front().size();
  for (std::size_t column = 0; column < width && done < rows.size(); ++column) {
    const auto pivot = std::find_if(
        rows.begin() + static_cast<std::ptrdiff_t>(done), rows.end(),
        [&](const Equation& row) { return row[column] != 0; });
    if (pivot == rows.end()) continue;
    std::swap(rows[done], *pivot);
    const Equation& head = rows[done];
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i == done || rows[i][column] == 0) continue;
      const Number a = rows[i][column];
      const Number b = head[column];
      for (std::size_t j = 0; j < width; ++j) {
        rows[i][j] = rows[i][j] * b - head[j] * a;
      }
      normalise(rows[i]);
      if (!is_small(rows[i])) return std::nullopt;
    }
    ++done;
  }
  rows.resize(done);
  return rows;
}

/// The equations that all points (with a last coordinate 1) satisfy: a basis of
/// the space that is orthogonal to them.
std::vector<Equation> equations_of(std::vector<Equation> points) {
  if (points.empty()) return {};
  const std::size_t width = points.front().size();
  for (Equation& point : points) {
    if (!is_small(point)) return {};
    normalise(point);
  }
  const auto rows = echelon(std::move(points));
  if (!rows) return {};
  std::vector<std::size_t> pivots;
  for (const Equation& row : *rows) {
    pivots.push_back(static_cast<std::size_t>(
        std::ranges::find_if(row, [](Number n) { return n != 0; }) -
        row.begin()));
  }
  std::vector<Equation> result;
  for (std::size_t free = 0; free < width; ++free) {
    if (std::ranges::count(pivots, free) > 0) continue;
    Number factor = 1;
    for (std::size_t i = 0; i < rows->size(); ++i) {
      factor = std::lcm(static_cast<std::int64_t>(factor),
                        static_cast<std::int64_t>((*rows)[i][pivots[i]]));
      if (magnitude(factor) > kMostCoefficient) break;
    }
    if (magnitude(factor) > kMostCoefficient) continue;
    Equation equation(width, 0);
    equation[free] = factor;
    for (std::size_t i = 0; i < rows->size(); ++i) {
      const Equation& row = (*rows)[i];
      equation[pivots[i]] = -row[free] * (factor / row[pivots[i]]);
    }
    normalise(equation);
    result.push_back(std::move(equation));
  }
  return result;
}

class Suggestions {
 public:
  Suggestions(term::Pool& pool, const Places& places,
              const std::vector<bool>& is_signed,
              std::span<const Sample> samples, std::span<const Bits> constants)
      : pool_(pool),
        places_(places),
        is_signed_(is_signed),
        samples_(samples),
        constants_(constants) {}

  std::vector<Term> all() {
    if (samples_.empty()) return {};
    for (std::size_t i = 0; i < places_.size(); ++i) add_bounds(i);
    add_equations();
    for (std::size_t i = 0; i < places_.size(); ++i) {
      for (std::size_t j = i + 1; j < places_.size(); ++j) add_pair(i, j);
    }
    support::sort_unique(result_);
    std::erase_if(result_, [](Term t) { return t.is_constant(); });
    return std::move(result_);
  }

 private:
  Number value(const Sample& sample, std::size_t place) const {
    const unsigned width = places_[place].width();
    return is_signed_[place] ? term::as_signed(sample[place], width)
                             : static_cast<Number>(sample[place]);
  }

  template <class Test>
  bool always(const Test& test) const {
    return std::ranges::all_of(samples_, test);
  }

  Term number(Number n, std::size_t place) {
    return pool_.bits(static_cast<Bits>(n), places_[place].width());
  }

  Term less(Term a, Term b, bool is_signed) {
    return pool_.binary(is_signed ? Kind::SLess : Kind::ULess, a, b);
  }
  Term at_most(Term a, Term b, bool is_signed) {
    return pool_.binary(is_signed ? Kind::SLessEqual : Kind::ULessEqual, a, b);
  }

  /// Between constants of the program near to it; and if it is even, or odd.
  void add_bounds(std::size_t place) {
    const Term p = places_[place];
    const bool is_signed = is_signed_[place];
    Number low = value(samples_.front(), place);
    Number high = low;
    for (const Sample& sample : samples_) {
      low = std::min(low, value(sample, place));
      high = std::max(high, value(sample, place));
    }
    const std::vector<Number> marks = landmarks(place);
    const auto above = std::ranges::lower_bound(marks, high);
    for (auto at = above; at != marks.end() && at - above < kMostMarks; ++at) {
      result_.push_back(at_most(p, number(*at, place), is_signed));
    }
    const auto below = std::ranges::upper_bound(marks, low);
    for (auto at = below; at != marks.begin() && below - at < kMostMarks;) {
      result_.push_back(at_most(number(*--at, place), p, is_signed));
    }
    if (low == high) result_.push_back(pool_.equal(p, number(low, place)));
    const Bits parity = samples_.front()[place] & 1;
    if (always([&](const Sample& s) { return (s[place] & 1) == parity; })) {
      result_.push_back(
          pool_.equal(pool_.bit_and(p, number(1, place)),
                      number(static_cast<Number>(parity), place)));
    }
  }

  /// Constants of the program that fit the place, with their neighbours.
  std::vector<Number> landmarks(std::size_t place) const {
    const unsigned width = places_[place].width();
    std::vector<Number> result{0, 1};
    for (const Bits c : constants_) {
      for (const int offset : {-1, 0, 1}) {
        const Bits near = term::truncate(c + static_cast<Bits>(offset), width);
        result.push_back(is_signed_[place] ? term::as_signed(near, width)
                                           : static_cast<Number>(near));
      }
    }
    support::sort_unique(result);
    return result;
  }

  /// Among places of one width at a time.
  void add_equations() {
    std::set<unsigned> widths;
    for (const Term place : places_) widths.insert(place.width());
    for (const unsigned width : widths) {
      std::vector<std::size_t> members;
      for (std::size_t i = 0; i < places_.size(); ++i) {
        if (places_[i].width() == width) members.push_back(i);
      }
      std::vector<Equation> points;
      for (const Sample& sample : samples_) {
        Equation point;
        for (const std::size_t i : members) point.push_back(value(sample, i));
        point.push_back(1);
        points.push_back(std::move(point));
      }
      for (const Equation& found : equations_of(std::move(points))) {
        add_equation(found, members);
      }
    }
  }

  /// Positive parts on the left, the others on the right.
  void add_equation(const Equation& equation,
                    const std::vector<std::size_t>& members) {
    const std::size_t any = members.front();
    Term sides[2] = {number(0, any), number(0, any)};
    for (std::size_t i = 0; i < equation.size(); ++i) {
      const Number factor = equation[i];
      if (magnitude(factor) > kMostCoefficient && i < members.size()) return;
      if (factor == 0) continue;
      const Term amount = number(magnitude(factor), any);
      const Term part = i < members.size()
                            ? pool_.multiply(amount, places_[members[i]])
                            : amount;
      Term& side = sides[factor < 0 ? 1 : 0];
      side = pool_.add(side, part);
    }
    result_.push_back(pool_.equal(sides[0], sides[1]));
  }

  void add_pair(std::size_t i, std::size_t j) {
    if (places_[i].width() != places_[j].width()) return;
    const bool is_signed = is_signed_[i] || is_signed_[j];
    add_order(i, j, is_signed);
    add_order(j, i, is_signed);
    if (places_.size() > kMostPlacesInSums) return;
    add_distance(i, j, is_signed);
    add_distance(j, i, is_signed);
    for (std::size_t k = 0; k < places_.size(); ++k) {
      if (k == i || k == j || places_[k].width() != places_[i].width()) {
        continue;
      }
      add_sum(i, j, k, is_signed);
    }
  }

  void add_order(std::size_t i, std::size_t j, bool is_signed) {
    const Term a = places_[i];
    const Term b = places_[j];
    if (always([&](const Sample& s) { return value(s, i) < value(s, j); })) {
      result_.push_back(less(a, b, is_signed));
    } else if (always([&](const Sample& s) {
                 return value(s, i) <= value(s, j);
               })) {
      result_.push_back(at_most(a, b, is_signed));
    } else if (always([&](const Sample& s) {
                 return value(s, i) <= value(s, j) + 1;
               })) {
      result_.push_back(at_most(a, pool_.add(b, number(1, j)), is_signed));
    }
  }

  /// How far one place may be above another: by constants of the program.
  void add_distance(std::size_t i, std::size_t j, bool is_signed) {
    Number most = 1;
    for (const Sample& s : samples_) {
      most = std::max(most, value(s, i) - value(s, j));
    }
    const std::vector<Number> marks = landmarks(i);
    const auto above = std::ranges::upper_bound(marks, most);
    for (auto at = above; at != marks.end() && at - above < kMostMarks; ++at) {
      const Term bound = pool_.add(places_[j], number(*at, j));
      result_.push_back(at_most(places_[i], bound, is_signed));
    }
  }

  void add_sum(std::size_t i, std::size_t j, std::size_t k, bool is_signed) {
    const Term sum = pool_.add(places_[i], places_[j]);
    const auto total = [&](const Sample& s) {
      return value(s, i) + value(s, j);
    };
    if (always([&](const Sample& s) { return total(s) < value(s, k); })) {
      result_.push_back(less(sum, places_[k], is_signed));
    } else if (always(
                   [&](const Sample& s) { return total(s) <= value(s, k); })) {
      result_.push_back(at_most(sum, places_[k], is_signed));
    }
    if (always([&](const Sample& s) { return total(s) > value(s, k); })) {
      result_.push_back(less(places_[k], sum, is_signed));
    } else if (always(
                   [&](const Sample& s) { return total(s) >= value(s, k); })) {
      result_.push_back(at_most(places_[k], sum, is_signed));
    }
  }

  term::Pool& pool_;
  const Places& places_;
  const std::vector<bool>& is_signed_;
  std::span<const Sample> samples_;
  std::span<const Bits> constants_;
  std::vector<Term> result_;
};

}  // namespace

std::vector<Term> candidates(term::Pool& pool, const Places& places,
                             const std::vector<bool>& is_signed,
                             std::span<const Sample> samples,
                             std::span<const Bits> constants) {
  return Suggestions(pool, places, is_signed, samples, constants).all();
}

}  // namespace agon::abstraction
