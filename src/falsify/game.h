// SPDX-License-Identifier: Apache-2.0
/// The attractor game on an augmented model: from which nodes is the error
/// inevitable if the Falsifier chooses well?
#pragma once

#include <vector>

#include "falsify/loops.h"
#include "falsify/model.h"
#include "support/context.h"

namespace agon::falsify {

/// How the Falsifier wins at a node.
struct Win {
  bool wins = false;
  /// The move to take; kWhatever where every move wins, or the node is bad.
  std::uint32_t move = kWhatever;
  std::uint32_t rank = 0;  ///< Among nodes won alike, nearer ones have less.

  static constexpr std::uint32_t kWhatever = ~std::uint32_t{0};
};

/// The nodes that are hopeless (FALS, judgement H), by number.
///
/// `loops` are those that come to an end; with none, these are exactly the
/// rules of FALS. Moves that are open count as sure. If time runs out, fewer
/// nodes are found.
std::vector<Win> play(const Model& model, const std::vector<EndingLoop>& loops,
                      support::Context& context);

/// The nodes from which the Preventer gets to where execution may end without
/// an error, even if no loop runs forever. None of them is ever won, whatever
/// loops `play` is told about.
std::vector<bool> escapes(const Model& model);

/// The nodes that plays can reach from some that are won, breadth-first.
std::vector<NodeId> reached(const Model& model, const std::vector<Win>& wins,
                            const std::vector<NodeId>& from);

}  // namespace agon::falsify
