// SPDX-License-Identifier: Apache-2.0
/// Loops that surely come to an end, because they count.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "analysis/slice_control.h"
#include "analysis/slice_values.h"

namespace agon::analysis {

/// Recognises loops that cannot go round forever:
///
/// - they are entered at their head only;
/// - every round adds constants of the same sign to a variable, or divides it
///   once or shifts it to the right;
/// - every round passes a branch that leaves the loop for some value that the
///   variable, or a copy of it, takes some time, whatever the other operands
///   are, which the loop does not change; or one that leaves it when a variable
///   that counts up meets one that counts down.
class TerminatingLoops {
 public:
  TerminatingLoops(const ir::Program& program, ir::FunctionId function,
                   const Calls& calls, const ControlGraph& control,
                   const EdgeAccesses& accesses);

  /// A condition on states at a head, over variables that the loop does not
  /// change. Where it holds, ways that stay in the loop pass the head finitely
  /// often. Loops inside, and functions called there, may still run forever.
  term::Term ends_if(Node head);
  bool surely_ends(Node head) { return ends_if(head).is_true(); }

  /// The same for ways that stay in the loop and on which `holds` is true
  /// whenever they pass the head.
  term::Term ends_if(Node head, term::Term holds);

 private:
  bool dominates(Node a, Node b) const;
  void walk_dominators();
  bool enter(Node head);
  void collect_loop(Node head);
  void collect_writes();
  bool is_passed_each_round(Node node) const;
  bool is_passed_each_round(std::span<const ir::EdgeId> edges) const;
  bool is_passed_twice(Node node) const;
  std::span<const ir::EdgeId> writes_of(ir::VariableId variable) const;
  /// The value that each round gives to a variable, if there is one.
  term::Term new_value(ir::VariableId variable) const;
  bool is_fixed(term::Term term) const;
  term::Term leaves_if(Node branch) const;
  term::Term fails_if(term::Term stay) const;
  term::Term order_fails_if(term::Term less, term::Term greater, bool is_strict,
                            bool is_signed) const;
  term::Term equation_fails_if(term::Term a, term::Term b,
                               bool is_negated) const;
  term::Term shrinking_fails_if(term::Term stay) const;
  struct Counter;
  struct Progress;
  term::Bits step_around(term::Term variable) const;
  Progress progress(ir::VariableId variable, unsigned copies = 2) const;
  std::optional<Counter> counter(term::Term term, bool is_signed) const;

  const ir::Program& program_;
  term::Pool& pool_;
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
  std::unordered_map<ir::VariableId, std::vector<ir::EdgeId>> writes_;
  bool calls_functions_ = false;
};

}  // namespace agon::analysis
