// SPDX-License-Identifier: Apache-2.0
/// How control flows through a program and ends, as slicing sees it.
#pragma once

#include <vector>

#include "analysis/call_graph.h"
#include "analysis/digraph.h"
#include "ir/program.h"

namespace agon::analysis {

/// Ways in which a call of a function can end, apart from blocking.
struct Endings {
  bool returns = false;
  bool stops = false;  ///< At a location without edges, as after abort.
};

/// The calls that matter when a program starts at `entry`, by caller and edge.
class Calls {
 public:
  Calls(const ir::Program& program, ir::FunctionId entry);

  const CallGraph& graph() const { return graph_; }
  const std::vector<ir::FunctionId>& functions() const { return functions_; }
  bool is_called(ir::FunctionId function) const {
    return called_[function.index()];
  }
  /// The functions that an edge may call.
  std::vector<ir::FunctionId> callees(ir::FunctionId caller,
                                      ir::EdgeId edge) const;

 private:
  CallGraph graph_;
  std::vector<ir::FunctionId> functions_;
  std::vector<bool> called_;
};

/// How each function can end, going by its automaton alone. The least fixpoint,
/// by Horn clauses: a recursion without a way out never ends.
std::vector<Endings> find_endings(const ir::Program& program,
                                  const Calls& calls);

/// Whether execution may block at a location: its one edge assumes something.
bool may_block(const ir::Cfa& body, ir::LocationId location);

/// The control flow of one function. Nodes are its locations, by number, and
/// three more. The exit, `stop` and `block` lead to `end`.
class ControlGraph {
 public:
  ControlGraph(const ir::Program& program, ir::FunctionId function,
               const Calls& calls, const std::vector<Endings>& endings);

  const Digraph& graph() const { return graph_; }
  Node exit() const { return exit_; }  ///< kNoNode if there is none.
  Node stop() const { return stop_; }
  Node block() const { return stop_ + 1; }
  Node end() const { return stop_ + 2; }
  bool is_location(Node node) const { return node < stop_; }

  /// One node of each cycle: where loops start.
  const std::vector<Node>& heads() const { return heads_; }

  /// Nodes that cannot be passed over since execution may stay there or beyond
  /// forever: heads of cycles that can be left only by blocking, if at all, and
  /// calls that cannot end otherwise. They lead to `end` in addition. Because
  /// of them, ways from other nodes do not meet `block` before anything else.
  const std::vector<Node>& traps() const { return traps_; }

 private:
  Digraph graph_;
  Node exit_ = kNoNode;
  Node stop_ = 0;
  std::vector<Node> heads_;
  std::vector<Node> traps_;
};

}  // namespace agon::analysis
