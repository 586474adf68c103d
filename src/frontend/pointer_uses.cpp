// SPDX-License-Identifier: Apache-2.0
#include "frontend/pointer_uses.h"

namespace agon::frontend {

std::optional<ir::Position> PointerUses::first_doubtful() const {
  std::set<ir::TypeId> reached = moved_;
  std::vector<ir::TypeId> open(moved_.begin(), moved_.end());
  while (!open.empty()) {
    const auto found = casts_.find(open.back());
    open.pop_back();
    if (found == casts_.end()) continue;
    for (const ir::TypeId to : found->second) {
      if (reached.insert(to).second) open.push_back(to);
    }
  }
  for (const Comparison& each : compared_) {
    if (!each.type || reached.contains(*each.type)) {
      return each.position;
    }
  }
  return std::nullopt;
}

}  // namespace agon::frontend
