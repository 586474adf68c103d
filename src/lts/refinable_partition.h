// SPDX-License-Identifier: Apache-2.0
/// A partition of 0..n-1 whose sets are split by marking some of their members.
///
/// All members lie in one array, those of a set side by side with the marked
/// ones in front. A split is a cut of the interval, so that sets which came
/// from one set stay neighbours: a union of sets can be kept as an interval.
/// (Valmari and Lehtinen, STACS 2008.)
#pragma once

#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

namespace agon::lts {

class RefinablePartition {
 public:
  /// One set with all of 0..size-1, or no set if there are none.
  explicit RefinablePartition(std::uint32_t size)
      : RefinablePartition(size, Raw{}) {
    std::iota(members_.begin(), members_.end(), 0U);
    for (std::uint32_t i = 0; i < size; ++i) where_[i] = {i, 0};
    if (size > 0) sets_.push_back({0, size, 0});
  }

  /// No sets yet; the members, below `capacity`, will come by `append`.
  static RefinablePartition empty(std::uint32_t capacity) {
    RefinablePartition result(capacity, Raw{});
    result.members_.clear();
    return result;
  }

  std::uint32_t num_sets() const {
    return static_cast<std::uint32_t>(sets_.size());
  }
  std::uint32_t set_of(std::uint32_t member) const {
    return where_[member].set;
  }
  /// Whether a member was appended, if it had to be.
  bool contains(std::uint32_t member) const {
    return where_[member].place != kNowhere;
  }
  std::uint32_t begin(std::uint32_t set) const { return sets_[set].begin; }
  std::uint32_t end(std::uint32_t set) const { return sets_[set].end; }
  std::uint32_t size(std::uint32_t set) const { return end(set) - begin(set); }
  std::uint32_t member_at(std::uint32_t place) const { return members_[place]; }
  std::uint32_t num_places() const {
    return static_cast<std::uint32_t>(members_.size());
  }
  std::span<const std::uint32_t> members(std::uint32_t set) const {
    return {members_.data() + begin(set), members_.data() + end(set)};
  }

  /// Adds a member behind all others, to the last set or to a new one.
  void append(std::uint32_t member, bool new_set) {
    const std::uint32_t place = num_places();
    if (new_set) sets_.push_back({place, place, 0});
    members_.push_back(member);
    where_[member] = {place, num_sets() - 1};
    ++sets_.back().end;
  }

  /// Marks a member. Marking twice is harmless. Returns whether it is the
  /// first mark of its set.
  bool mark(std::uint32_t member) {
    const std::uint32_t place = where_[member].place;
    Set& set = sets_[where_[member].set];
    const std::uint32_t border = set.begin + set.marked;
    if (place < border) return false;
    const std::uint32_t other = members_[border];
    members_[place] = other;
    where_[other].place = place;
    members_[border] = member;
    where_[member].place = border;
    return set.marked++ == 0;
  }

  /// Cuts a set in two if it has both marked and unmarked members, and removes
  /// the marks. The smaller part becomes a new set, which is returned; if there
  /// was nothing to cut, `set` itself is.
  std::uint32_t split(std::uint32_t set) {
    const Set old = sets_[set];
    sets_[set].marked = 0;
    if (old.marked == 0 || old.begin + old.marked == old.end) return set;
    const std::uint32_t middle = old.begin + old.marked;
    Set part{old.begin, middle, 0};
    if (old.marked <= old.end - middle) {
      sets_[set].begin = middle;
    } else {
      part = {middle, old.end, 0};
      sets_[set].end = middle;
    }
    const std::uint32_t name = num_sets();
    for (std::uint32_t i = part.begin; i < part.end; ++i) {
      where_[members_[i]].set = name;
    }
    sets_.push_back(part);
    return name;
  }

  /// The set of each member.
  std::vector<std::uint32_t> sets() const {
    std::vector<std::uint32_t> result;
    result.reserve(where_.size());
    for (const Where& where : where_) result.push_back(where.set);
    return result;
  }

 private:
  struct Set {
    std::uint32_t begin;
    std::uint32_t end;
    std::uint32_t marked;
  };
  struct Where {
    std::uint32_t place;
    std::uint32_t set;
  };
  struct Raw {};
  static constexpr auto kNowhere = std::numeric_limits<std::uint32_t>::max();

  RefinablePartition(std::uint32_t capacity, Raw)
      : members_(capacity), where_(capacity, {kNowhere, 0}) {}

  std::vector<std::uint32_t> members_;
  std::vector<Where> where_;  // members_[where_[x].place] == x.
  std::vector<Set> sets_;
};

}  // namespace agon::lts
