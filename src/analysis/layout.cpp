// SPDX-License-Identifier: Apache-2.0
#include "analysis/layout.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "support/error.h"
#include "support/sort_unique.h"

// A sum such as `p + 4 * i + 20` does not tell which part of its constant leads
// to an array and which part is in the index: `s->a[i + 1]` and `s->b[i]` may
// be the same term. So a variable step goes to the array where the constant
// leads to *and* to all others in the object whose elements have a fitting
// size. Only where an index is extended before it is multiplied, so that its
// constants cannot get out, and the constant leads to a first element, it is
// that array alone. Where the constant leads to no array, to the first
// characters of a record (which may be a walk over all of its bytes), or out of
// the object, the result is any offset.

namespace agon::analysis {
namespace {

/// The most fields that one element of an array may be taken apart into.
constexpr std::uint64_t kMaxResidues = 64;

std::int64_t modulo(std::int64_t value, std::uint64_t by) {
  if (by > static_cast<std::uint64_t>(INT64_MAX)) return value;
  const auto divisor = static_cast<std::int64_t>(by);
  const std::int64_t rest = value % divisor;
  return rest < 0 ? rest + divisor : rest;
}

std::uint64_t magnitude(std::int64_t value) {
  return value < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(value)
                   : static_cast<std::uint64_t>(value);
}

bool is_inside(std::int64_t value, std::int64_t start, std::uint64_t size) {
  return value >= start && static_cast<std::uint64_t>(value - start) < size;
}

}  // namespace

TouchKey key_of(const TouchedCell& cell) {
  if (cell.is_anywhere) return {true, 0, 0, 0, 0, 0};
  return {false, cell.low, cell.high, cell.size, cell.period, cell.pattern};
}

bool may_meet(const TouchedCell& a, const TouchedCell& b) {
  if (a.is_anywhere || b.is_anywhere) return true;
  if (a.pattern == b.pattern && a.low >= 0 && b.low >= 0) {
    return a.low < b.low + static_cast<std::int64_t>(b.size) &&
           b.low < a.low + static_cast<std::int64_t>(a.size);
  }
  return a.low < b.high && b.low < a.high;
}

bool is_whole(const TouchedCell& cell, std::uint64_t bytes, std::uint64_t size,
              std::uint64_t stride) {
  if (cell.is_anywhere || cell.low < 0) return false;
  const auto low = static_cast<std::uint64_t>(cell.low);
  if (size == kUnbounded) {
    return std::gcd(std::gcd(stride, cell.period), low) >= bytes;
  }
  if (cell.period == 0) return low + bytes <= size;
  if (cell.period < bytes) return false;
  const std::uint64_t rest = (size - low) % cell.period;
  return low <= size && (rest == 0 || rest >= bytes);
}

std::uint32_t Layout::child_at(const Node& record, std::int64_t offset) const {
  AGON_ASSERT(!record.children.empty());
  const auto after = std::upper_bound(
      record.children.begin(), record.children.end(), offset,
      [&](std::int64_t at, std::uint32_t n) { return at < nodes_[n].offset; });
  return after == record.children.begin() ? *after : *(after - 1);
}

/// The nodes around a normal offset, the root first.
std::vector<std::uint32_t> Layout::way_to(std::int64_t offset) const {
  std::vector<std::uint32_t> way{0};
  while (!nodes_[way.back()].children.empty()) {
    way.push_back(child_at(nodes_[way.back()], offset));
  }
  return way;
}

/// The normal offset of an offset inside a node.
std::int64_t Layout::fold(std::uint32_t node, std::int64_t offset) const {
  for (;;) {
    const Node& n = nodes_[node];
    if (n.children.empty()) return offset;
    if (n.kind == Kind::Array) {
      offset = n.offset + modulo(offset - n.offset, n.element);
    }
    node = child_at(n, offset);
  }
}

std::uint32_t Layout::normal(std::int64_t offset) const {
  if (is_untyped() || !is_inside(offset, 0, nodes_[0].size)) {
    return kAnyOffset;
  }
  return static_cast<std::uint32_t>(fold(0, offset));
}

std::uint32_t Layout::cell_at(std::uint32_t offset) const {
  if (is_untyped()) return 0;
  return nodes_[way_to(offset).back()].cell;
}

/// Whether some element of the array can be left by `distance` from `offset`
/// such that the pointer stays in the array; at the root also just behind it.
bool Layout::shift_in_array(const Node& array, std::int64_t offset,
                            std::int64_t distance) const {
  if (array.element == kUnbounded) return offset + distance >= 0;
  if (array.size == kUnbounded) return true;
  const auto element = static_cast<std::int64_t>(array.element);
  const auto size = static_cast<std::int64_t>(array.size);
  const std::int64_t inner = offset - array.offset;
  const std::int64_t last_start =
      array.is_root && inner == 0 ? size : size - element;
  const std::int64_t lowest = inner + distance;
  const std::int64_t highest = lowest + last_start;
  const std::int64_t first =
      lowest >= 0 ? lowest : modulo(lowest, array.element);
  return first <= highest && (first < size || (array.is_root && first == size));
}

/// Whether somebody may go through a record that has more in it than this node
/// as through an array.
bool Layout::is_in_walked(std::span<const std::uint32_t> way,
                          std::size_t depth) const {
  const Node& inside = nodes_[way[depth]];
  return std::any_of(way.begin(), way.begin() + static_cast<long>(depth),
                     [&](std::uint32_t id) {
                       const Node& node = nodes_[id];
                       return node.kind == Kind::Record &&
                              types_[node.type].is_walked &&
                              node.size != inside.size;
                     });
}

/// Adds where one gets to from other elements than the first of an array that
/// may be left. False if they are too many.
bool Layout::shift_out(const Node& array, std::int64_t offset,
                       std::int64_t distance,
                       std::vector<std::int64_t>& to) const {
  if (array.element == kUnbounded || array.size == kUnbounded ||
      array.size / array.element > kMaxResidues) {
    return false;
  }
  for (std::uint64_t at = array.element; at < array.size; at += array.element) {
    const std::int64_t target =
        offset + distance + static_cast<std::int64_t>(at);
    if (is_inside(target, 0, nodes_[0].size)) to.push_back(fold(0, target));
  }
  return true;
}

/// False if it may be anywhere.
bool Layout::shift(std::int64_t offset, std::int64_t distance,
                   std::vector<std::int64_t>& to) const {
  const std::vector<std::uint32_t> way = way_to(offset);
  for (std::size_t depth = 0; depth < way.size(); ++depth) {
    const std::uint32_t id = way[depth];
    const Node& node = nodes_[id];
    const std::int64_t target = offset + distance;
    if (node.kind == Kind::Array) {
      if (distance != 0 && is_in_walked(way, depth) &&
          !shift_out(node, offset, distance, to)) {
        return false;
      }
      if (!shift_in_array(node, offset, distance)) continue;
      to.push_back(fold(id, target));
    } else if (node.kind == Kind::Record) {
      if (!is_inside(target, node.offset, node.size)) continue;
      to.push_back(fold(id, target));
    } else if (is_inside(target, node.offset, node.size)) {
      to.push_back(target);
    } else if (!node.inner.empty() && magnitude(distance) < node.size) {
      to.push_back(offset);  // From one place in a union's array to another.
    }
  }
  support::sort_unique(to);
  return !to.empty();
}

/// Whether an array that starts a record with more in it is meant, or the
/// record itself, cannot be told for characters.
bool Layout::is_start_of_more(std::span<const std::uint32_t> way,
                              std::size_t depth) const {
  const Node& array = nodes_[way[depth]];
  return std::any_of(way.begin(), way.begin() + static_cast<long>(depth),
                     [&](std::uint32_t id) {
                       const Node& node = nodes_[id];
                       return node.kind == Kind::Record &&
                              node.offset == array.offset &&
                              node.size > array.size;
                     });
}

/// Whether the node at that depth is an array with elements for the stride.
bool Layout::fits(std::span<const std::uint32_t> way, std::size_t depth,
                  std::uint64_t stride) const {
  const Node& node = nodes_[way[depth]];
  const auto divides = [&](std::uint64_t size) {
    return size != kUnbounded && stride % size == 0 &&
           (size > 1 || !is_start_of_more(way, depth)) &&
           !is_in_walked(way, depth);
  };
  if (node.kind == Kind::Array) return divides(node.element);
  return std::any_of(node.inner.begin(), node.inner.end(), divides);
}

bool Layout::fits(std::span<const std::uint32_t> way,
                  std::uint64_t stride) const {
  for (std::size_t depth = way.size(); depth-- > 0;) {
    if (fits(way, depth, stride)) return true;
  }
  return false;
}

bool Layout::fits(std::int64_t offset,
                  std::span<const std::uint64_t> strides) const {
  const std::vector<std::uint32_t> way = way_to(offset);
  return std::all_of(strides.begin(), strides.end(),
                     [&](std::uint64_t s) { return fits(way, s); });
}

/// Where a move may have come from in the coordinates of the first elements,
/// before any variable step.
std::vector<std::int64_t> Layout::origins(std::int64_t offset,
                                          std::int64_t distance) const {
  std::vector<std::int64_t> result{offset + distance};
  for (const std::uint32_t id : way_to(offset)) {
    const Node& node = nodes_[id];
    if (node.kind != Kind::Array || node.element == kUnbounded) continue;
    const auto element = static_cast<std::int64_t>(node.element);
    const std::int64_t folded =
        node.offset + modulo(offset + distance - node.offset, node.element);
    result.insert(result.end(), {folded, folded - element, folded + element});
  }
  support::sort_unique(result);
  return result;
}

/// Adds the fitting offsets in other arrays. False if they are too many.
bool Layout::add_elsewhere(std::int64_t offset, std::int64_t distance,
                           std::span<const std::uint64_t> strides,
                           std::vector<std::int64_t>& to) const {
  std::uint64_t step = 0;
  for (const std::uint64_t stride : strides) step = std::gcd(step, stride);
  const std::vector<std::int64_t> from = origins(offset, distance);
  for (std::uint32_t id = 0; id < nodes_.size(); ++id) {
    const Node& node = nodes_[id];
    if (!node.inner.empty()) {
      if (fits(node.offset, strides)) to.push_back(node.offset);
      continue;
    }
    if (node.kind != Kind::Array || node.element == kUnbounded) continue;
    if (std::none_of(strides.begin(), strides.end(),
                     [&](std::uint64_t s) { return s % node.element == 0; })) {
      continue;
    }
    const std::uint64_t residue = std::gcd(step, node.element);
    if (node.element / residue > kMaxResidues) return false;
    for (const std::int64_t start : from) {
      for (std::uint64_t k = 0; k < node.element / residue; ++k) {
        const std::int64_t inner =
            modulo(start - node.offset + static_cast<std::int64_t>(k * residue),
                   node.element);
        const std::int64_t target = fold(id, node.offset + inner);
        if (fits(target, strides)) to.push_back(target);
      }
    }
  }
  return true;
}

std::vector<std::uint32_t> Layout::move(std::uint32_t offset,
                                        const Move& move) const {
  constexpr std::int64_t kFar = std::int64_t{1} << 40;
  const std::int64_t distance = move.distance;
  if (offset == kAnyOffset || is_untyped() || magnitude(distance) > kFar) {
    return {kAnyOffset};
  }
  if (move.repeated != 0 && !fits(offset, std::array{move.repeated})) {
    return {kAnyOffset};
  }
  std::vector<std::int64_t> targets;
  if (!shift(offset, distance, targets)) return {kAnyOffset};
  if (!move.strides.empty()) {
    for (const std::int64_t target : targets) {
      if (!fits(target, move.strides)) return {kAnyOffset};
    }
    const bool is_plain = move.is_apart && targets.size() == 1 &&
                          targets.front() == offset + distance;
    if (!is_plain && !add_elsewhere(offset, distance, move.strides, targets)) {
      return {kAnyOffset};
    }
  }
  std::vector<std::uint32_t> result;
  for (const std::int64_t target : targets) {
    result.push_back(static_cast<std::uint32_t>(target));
  }
  support::sort_unique(result);
  return result;
}

std::string Layout::path(std::uint32_t cell) const {
  if (is_untyped()) return {};
  std::string result;
  for (std::uint32_t id = node_of_cell_[cell]; id != 0;
       id = nodes_[id].parent) {
    const Node& node = nodes_[id];
    std::string step = node.field.empty() ? "" : "." + node.field;
    if (node.kind == Kind::Array) step += "[]";
    result = step + result;
  }
  return result;
}

std::pair<ir::TypeId, std::string> Layout::record_path(
    std::uint32_t cell) const {
  if (is_untyped()) return {};
  std::string result;
  for (std::uint32_t id = node_of_cell_[cell]; id != 0;
       id = nodes_[id].parent) {
    const Node& node = nodes_[id];
    if (node.kind == Kind::Record && !types_[node.type].name.empty()) {
      return {node.type, result};
    }
    std::string step = node.field.empty() ? "" : "." + node.field;
    if (node.kind == Kind::Array) step += "[]";
    result = step + result;
  }
  return {ir::TypeId(), result};
}

}  // namespace agon::analysis
