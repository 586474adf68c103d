// SPDX-License-Identifier: Apache-2.0
/// Variables with so few values that every question about them can be answered
/// by trying all assignments.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "helpers/random_lts.h"
#include "smt/solver.h"
#include "term/evaluate.h"
#include "term/pool.h"
#include "term/substitute.h"

namespace agon::test {

using smt::Answer;
using smt::Solver;
using term::Assignment;
using term::Integer;
using term::Kind;
using term::Pool;
using term::Sort;
using term::Term;
using term::Value;

class SmallWorld {
 public:
  explicit SmallWorld(Pool& pool) : pool_(pool), all_(1) {}

  /// A leaf with all its values. Integers have those from -3 to 3 only.
  Term add(Term leaf) {
    leaves_.push_back(leaf);
    std::vector<Assignment> more;
    for (const Value& value : values(leaf.sort())) {
      for (Assignment assignment : all_) {
        assignment[leaf] = value;
        more.push_back(std::move(assignment));
      }
    }
    all_ = std::move(more);
    return leaf;
  }

  const std::vector<Term>& leaves() const { return leaves_; }

  /// Whether formulas can be true together, where the addresses that occur in
  /// `question` differ.
  bool satisfiable(const std::vector<Term>& formulas,
                   const std::vector<Term>& question) {
    const std::set<Term> addresses = addresses_of(question);
    for (std::size_t i = 0; i < all_.size(); ++i) {
      bool all = true;
      for (const Term formula : formulas) all = all && table(formula)[i];
      if (all && differ(addresses, all_[i])) return true;
    }
    return false;
  }

  /// Not 0, and different from each other where they have one width.
  static bool differ(const std::set<Term>& addresses,
                     const Assignment& assignment) {
    std::set<std::pair<unsigned, Integer>> taken;
    for (const Term address : addresses) {
      const Integer& number = assignment.at(address).number;
      if (number == 0 || !taken.emplace(address.width(), number).second) {
        return false;
      }
    }
    return true;
  }

  static std::set<Term> addresses_of(const std::vector<Term>& formulas) {
    std::set<Term> addresses;
    for (const Term formula : formulas) {
      term::visit_subterms(formula, [&](Term t) {
        if (t.kind() == Kind::Address) addresses.insert(t);
      });
    }
    return addresses;
  }

 private:
  static std::vector<Value> values(Sort sort) {
    std::vector<Value> result;
    if (sort.is_array()) {
      const int size = 1 << sort.index_width;
      const int element = (1 << sort.width) - 1;
      for (int code = 0; code < 1 << (size * sort.width); ++code) {
        Value value{sort, code & element, {}};
        for (int i = 0; i < size; ++i) {
          const Integer number = code >> (i * sort.width) & element;
          if (number != value.number) value.elements[i] = number;
        }
        result.push_back(value);
      }
    } else if (sort.is_int()) {
      for (int i = -3; i <= 3; ++i) result.push_back({sort, i, {}});
    } else {
      const int size = sort.is_bool() ? 2 : 1 << sort.width;
      for (int i = 0; i < size; ++i) result.push_back({sort, i, {}});
    }
    return result;
  }

  const std::vector<bool>& table(Term formula) {
    const auto [found, is_new] = tables_.try_emplace(formula);
    if (is_new) {
      for (const Assignment& assignment : all_) {
        found->second.push_back(evaluate(formula, assignment).number == 1);
      }
    }
    return found->second;
  }

  Pool& pool_;
  std::vector<Term> leaves_;
  std::vector<Assignment> all_;
  std::map<Term, std::vector<bool>> tables_;  ///< By assignment.
};

/// Random formulas of all kinds over given leaves.
class SmallTerms {
 public:
  SmallTerms(Pool& pool, Random& random, std::vector<Term> leaves)
      : pool_(pool), random_(random), leaves_(std::move(leaves)) {}

  bool variable_copies = false;    ///< Copies of unknown length.
  bool any_constant_array = true;  ///< Also of elements that are not constant.

  Term boolean(unsigned depth) {
    const Sort bool_sort = Sort::boolean();
    if (depth == 0) return leaf(bool_sort);
    const unsigned d = depth - 1;
    switch (below(random_, 8)) {
      case 0:
        return pool_.negation(boolean(d));
      case 1:
        return pool_.conjunction({boolean(d), boolean(d), boolean(d)});
      case 2:
        return pool_.disjunction({boolean(d), boolean(d)});
      case 3:
        return flip() ? pool_.equal(boolean(d), boolean(d))
                      : pool_.ite(boolean(d), boolean(d), boolean(d));
      case 4:
      case 5: {
        const Sort sort = scalar_sort();
        return pool_.equal(scalar(sort, d), scalar(sort, d));
      }
      default: {
        const Sort sort = scalar_sort();
        const Kind kind =
            pick(sort.is_int() ? std::vector{Kind::SLess, Kind::SLessEqual}
                               : std::vector{Kind::ULess, Kind::ULessEqual,
                                             Kind::SLess, Kind::SLessEqual});
        return pool_.binary(kind, scalar(sort, d), scalar(sort, d));
      }
    }
  }

 private:
  bool flip() { return below(random_, 2) == 0; }
  template <class T>
  T pick(const std::vector<T>& from) {
    return from[below(random_, from.size())];
  }

  std::vector<Term> leaves_of(Sort sort) const {
    std::vector<Term> fitting;
    for (const Term leaf : leaves_) {
      if (leaf.sort() == sort) fitting.push_back(leaf);
    }
    return fitting;
  }

  /// Of some leaf that is not an array or a Boolean.
  Sort scalar_sort() {
    std::vector<Sort> sorts;
    for (const Term leaf : leaves_) {
      if (leaf.sort().is_bits() || leaf.sort().is_int()) {
        sorts.push_back(leaf.sort());
      }
    }
    return pick(sorts);
  }

  Term constant(Sort sort) {
    if (sort.is_bool()) return pool_.boolean(flip());
    if (sort.is_bits()) return pool_.bits(random_(), sort.width);
    return pool_.integer(static_cast<int>(below(random_, 9)) - 4);
  }

  Term leaf(Sort sort) {
    const std::vector<Term> fitting = leaves_of(sort);
    if (fitting.empty() || below(random_, 4) == 0) return constant(sort);
    return pick(fitting);
  }

  Term scalar(Sort sort, unsigned depth) {
    if (depth == 0 || below(random_, 6) == 0) return leaf(sort);
    const unsigned d = depth - 1;
    if (below(random_, 8) == 0) {
      return pool_.ite(boolean(d), scalar(sort, d), scalar(sort, d));
    }
    if (sort.is_int()) return integer(d);
    if (below(random_, 4) == 0) return other_width(sort.width, d);
    if (const Term read = this->read(sort.width, d); read && flip()) {
      return read;
    }
    if (below(random_, 8) == 0) {
      return pool_.unary(flip() ? Kind::Negate : Kind::BitNot, scalar(sort, d));
    }
    const Kind kind = pick(
        std::vector{Kind::Add, Kind::Subtract, Kind::Multiply, Kind::UDivide,
                    Kind::URemainder, Kind::SDivide, Kind::SRemainder,
                    Kind::BitAnd, Kind::BitOr, Kind::BitXor, Kind::ShiftLeft,
                    Kind::ShiftRight, Kind::ShiftRightSigned});
    return pool_.binary(kind, scalar(sort, d), scalar(sort, d));
  }

  /// Linear, as solvers may not know about products.
  Term integer(unsigned d) {
    const Sort sort = Sort::integer();
    switch (below(random_, 6)) {
      case 0:
        return pool_.negate(scalar(sort, d));
      case 1:
        return pool_.multiply(scalar(sort, d), constant(sort));
      case 2:
        return pool_.binary(Kind::SDivide, scalar(sort, d), constant(sort));
      case 3:
        return pool_.binary(Kind::SRemainder, scalar(sort, d), constant(sort));
      case 4:
        return pool_.subtract(scalar(sort, d), scalar(sort, d));
      default:
        return pool_.add(scalar(sort, d), scalar(sort, d));
    }
  }

  Term other_width(unsigned width, unsigned d) {
    const unsigned more = 1 + static_cast<unsigned>(below(random_, 3));
    if (width == 1 || below(random_, 3) == 0) {
      return pool_.extract(scalar(Sort::bits(width + more), d),
                           static_cast<unsigned>(below(random_, more + 1)),
                           width);
    }
    const auto less = 1 + static_cast<unsigned>(below(random_, width - 1));
    const Term narrow = scalar(Sort::bits(less), d);
    if (flip())
      return pool_.concat(scalar(Sort::bits(width - less), d), narrow);
    return flip() ? pool_.zero_extend(narrow, width)
                  : pool_.sign_extend(narrow, width);
  }

  Term read(unsigned width, unsigned d) {
    for (const Term base : leaves_) {
      if (base.sort().is_array() && width % base.width() == 0 &&
          width / base.width() <= 1U << base.sort().index_width) {
        return pool_.read(array(base, d),
                          scalar(base.sort().index(), d > 0 ? d - 1 : 0),
                          width / base.width());
      }
    }
    return {};
  }

  Term array(Term base, unsigned depth) {
    if (depth == 0) return base;
    const unsigned d = depth - 1;
    const Sort sort = base.sort();
    const auto index = [&] { return scalar(sort.index(), d); };
    switch (below(random_, 7)) {
      case 0:
        return pool_.ite(boolean(d), array(base, d), array(base, d));
      case 1: {
        const Term element = any_constant_array ? scalar(sort.element(), d)
                                                : constant(sort.element());
        return pool_.constant_array(element, sort.index_width);
      }
      case 2:
      case 3:
        return pool_.copy(array(base, d), index(),
                          variable_copies ? index() : constant(sort.index()),
                          array(base, d), index());
      default: {
        const auto count = 1 + static_cast<unsigned>(below(random_, 2));
        return pool_.write(array(base, d), index(),
                           scalar(Sort::bits(count * sort.width), d));
      }
    }
  }

  Pool& pool_;
  Random& random_;
  const std::vector<Term> leaves_;
};

}  // namespace agon::test
