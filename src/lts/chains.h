// SPDX-License-Identifier: Apache-2.0
/// Doubly linked lists of the elements of a vector.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace agon::lts {

/// "No such thing", for plain indices.
inline constexpr auto kNone = std::numeric_limits<std::uint32_t>::max();

/// A part of the elements. Each of them is in at most one chain at a time, of
/// which the owner keeps the first element, kNone if the chain is empty.
struct Link {
  std::uint32_t previous = kNone;
  std::uint32_t next = kNone;
};

template <class Item>
void push(std::vector<Item>& items, std::uint32_t& first,
          std::uint32_t element) {
  items[element].link = {kNone, first};
  if (first != kNone) items[first].link.previous = element;
  first = element;
}

template <class Item>
void remove(std::vector<Item>& items, std::uint32_t& first,
            std::uint32_t element) {
  const auto [previous, next] = items[element].link;
  if (next != kNone) items[next].link.previous = previous;
  if (previous != kNone) {
    items[previous].link.next = next;
  } else {
    first = next;
  }
}

}  // namespace agon::lts
