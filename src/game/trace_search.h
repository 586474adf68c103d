// SPDX-License-Identifier: Apache-2.0
/// The search for an offending trace, with antichains.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "game/move_table.h"
#include "game/simulation_game.h"
#include "game/traces.h"
#include "lts/determinise.h"

namespace agon::game {

class TraceSearch {
 public:
  /// `simulation` is a game on the same two systems; the search asks it which
  /// pairs need not be looked at. All three have to outlive this object.
  TraceSearch(lts::Successors& impl, lts::Successors& spec, Semantics semantics,
              SimulationGame& simulation, support::Context& context);

  /// Visits up to `budget` more pairs. Unknown if that was not enough.
  support::Verdict advance(std::size_t budget);

  /// If the verdict was Violated.
  const std::optional<OffendingTrace>& counterexample() const {
    return counterexample_;
  }

  bool met_nondeterminism() const { return spec_.met_nondeterminism(); }
  std::size_t num_pairs() const { return nodes_.size(); }

 private:
  using NodeIndex = std::uint32_t;
  static constexpr NodeIndex kNone = 0xffff'ffff;

  struct Node {
    lts::State impl;
    lts::State spec;  // A set.
    NodeIndex parent;
    lts::Label label;          // Of the step from the parent.
    std::uint32_t depth;       // Visible steps from the start.
    NodeIndex next_same;       // The next node with this `impl`.
    bool is_subsumed = false;  // By a smaller set found later.
  };

  void discover(lts::State impl, lts::State spec, NodeIndex parent,
                lts::Label label, std::uint32_t depth);
  bool enters_antichain(lts::State impl, lts::State spec, std::uint32_t depth);
  bool is_simulated(lts::State impl, lts::State spec);
  bool expand(NodeIndex node);
  void report(NodeIndex node, lts::Transition offending);

  MoveTable impl_;
  lts::Determinised spec_;
  Semantics semantics_;
  SimulationGame& simulation_;
  support::Context& context_;
  std::vector<Node> nodes_;
  std::vector<NodeIndex> first_same_;  // By implementation state.
  std::deque<NodeIndex> queue_;        // In order of depth.
  std::optional<OffendingTrace> counterexample_;
};

}  // namespace agon::game
