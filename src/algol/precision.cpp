// SPDX-License-Identifier: Apache-2.0
#include "algol/precision.h"

#include <algorithm>

#include "support/sort_unique.h"

namespace agon::algol {

Partition::Partition(Interval range, Start start)
    : range_(range), is_exact_(start == Start::Exact || range.is_single()) {
  if (!is_exact_) starts_.push_back(range.low);
}

bool Partition::cut(std::span<const std::int64_t> values) {
  if (is_exact_) return false;
  const std::size_t before = starts_.size();
  for (const std::int64_t value : values) {
    if (range_.contains(value)) starts_.push_back(value);
  }
  support::sort_unique(starts_);
  return starts_.size() > before;
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
