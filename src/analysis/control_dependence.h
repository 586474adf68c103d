// SPDX-License-Identifier: Apache-2.0
/// Dominators, post-dominators and control dependence.
#pragma once

#include <vector>

#include "analysis/digraph.h"

namespace agon::analysis {

/// For each node the last node before it that is on every way to it from
/// `root`; kNoNode for the root and for what it does not reach. Takes
/// O(arcs · log nodes), and no recursion.
std::vector<Node> immediate_dominators(const Digraph& graph, Node root);

/// Where the ways from a node meet again, and which branches decide about it.
struct ControlDependence {
  /// For each node the next one that is on every way from it to the end;
  /// kNoNode for the end and for what does not reach it.
  std::vector<Node> post_dominator;

  /// controllers[n]: the nodes with several successors of which some lead to n
  /// surely and others may avoid it. In increasing order.
  std::vector<std::vector<Node>> controllers;
};

/// Control dependence as Ferrante, Ottenstein and Warren (1987) define it.
///
/// Of a set of nodes that contains `end` and the controllers of its elements,
/// each node that reaches `end` meets the same element first on all its ways:
/// the nearest one in the tree of post-dominators.
ControlDependence control_dependence(const Digraph& graph, Node end);

}  // namespace agon::analysis
