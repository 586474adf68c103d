// SPDX-License-Identifier: Apache-2.0
/// Vectors as sets.
#pragma once

#include <algorithm>
#include <vector>

namespace agon::support {

/// Sorts and removes what occurs twice.
template <class T>
void sort_unique(std::vector<T>& items) {
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
}

}  // namespace agon::support
