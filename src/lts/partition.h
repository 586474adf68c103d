// SPDX-License-Identifier: Apache-2.0
/// Partitions of the states of a system into classes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lts/lts.h"

namespace agon::lts {

/// A class for each state, numbered densely from 0.
struct Partition {
  std::vector<std::uint32_t> class_of;  ///< Indexed by state.
  std::uint32_t num_classes = 0;

  bool same(State a, State b) const {
    return class_of[a.index()] == class_of[b.index()];
  }
};

/// The partition in which states are together if they have the same name. Names
/// are small numbers; classes are numbered in order of their first members, so
/// that the way by which a partition was found leaves no trace in it.
Partition partition_by_name(std::vector<std::uint32_t> names);

}  // namespace agon::lts
