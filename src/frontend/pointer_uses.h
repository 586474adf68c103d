// SPDX-License-Identifier: Apache-2.0
/// Uses of pointers whose outcome may depend on where objects lie.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "ir/program.h"

namespace agon::frontend {

/// Types are what is pointed to.
class PointerUses {
 public:
  /// A pointer may be moved to the end of what it points into, or two that are
  /// not meant to be equal may be.
  void note_moved(ir::TypeId type) { moved_.insert(type); }
  void note_cast(ir::TypeId from, ir::TypeId to) { casts_[from].insert(to); }
  /// Pointers are ordered, or made numbers.
  void note_order(ir::Position position) {
    compared_.push_back({std::nullopt, position});
  }
  void note_equality(ir::TypeId type, ir::Position position) {
    compared_.push_back({type, position});
  }

  /// The first use that may be a matter of places.
  std::optional<ir::Position> first_doubtful() const;

 private:
  struct Comparison {
    std::optional<ir::TypeId> type;  ///< None: whatever the type.
    ir::Position position;
  };

  std::set<ir::TypeId> moved_;
  std::map<ir::TypeId, std::set<ir::TypeId>> casts_;
  std::vector<Comparison> compared_;
};

}  // namespace agon::frontend
