// SPDX-License-Identifier: Apache-2.0
/// How precisely data are distinguished: a partition of each data alphabet into
/// intervals (MAGE, section 4.1).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algol/interval.h"
#include "algol/tree.h"

namespace agon::algol {

/// A range that is divided into intervals, its parts, numbered upwards.
class Partition {
 public:
  /// One part for each value, none of which is stored; or one for all.
  enum class Start : std::uint8_t { Exact, Whole };
  Partition(Interval range, Start start);

  bool is_exact() const { return is_exact_; }
  std::uint64_t num_parts() const {
    return is_exact_ ? size() : starts_.size();
  }
  Interval part(std::uint64_t number) const {
    if (is_exact_) {
      return Interval::single(range_.low + static_cast<std::int64_t>(number));
    }
    return {starts_[number], number + 1 == starts_.size()
                                 ? range_.high
                                 : starts_[number + 1] - 1};
  }
  /// The part of a value of the range.
  std::uint64_t part_of(std::int64_t value) const {
    return is_exact_ ? static_cast<std::uint64_t>(value - range_.low)
                     : search(value);
  }

  /// Makes parts start at these values. False if they all do already; values
  /// that are not in the range are ignored.
  bool cut(std::span<const std::int64_t> values);
  bool cut(std::int64_t value) { return cut(std::span(&value, 1)); }

 private:
  std::uint64_t size() const {
    return static_cast<std::uint64_t>(range_.high - range_.low) + 1;
  }
  std::uint64_t search(std::int64_t value) const;

  Interval range_;
  bool is_exact_;
  std::vector<std::int64_t> starts_;  // Where parts start, upwards.
};

/// A partition for each site of a tree. Truth values are always distinguished.
using Precision = std::vector<Partition>;

Precision make_precision(const Tree& tree, Partition::Start start);

}  // namespace agon::algol
