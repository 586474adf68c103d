// SPDX-License-Identifier: Apache-2.0
/// Which assignments a use of a variable may see.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "analysis/digraph.h"

namespace agon::analysis {

/// What the nodes of a graph do with numbered variables: first uses, then
/// definitions.
struct Accesses {
  std::uint32_t num_variables = 0;
  std::vector<std::vector<std::uint32_t>> uses;  ///< By node.
  std::vector<std::vector<std::uint32_t>> definitions;
};

/// Values flow from definitions through merges to uses, as in static single
/// assignment form. So the size stays near-linear, although one use may be
/// reached by all definitions.
struct ReachingDefinitions {
  using Value = std::uint32_t;
  /// For uses and definitions in nodes that cannot be reached.
  static constexpr Value kUnreachable = kNoNode;

  /// The value that variable v has at the start is v itself.
  Value num_values = 0;
  std::vector<std::vector<Value>> uses;  ///< Parallel to the accesses.
  std::vector<std::vector<Value>> definitions;
  /// (m, v): the merge m may have the value v.
  std::vector<std::pair<Value, Value>> merges;
};

/// Merges are placed at the iterated dominance frontiers of the definitions
/// (Cytron et al. 1991).
ReachingDefinitions reaching_definitions(const Digraph& graph, Node entry,
                                         const Accesses& accesses);

}  // namespace agon::analysis
