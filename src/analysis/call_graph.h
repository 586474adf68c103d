// SPDX-License-Identifier: Apache-2.0
/// Who calls whom, and which functions call themselves in the end.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "ir/program.h"

namespace agon::analysis {

/// A call that may happen. One through a pointer has a site for each function
/// that it may reach.
struct CallSite {
  ir::FunctionId caller;
  ir::EdgeId edge;
  ir::FunctionId callee;
  ir::Position position;
  bool through_pointer = false;

  friend bool operator==(const CallSite&, const CallSite&) = default;
};

/// The call graph of a program, where a call through a pointer may be one of
/// any function whose address is used, in O(functions + edges + sites).
class CallGraph {
 public:
  /// All calls, or only those that `include` accepts.
  explicit CallGraph(
      const ir::Program& program,
      const std::function<bool(const CallSite&)>& include = nullptr);

  std::size_t num_functions() const { return first_.size() - 1; }

  /// The calls in a function, in the order of its edges; those of one edge in
  /// the order of callees.
  std::span<const CallSite> calls(ir::FunctionId caller) const {
    return {sites_.data() + first_[caller.index()],
            sites_.data() + first_[caller.index() + 1]};
  }

  /// Strongly connected components are numbered callees first: a call leads to
  /// the same or a lower number.
  std::uint32_t component(ir::FunctionId function) const {
    return component_[function.index()];
  }
  std::size_t num_components() const { return members_.size(); }
  std::span<const ir::FunctionId> members(std::uint32_t component) const {
    return members_[component];
  }

  /// Whether a function may be called again before it has returned.
  bool is_recursive(ir::FunctionId function) const {
    return recursive_[component(function)];
  }

  /// The functions that `entry` calls directly or indirectly, and `entry`, in
  /// order of id.
  std::vector<ir::FunctionId> reachable(ir::FunctionId entry) const;

 private:
  void find_components();

  std::vector<CallSite> sites_;  // By caller.
  std::vector<std::size_t> first_;
  std::vector<std::uint32_t> component_;
  std::vector<std::vector<ir::FunctionId>> members_;
  std::vector<bool> recursive_;  // By component.
};

/// A way from a function back to itself: each call is in the callee of the one
/// before, and the last one calls the caller of the first.
struct RecursiveCycle {
  std::vector<CallSite> calls;
};

/// For each recursive component that `entry` reaches a shortest cycle through
/// the member that a breadth-first search from `entry` finds first.
std::vector<RecursiveCycle> recursive_cycles(const CallGraph& graph,
                                             ir::FunctionId entry);

/// `f (a.c:3) calls g (a.c:9) calls f`: the places are those of the calls.
std::string to_string(const ir::Program& program, const RecursiveCycle& cycle);

}  // namespace agon::analysis
