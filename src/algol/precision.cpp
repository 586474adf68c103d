// SPDX-License-Identifier: Apache-2.0
#include "algol/precision.h"

#include <algorithm>

namespace agon::algol {

Partition::Partition(Interval range, Start start)
    : range_(range), is_exact_(start == Start::Exact || range.is_single()) {
  if (!is_exact_) starts_.push_back(range.low);
}

bool Partition::cut(std::int64_t value) {
  if (is_exact_ || !range_.contains(value)) return false;
  const auto it = std::lower_bound(starts_.begin(), starts_.end(), value);
  if (it != starts_.end() && *it == value) return false;
  starts_.insert(it, value);
  return true;
}

std::uint64_t Partition::search(std::int64_t value) const {
  const auto it = std::upper_bound(starts_.begin(), starts_.end(), value);
  return static_cast<std::uint64_t>(it - starts_.begin()) - 1;
}

Precision make_precision(const Tree& tree, Partition::Start start) {
  Precision precision;
  precision.reserve(tree.sites.size());
  for (const Site& site : tree.sites) {
    precision.emplace_back(site.data.range,
                           site.data.is_bool ? Partition::Start::Exact : start);
  }
  return precision;
}

}  // namespace agon::algol
