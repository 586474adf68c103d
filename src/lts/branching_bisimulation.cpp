// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "lts/bisimulation.h"

namespace agon::lts {

// Preliminary: signature refinement (Blom and Orzan), to be replaced.
Partition branching_bisimulation(const Lts& lts) {
  using Signature = std::set<std::pair<Label, std::uint32_t>>;
  const auto n = static_cast<std::uint32_t>(lts.num_states());
  std::vector<std::uint32_t> class_of(n);
  for (std::uint32_t s = 0; s < n; ++s) {
    class_of[s] = static_cast<std::uint32_t>(lts.kind(State(s)));
  }
  std::size_t classes = 0;
  while (true) {
    std::vector<Signature> signature(n);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t s = n; s-- > 0;) {
        const std::size_t before = signature[s].size();
        for (const auto& [label, to] : lts.out(State(s))) {
          const std::uint32_t c = class_of[to.index()];
          if (label == kTau && c == class_of[s]) {
            const Signature inherited = signature[to.index()];
            signature[s].insert(inherited.begin(), inherited.end());
          } else {
            signature[s].insert({label, c});
          }
        }
        changed = changed || signature[s].size() != before;
      }
    }
    std::map<std::pair<std::uint32_t, Signature>, std::uint32_t> number;
    std::vector<std::uint32_t> next(n);
    for (std::uint32_t s = 0; s < n; ++s) {
      next[s] = number
                    .try_emplace({class_of[s], signature[s]},
                                 static_cast<std::uint32_t>(number.size()))
                    .first->second;
    }
    class_of = std::move(next);
    if (number.size() == classes) break;
    classes = number.size();
  }
  return partition_by_name(std::move(class_of));
}

}  // namespace agon::lts
