// SPDX-License-Identifier: Apache-2.0
// Which cells a range of bytes overlaps.
#include <algorithm>
#include <limits>
#include <numeric>

#include "analysis/layout.h"
#include "support/hash.h"

namespace agon::analysis {

/// Bytes `from` … `to` in the coordinates of some first elements.
struct Layout::Range {
  std::int64_t start = 0;  // Where the whole range starts.
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::int64_t high = 0;  // End of what repeats, relative to start.
  std::uint64_t period = 0;
  std::uint64_t pattern = 0;
  bool is_nested = false;  // Repetitions repeat.
};

void Layout::collect_array(const Node& array, const Range& range,
                           std::vector<TouchedCell>& to) const {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  if (array.element == kUnbounded) {
    return collect(array.children.front(), range, to);
  }
  const auto element = static_cast<std::int64_t>(array.element);
  const std::int64_t end =
      array.size == kUnbounded
          ? most
          : array.offset + static_cast<std::int64_t>(array.size);
  const std::int64_t from = std::max(range.from, array.offset);
  const std::int64_t last = std::min(range.to, end) - 1;
  if (last < from) return;
  const std::int64_t first_element = (from - array.offset) / element;
  Range inner = range;
  if (first_element == (last - array.offset) / element) {
    const std::int64_t skipped = first_element * element;
    inner.start -= skipped;
    inner.from = from - skipped;
    inner.to = last + 1 - skipped;
  } else {
    inner.start -= first_element * element;
    inner.from = array.offset;
    inner.to = array.offset + element;
    if (inner.period == 0) inner.high = last + 1 - range.start;
    inner.is_nested = inner.period != 0;
    inner.period = std::gcd(inner.period, array.element);
    // Alike are only arrays that begin and end at the same places.
    for (const std::int64_t part :
         {element, from - range.start, last - range.start}) {
      inner.pattern =
          support::mix(inner.pattern + static_cast<std::uint64_t>(part) + 1);
    }
  }
  for (const std::uint32_t child : array.children) collect(child, inner, to);
}

void Layout::collect(std::uint32_t id, const Range& range,
                     std::vector<TouchedCell>& to) const {
  const Node& node = nodes_[id];
  if (node.kind == Kind::Array) return collect_array(node, range, to);
  const bool is_open = node.size == kUnbounded;
  const auto size = static_cast<std::int64_t>(node.size);
  if (range.to <= node.offset) return;
  if (!is_open && range.from >= node.offset + size) return;
  if (node.kind == Kind::Record) {
    for (const std::uint32_t child : node.children) collect(child, range, to);
    return;
  }
  TouchedCell touched;
  touched.cell = node.cell;
  touched.low = node.offset - range.start;
  touched.size = node.size;
  touched.period = range.period;
  touched.pattern = range.pattern;
  if (range.period != 0) {
    // The first repetition may end before the range begins.
    touched.is_anywhere = touched.low + size <= 0 && range.is_nested;
    while (touched.low + size <= 0) {
      touched.low += static_cast<std::int64_t>(range.period);
    }
  }
  touched.high = range.period == 0 ? touched.low + size
                                   : std::max(range.high, touched.low + size);
  to.push_back(touched);
}

/// Where the innermost array around an offset ends whose elements fit.
std::int64_t Layout::end_of_array(std::uint32_t offset,
                                  std::uint64_t stride) const {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const std::vector<std::uint32_t> way = way_to(offset);
  for (std::size_t depth = way.size(); depth-- > 0;) {
    const Node& node = nodes_[way[depth]];
    if (!fits(way, depth, stride)) continue;
    return node.size == kUnbounded
               ? most
               : node.offset + static_cast<std::int64_t>(node.size);
  }
  return most;
}

std::vector<TouchedCell> Layout::touch(std::uint32_t offset, std::uint64_t size,
                                       std::uint64_t stride) const {
  std::vector<TouchedCell> result;
  if (offset == kAnyOffset || is_untyped()) {
    for (std::uint32_t i = 0; i < cells_.size(); ++i) {
      TouchedCell touched;
      touched.cell = i;
      touched.size = cells_[i].size;
      touched.is_anywhere = true;
      result.push_back(touched);
    }
    return result;
  }
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  Range range;
  range.start = offset;
  range.from = offset;
  range.to = size >= static_cast<std::uint64_t>(most - offset)
                 ? most
                 : static_cast<std::int64_t>(offset + size);
  if (size == kUnbounded && stride != 0) {
    range.to = end_of_array(offset, stride);
  }
  collect(0, range, result);
  return result;
}

}  // namespace agon::analysis
