// SPDX-License-Identifier: Apache-2.0
/// The partition of transitions that drives branching bisimulation.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lts/refinable_partition.h"

namespace agon::lts {

/// Transitions in groups, and groups in bunches. All transitions of a group
/// have one label and one target block; a bunch is a union of groups, under
/// which blocks are known to be stable. Both are intervals of one array, as
/// blocks and constellations are for strong bisimulation.
class Bunches {
 public:
  explicit Bunches(std::uint32_t num_transitions)
      : groups_(RefinablePartition::empty(num_transitions)) {}

  /// Starts an empty bunch; it has to be filled by `append` at once.
  void start_bunch() {
    const std::uint32_t place = groups_.num_places();
    bunches_.push_back({place, place, false});
  }

  /// Adds a transition to the last bunch, in a new group or in its last one.
  void append(std::uint32_t transition, bool new_group) {
    groups_.append(transition, new_group);
    const auto last = static_cast<std::uint32_t>(bunches_.size() - 1);
    if (new_group) bunch_of_.push_back(last);
    ++bunches_.back().end;
    note_if_divided(last);
  }

  /// Marks a transition whose target leaves its block, if it is in a bunch.
  void mark(std::uint32_t transition) {
    if (groups_.contains(transition) && groups_.mark(transition)) {
      touched_.push_back(groups_.set_of(transition));
    }
  }

  /// Separates marked transitions from the rest of their groups.
  void split_marked() {
    for (const std::uint32_t group : touched_) {
      if (groups_.split(group) == group) continue;
      bunch_of_.push_back(bunch_of_[group]);
      note_if_divided(bunch_of_[group]);
    }
    touched_.clear();
  }

  /// Whether all bunches consist of one group each.
  bool all_trivial() const { return divided_.empty(); }

  /// Takes a group of at most half the size from a bunch that has several, and
  /// makes it a bunch. The span is valid until groups change again.
  std::span<const std::uint32_t> carve() {
    const std::uint32_t from = divided_.back();
    divided_.pop_back();
    Bunch& bunch = bunches_[from];
    bunch.queued = false;
    const std::uint32_t first = group_at(bunch.begin);
    const std::uint32_t last = group_at(bunch.end - 1);
    const bool take_first = groups_.size(first) <= groups_.size(last);
    const std::uint32_t group = take_first ? first : last;
    if (take_first) {
      bunch.begin = groups_.end(group);
    } else {
      bunch.end = groups_.begin(group);
    }
    note_if_divided(from);
    bunch_of_[group] = static_cast<std::uint32_t>(bunches_.size());
    bunches_.push_back({groups_.begin(group), groups_.end(group), false});
    return groups_.members(group);
  }

 private:
  struct Bunch {
    std::uint32_t begin;
    std::uint32_t end;
    bool queued;
  };

  std::uint32_t group_at(std::uint32_t place) const {
    return groups_.set_of(groups_.member_at(place));
  }

  void note_if_divided(std::uint32_t bunch) {
    Bunch& b = bunches_[bunch];
    if (b.queued || group_at(b.begin) == group_at(b.end - 1)) return;
    b.queued = true;
    divided_.push_back(bunch);
  }

  RefinablePartition groups_;
  std::vector<std::uint32_t> bunch_of_;  // By group.
  std::vector<Bunch> bunches_;
  std::vector<std::uint32_t> divided_;  // Bunches of several groups.
  std::vector<std::uint32_t> touched_;
};

}  // namespace agon::lts
