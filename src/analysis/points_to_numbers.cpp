// SPDX-License-Identifier: Apache-2.0
// Memory at addresses that the program writes as numbers, such as the registers
// of a device. It is outside, where pointers from outside may point to it, too.
#include <algorithm>
#include <iterator>

#include "analysis/points_to_analysis.h"

namespace agon::analysis {

using term::Term;

namespace {

/// No objects lie in the first and the last page: numbers there tell errors.
constexpr std::uint64_t kPage = 4096;
/// How long arrays are that lie there, in bytes.
constexpr std::uint64_t kReach = 0x10000;

std::uint64_t last_page_of(unsigned width) {
  return static_cast<std::uint64_t>(term::mask(width)) - kPage + 1;
}

/// Whether it is known what is there: neither void nor characters.
bool has_type(const ir::Program& program, ir::TypeId id) {
  const ir::Type& type = program.types[id];
  const bool is_character = type.is_scalar() && type.size == 1;
  return type.kind == ir::TypeKind::Function ||
         (type.size > 0 && !is_character);
}

}  // namespace

void PointsToAnalysis::note_numbers() {
  const unsigned width = program_.pointer_width();
  const std::uint64_t last_page = last_page_of(width);
  for (const ir::NumberedAddress& each : program_.numbered) {
    const bool is_error = each.value < kPage || each.value >= last_page;
    const ir::TypeKind kind = program_.types[each.to].kind;
    const bool is_data =
        kind != ir::TypeKind::Function && kind != ir::TypeKind::Void;
    if (is_error && !is_data) continue;
    numbers_.push_back(each);
  }
  std::sort(numbers_.begin(), numbers_.end());
  for (const ir::Conversion& each : program_.conversions) {
    if (each.from.valid() || !each.to.valid()) continue;
    if (has_type(program_, each.to)) number_types_.push_back(each.to);
  }
}

/// What is at an address of which no more is known than that it is a number:
/// whatever is written at the next number before it, and whatever else reaches
/// that far. A number that is an integer first, and becomes a pointer later,
/// may be anywhere in anything that integers become pointers to.
NodeId PointsToAnalysis::number_node(Term constant) {
  const unsigned width = program_.pointer_width();
  if (constant.width() > width) return {};
  const auto value = static_cast<std::uint64_t>(constant.value());
  const bool is_error = value < kPage || value >= last_page_of(width);
  const auto after = std::ranges::upper_bound(numbers_, value, {},
                                              &ir::NumberedAddress::value);
  const bool is_behind = constant.width() == width && after != numbers_.begin();
  const std::uint64_t base = is_behind ? std::prev(after)->value : 0;
  const bool is_written = is_behind && base == value;
  std::vector<Location> found;
  for (auto number = numbers_.begin(); is_behind && number != after; ++number) {
    const std::uint64_t size = program_.types[number->to].size;
    const bool is_near =
        !is_error && number->value >= kPage && value - number->value < kReach;
    const bool is_next = number->value == base && (is_written || is_near);
    if (is_next || value - number->value < size) {
      add_numbered(*number, value, found);
    }
  }
  const bool is_integer = !is_written && !is_error && !number_types_.empty();
  if (found.empty()) return is_integer ? integer_node() : NodeId();
  uses_numbers_ = true;
  const NodeId node = add_node();
  for (const Location& location : found) add(node, place(location));
  if (is_integer) include(integer_node(), node);
  return node;
}

NodeId PointsToAnalysis::integer_node() {
  if (integers_.valid()) return integers_;
  uses_numbers_ = true;
  integers_ = add_node();
  for (const ir::TypeId type : number_types_) {
    add(integers_, place({site_outside(type), kAnyOffset}));
  }
  return integers_;
}

SiteId PointsToAnalysis::site_outside(ir::TypeId type) {
  any_pointer(type);
  return any_.at(type_key(type)).site;
}

/// Characters may be a part of whatever lies at other numbers.
void PointsToAnalysis::add_numbered(const ir::NumberedAddress& number,
                                    std::uint64_t value,
                                    std::vector<Location>& to) {
  const SiteId site = site_outside(number.to);
  const auto distance = static_cast<std::int64_t>(value - number.value);
  to.push_back({site, layout(site).normal(distance)});
  if (has_type(program_, number.to)) return;
  for (const ir::NumberedAddress& other : numbers_) {
    if (program_.types[other.to].kind == ir::TypeKind::Function) continue;
    to.push_back({site_outside(other.to), kAnyOffset});
  }
}

}  // namespace agon::analysis
