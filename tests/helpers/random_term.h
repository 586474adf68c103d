// SPDX-License-Identifier: Apache-2.0
/// Random terms over given variables, for tests.
#pragma once

#include <vector>

#include "helpers/random_lts.h"
#include "term/pool.h"

namespace agon::test {

/// Makes terms of every kind. Array indices are kept near `first_index` or the
/// given addresses, so that writes and reads meet.
class RandomTerms {
 public:
  RandomTerms(Random& random, term::Pool& pool)
      : random_(random), pool_(pool) {}

  std::vector<term::Term> variables;  ///< Of any sort.
  std::vector<term::Term> addresses;
  std::uint64_t first_index = 0x100;
  unsigned spread = 16;  ///< Indices differ by less than this.

  term::Term boolean(unsigned depth) {
    const unsigned width = any_width();
    if (depth == 0) return pool_.boolean(chance(2));
    const unsigned d = depth - 1;
    switch (below(random_, 9)) {
      case 0:
        return pool_.negation(boolean(d));
      case 1:
        return pool_.conjunction({boolean(d), boolean(d), boolean(d)});
      case 2:
        return pool_.disjunction({boolean(d), boolean(d)});
      case 3:
        return pool_.equal(boolean(d), boolean(d));
      case 4:
        return pool_.ite(boolean(d), boolean(d), boolean(d));
      case 5:
        return pool_.equal(bits(width, d), bits(width, d));
      default: {
        const auto kind = static_cast<term::Kind>(
            static_cast<std::size_t>(term::Kind::ULess) + below(random_, 4));
        return pool_.binary(kind, bits(width, d), bits(width, d));
      }
    }
  }

  term::Term bits(unsigned width, unsigned depth) {
    if (depth == 0) return leaf(width);
    const unsigned d = depth - 1;
    switch (below(random_, 10)) {
      case 0:
        return leaf(width);
      case 1:
        return pool_.ite(boolean(d), bits(width, d), bits(width, d));
      case 2:
        return pool_.unary(chance(2) ? term::Kind::Negate : term::Kind::BitNot,
                           bits(width, d));
      case 3:
        return change_width(width, d);
      case 4:
        return read(width, d);
      default: {
        static constexpr term::Kind kKinds[] = {term::Kind::Add,
                                                term::Kind::Subtract,
                                                term::Kind::Multiply,
                                                term::Kind::UDivide,
                                                term::Kind::URemainder,
                                                term::Kind::SDivide,
                                                term::Kind::SRemainder,
                                                term::Kind::BitAnd,
                                                term::Kind::BitOr,
                                                term::Kind::BitXor,
                                                term::Kind::ShiftLeft,
                                                term::Kind::ShiftRight,
                                                term::Kind::ShiftRightSigned};
        return pool_.binary(kKinds[below(random_, std::size(kKinds))],
                            bits(width, d), bits(width, d));
      }
    }
  }

  /// An array, mostly made from `base` by writes and copies.
  term::Term array(term::Term base, unsigned depth) {
    const term::Sort sort = base.sort();
    if (depth == 0) return base;
    const unsigned d = depth - 1;
    switch (below(random_, 8)) {
      case 0:
        return pool_.ite(boolean(d), array(base, d), array(base, d));
      case 1:
        return pool_.constant_array(bits(sort.width, d), sort.index_width);
      case 2:
      case 3:
        return pool_.copy(array(base, d), index(sort.index_width, d),
                          pool_.bits(below(random_, spread), sort.index_width),
                          array(any_array(sort), d),
                          index(sort.index_width, d));
      default: {
        const unsigned count = any_count(sort.width);
        return pool_.write(array(base, d), index(sort.index_width, d),
                           bits(count * sort.width, d));
      }
    }
  }

  term::Term index(unsigned width, unsigned depth) {
    term::Term first = pool_.bits(first_index, width);
    if (!addresses.empty() && chance(2)) {
      const term::Term address = addresses[below(random_, addresses.size())];
      if (address.width() == width) first = address;
    }
    if (chance(16)) first = pool_.bits(~term::Bits{0}, width);  // Wraps.
    return pool_.add(first,
                     pool_.binary(term::Kind::URemainder, bits(width, depth),
                                  pool_.bits(spread, width)));
  }

  bool chance(std::size_t one_in) { return below(random_, one_in) == 0; }

  static constexpr unsigned kWidths[] = {8, 16, 32, 64, 1, 5, 128};
  unsigned any_width() {
    const std::size_t usual = below(random_, 8);
    return kWidths[usual < 4 ? usual : below(random_, std::size(kWidths))];
  }

  term::Term leaf(unsigned width) {
    const term::Term variable = any_variable(term::Sort::bits(width));
    if (variable.valid() && !chance(4)) return variable;
    const term::Bits large = term::Bits{random_()} << 64 | random_();
    return pool_.bits(chance(3) ? large : term::Bits{below(random_, 5)} - 2,
                      width);
  }

  term::Term any_variable(term::Sort sort) {
    std::vector<term::Term> fitting;
    for (const term::Term variable : variables) {
      if (variable.sort() == sort) fitting.push_back(variable);
    }
    if (fitting.empty()) return {};
    return fitting[below(random_, fitting.size())];
  }

 private:
  unsigned any_count(unsigned element_width) {
    static constexpr unsigned kCounts[] = {1, 1, 2, 4, 8, 3, 16};
    const unsigned count = kCounts[below(random_, std::size(kCounts))];
    return count * element_width <= 128 ? count : 1;
  }

  term::Term any_array(term::Sort sort) { return any_variable(sort); }

  term::Term change_width(unsigned width, unsigned depth) {
    const unsigned other = any_width();
    if (other > width) {
      const auto low = static_cast<unsigned>(below(random_, other - width + 1));
      return pool_.extract(bits(other, depth), low, width);
    }
    if (other == width) return bits(width, depth);
    switch (below(random_, 3)) {
      case 0:
        return pool_.zero_extend(bits(other, depth), width);
      case 1:
        return pool_.sign_extend(bits(other, depth), width);
      default:
        return pool_.concat(bits(width - other, depth), bits(other, depth));
    }
  }

  term::Term read(unsigned width, unsigned depth) {
    std::vector<term::Term> fitting;
    for (const term::Term variable : variables) {
      if (variable.sort().is_array() && width % variable.sort().width == 0 &&
          width / variable.sort().width <= 16) {
        fitting.push_back(variable);
      }
    }
    if (fitting.empty()) return leaf(width);
    const term::Term base = fitting[below(random_, fitting.size())];
    const term::Sort sort = base.sort();
    return pool_.read(chance(3) ? array(base, depth) : base,
                      index(sort.index_width, depth), width / sort.width);
  }

  Random& random_;
  term::Pool& pool_;
};

}  // namespace agon::test
