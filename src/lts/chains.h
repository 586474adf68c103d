// SPDX-License-Identifier: Apache-2.0
/// Doubly linked lists of small numbers, with the links in one array.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace agon::lts {

/// "No such thing", for plain indices.
inline constexpr auto kNone = std::numeric_limits<std::uint32_t>::max();

/// Any number of chains over the elements 0, 1, …; each of these is in at most
/// one. Whoever has a chain keeps its first element, kNone if it is empty.
class Chains {
 public:
  /// Makes room for elements below `size`.
  void resize(std::size_t size) { links_.resize(size); }

  void push(std::uint32_t& first, std::uint32_t element) {
    links_[element] = {kNone, first};
    if (first != kNone) links_[first].previous = element;
    first = element;
  }

  void remove(std::uint32_t& first, std::uint32_t element) {
    const auto [previous, next] = links_[element];
    if (next != kNone) links_[next].previous = previous;
    if (previous != kNone) {
      links_[previous].next = next;
    } else {
      first = next;
    }
  }

  std::uint32_t next(std::uint32_t element) const {
    return links_[element].next;
  }

 private:
  struct Links {
    std::uint32_t previous;
    std::uint32_t next;
  };
  std::vector<Links> links_;
};

}  // namespace agon::lts
