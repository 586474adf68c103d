// SPDX-License-Identifier: Apache-2.0
#include "lts/partition.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace agon::lts {

Partition partition_by_name(std::vector<std::uint32_t> names) {
  constexpr auto kUnseen = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t largest = 0;
  for (const std::uint32_t name : names) largest = std::max(largest, name);
  std::vector<std::uint32_t> number(std::size_t{largest} + 1, kUnseen);
  Partition result{std::move(names), 0};
  for (std::uint32_t& name : result.class_of) {
    if (number[name] == kUnseen) number[name] = result.num_classes++;
    name = number[name];
  }
  return result;
}

}  // namespace agon::lts
