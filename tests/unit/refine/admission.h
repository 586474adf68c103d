// SPDX-License-Identifier: Apache-2.0
/// Whether an abstraction admits a play, by the definition.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "unit/refine/subject.h"

namespace agon::test {

/// CanPlay (SIM Fig. 11) on the concrete states that abstract ones stand for.
class Admission {
 public:
  Admission(Subject& subject, const abstraction::Precision& precision,
            const refine::Play& play)
      : subject_(subject),
        precision_(precision),
        play_(play),
        player_(subject.blocks, play),
        worlds_(all_assignments(variables_of(subject.program))) {}

  bool admits() const { return goes_on(0, subject_.starts); }

 private:
  using Key = std::vector<bool>;

  Key key_of(ir::LocationId at, const term::Assignment& world) const {
    Key key;
    for (const term::Term p : precision_.at(at)) key.push_back(holds(p, world));
    return key;
  }

  /// Whether the play goes on from some of these states before a node.
  bool goes_on(std::uint32_t node,
               const std::vector<term::Assignment>& from) const {
    const refine::Play::Node& here = play_.nodes[node];
    const ir::LocationId to = subject_.blocks.body().edge(here.exit).to;
    std::set<Key> reached;
    for (const term::Assignment& before : from) {
      for (const term::Assignment& after : player_.ends(node, before)) {
        reached.insert(key_of(to, after));
      }
    }
    return std::ranges::any_of(reached, [&](const Key& key) {
      std::vector<term::Assignment> same;
      for (const term::Assignment& world : worlds_) {
        if (key_of(to, world) == key) same.push_back(world);
      }
      return std::ranges::all_of(here.children, [&](std::uint32_t child) {
        return goes_on(child, same);
      });
    });
  }

  Subject& subject_;
  const abstraction::Precision& precision_;
  const refine::Play& play_;
  Player player_;
  std::vector<term::Assignment> worlds_;
};

}  // namespace agon::test
