// SPDX-License-Identifier: Apache-2.0
/// Loops that surely come to an end, because they count.
#pragma once

#include <vector>

#include "analysis/slice_control.h"
#include "analysis/slice_values.h"

namespace agon::analysis {

/// Recognises loops that cannot go round forever:
///
/// - they are entered at their head only;
/// - every round changes a variable once, by the same odd constant, so that it
///   takes all values of its width in turn;
/// - every round passes a branch that leaves the loop for at least one of these
///   values, whatever the other operands are, which the loop does not change.
class TerminatingLoops {
 public:
  TerminatingLoops(const ir::Program& program, ir::FunctionId function,
                   const Calls& calls, const ControlGraph& control,
                   const EdgeAccesses& accesses);

  /// Whether ways that stay in the loop of a head pass it finitely often.
  /// Loops inside, and functions called there, may still run forever.
  bool surely_ends(Node head);

 private:
  bool dominates(Node a, Node b) const;
  void walk_dominators();
  void collect_loop(Node head);
  void collect_writes();
  bool is_passed_each_round(Node node) const;
  bool is_passed_twice(Node node) const;
  bool counts(ir::VariableId variable) const;
  bool is_fixed(term::Term term) const;
  bool leaves(Node branch) const;
  bool fails_somewhere(term::Term stay) const;
  bool fails_for(term::Term counter, term::Term bound, bool strict,
                 bool is_signed) const;

  const ir::Program& program_;
  ir::FunctionId function_;
  const ir::Cfa& body_;
  const Calls& calls_;
  const ControlGraph& control_;
  const EdgeAccesses& accesses_;
  Digraph predecessors_;
  std::vector<Node> dominator_;
  std::vector<std::uint32_t> enter_;   // Of the tree of dominators, in and out
  std::vector<std::uint32_t> leave_;   // of a depth-first walk; 0: not reached.
  std::vector<bool> has_other_entry_;  // Heads of cycles that can be entered
                                       // elsewhere.

  // The loop that is being looked at.
  Node head_ = kNoNode;
  std::vector<Node> nodes_;
  std::vector<Node> loop_of_;  // The last loop that a node was found in.
  std::vector<Node> latches_;
  // How often variables are written, and by which edge last.
  std::unordered_map<ir::VariableId, std::pair<unsigned, ir::EdgeId>> writes_;
  bool calls_functions_ = false;
};

}  // namespace agon::analysis
