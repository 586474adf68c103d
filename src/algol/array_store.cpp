// SPDX-License-Identifier: Apache-2.0
#include "algol/array_store.h"

#include <algorithm>

#include "support/error.h"

namespace agon::algol {

ArrayStore::ArrayStore() {
  // A node of zeros is the array 0 at every level.
  const std::array<Entry, kBranches> zeros{};
  AGON_ASSERT(nodes_.intern(zeros) == 0);
}

unsigned ArrayStore::levels_for(std::uint64_t size) {
  unsigned levels = 1;
  while (levels * kBits < 64 && size > std::uint64_t{1} << (levels * kBits)) {
    ++levels;
  }
  return levels;
}

std::uint64_t ArrayStore::read(std::uint32_t array, std::uint64_t key,
                               unsigned levels) const {
  std::uint64_t entry = array;
  for (unsigned level = levels; level-- > 0;) {
    entry = nodes_[static_cast<std::uint32_t>(entry)][digit(key, level)].word;
  }
  return entry;
}

std::uint32_t ArrayStore::write(std::uint32_t array, std::uint64_t key,
                                std::uint64_t element, unsigned levels) {
  std::array<std::uint32_t, 64> path{};
  std::uint64_t entry = array;
  for (unsigned level = levels; level-- > 0;) {
    path[level] = static_cast<std::uint32_t>(entry);
    entry = nodes_[path[level]][digit(key, level)].word;
  }
  if (entry == element) return array;
  std::uint64_t below = element;
  for (unsigned level = 0; level < levels; ++level) {
    std::array<Entry, kBranches> node{};
    std::ranges::copy(nodes_[path[level]], node.begin());
    node[digit(key, level)].word = below;
    below = nodes_.intern(node);
  }
  return static_cast<std::uint32_t>(below);
}

}  // namespace agon::algol
