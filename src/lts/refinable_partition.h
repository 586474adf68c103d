// SPDX-License-Identifier: Apache-2.0
/// A partition of 0..n-1 whose sets are split by marking some of their members.
///
/// All members lie in one array, those of a set side by side with the marked
/// ones in front. A split is a cut of the interval, so that sets which came
/// from one set stay neighbours: a union of sets can be kept as an interval.
/// (Valmari and Lehtinen, STACS 2008.)
#pragma once

#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace agon::lts {

class RefinablePartition {
 public:
  /// One set with all of 0..size-1, or no set if there are none.
  explicit RefinablePartition(std::uint32_t size)
      : RefinablePartition(size, Raw{}) {
    std::iota(members_.begin(), members_.end(), 0U);
    std::iota(place_.begin(), place_.end(), 0U);
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
  std::uint32_t set_of(std::uint32_t member) const { return set_of_[member]; }
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
    place_[member] = place;
    set_of_[member] = num_sets() - 1;
    ++sets_.back().end;
  }

  /// Marks a member. Marking twice is harmless. Returns whether it is the
  /// first mark of its set.
  bool mark(std::uint32_t member) {
    Set& set = sets_[set_of_[member]];
    const std::uint32_t place = place_[member];
    const std::uint32_t border = set.begin + set.marked;
    if (place < border) return false;
    const std::uint32_t other = members_[border];
    members_[place] = other;
    place_[other] = place;
    members_[border] = member;
    place_[member] = border;
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
      set_of_[members_[i]] = name;
    }
    sets_.push_back(part);
    return name;
  }

  /// The set of each member; the partition is used up.
  std::vector<std::uint32_t> take_sets() && { return std::move(set_of_); }

 private:
  struct Set {
    std::uint32_t begin;
    std::uint32_t end;
    std::uint32_t marked;
  };
  struct Raw {};

  RefinablePartition(std::uint32_t capacity, Raw)
      : members_(capacity), place_(capacity), set_of_(capacity, 0) {}

  std::vector<std::uint32_t> members_;
  std::vector<std::uint32_t> place_;  // members_[place_[x]] == x.
  std::vector<std::uint32_t> set_of_;
  std::vector<Set> sets_;
};

}  // namespace agon::lts
