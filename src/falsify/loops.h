// SPDX-License-Identifier: Apache-2.0
/// Loops of a body of which every execution comes to an end.
#pragma once

#include <memory>
#include <vector>

#include "falsify/model.h"
#include "ir/program.h"

namespace agon::falsify {

/// A loop that is entered at its head only. No execution that comes to the head
/// in a state of one of the nodes stays in the loop and passes the head
/// infinitely often; or, of a part, passes it there infinitely often without
/// passing it in other states too.
struct EndingLoop {
  ir::LocationId head;
  std::vector<bool> contains;  ///< By location.
  std::vector<NodeId> nodes;   ///< At the head, in order.
  bool is_part = false;
};

/// Finds them. The program must outlive this object.
class LoopFinder {
 public:
  LoopFinder(const ir::Program& program, ir::FunctionId entry);
  ~LoopFinder();

  /// Under which some loops end, over what these do not change.
  std::vector<term::Term> conditions() const;

  /// The loops that end whatever the Falsifier chooses inside of them, with the
  /// nodes for which that is sure.
  std::vector<EndingLoop> ending(const Model& model, smt::Solver& solver,
                                 support::Context& context) const;

  /// Parts of loops that executions leave some time, maybe for another part of
  /// the same loop: what a loop counts does not stay below a bound.
  std::vector<EndingLoop> left(const Model& model, smt::Solver& solver,
                               support::Context& context) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace agon::falsify
