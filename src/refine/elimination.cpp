// SPDX-License-Identifier: Apache-2.0
#include "refine/elimination.h"

#include <algorithm>

#include "support/big_stack.h"

namespace agon::refine {

using abstraction::Answers;
using abstraction::Step;

bool Elimination::eliminates(const Play& play) {
  constexpr std::size_t kShallow = 2000;  // Nodes that the usual stack is for.
  constexpr std::size_t kBytesPerNode = 1024;
  known_.clear();
  bool result = false;
  const auto work = [&] {
    result =
        !can_play(play, 0, steps_.from(start_, precision_, play.nodes[0].exit));
  };
  if (play.nodes.size() < kShallow) {
    work();
  } else {
    support::run_with_stack(play.nodes.size() * kBytesPerNode, work);
  }
  return result;
}

const std::vector<Step>& Elimination::steps_from(const Place& place,
                                                 ir::EdgeId exit) {
  const auto [known, is_new] = known_steps_.try_emplace(std::pair(place, exit));
  if (is_new) {
    known->second = steps_.from(place.first, place.second, precision_, exit);
  }
  return known->second;
}

bool Elimination::can_play(const Play& play, std::uint32_t node,
                           const Place& place) {
  const auto [known, is_new] =
      known_.try_emplace(std::pair(node, place.second), false);
  if (is_new)
    known->second =
        can_play(play, node, steps_from(place, play.nodes[node].exit));
  return known->second;
}

bool Elimination::can_play(const Play& play, std::uint32_t node,
                           const std::vector<Step>& steps) {
  const Play::Node& here = play.nodes[node];
  const ir::LocationId to = steps_.blocks().body().edge(here.exit).to;
  return std::ranges::any_of(steps, [&](const Step& step) {
    return std::ranges::all_of(here.children, [&](std::uint32_t child) {
      return can_play(play, child, Place(to, step.values));
    });
  });
}

}  // namespace agon::refine
