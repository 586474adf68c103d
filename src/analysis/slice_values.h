// SPDX-License-Identifier: Apache-2.0
/// The values that variables have at places, as variables of Horn clauses that
/// say "this value matters".
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "analysis/reaching_definitions.h"
#include "analysis/slice.h"
#include "analysis/slice_control.h"
#include "horn/solver.h"
#include "support/hash.h"

namespace agon::analysis {

/// What is read and written by an edge, or at the exit. Memory that a routine
/// without a body may write is among both, since it may as well not write it.
struct EdgeAccess {
  std::vector<ir::VariableId> reads;
  std::vector<ir::VariableId> writes;
};

/// Answers questions about single edges of a program that is to be sliced.
class EdgeAccesses {
 public:
  EdgeAccesses(const ir::Program& program, const Calls& calls,
               const Criterion& criterion);

  EdgeAccess of(ir::FunctionId function, ir::EdgeId edge) const;
  const std::vector<ir::VariableId>& variables_of(term::Term term) const;

  bool is_observed(ir::FunctionId routine) const;
  /// The memory that one of `callees`, having no body, may write.
  std::vector<ir::VariableId> unknown_writes(
      const std::vector<ir::FunctionId>& callees) const;

 private:
  const ir::Program& program_;
  const Calls& calls_;
  const Criterion& criterion_;
  std::vector<ir::VariableId> memory_;  // All arrays that may be written.
  mutable std::unordered_map<term::Term, std::vector<ir::VariableId>> cache_;
};

/// Follows definitions to uses where only one function accesses a variable and
/// where it has no value from an earlier call; other variables have one value
/// for all places.
class SliceValues {
 public:
  /// `controls` has the graphs of the functions with a body, by function.
  SliceValues(const ir::Program& program, ir::FunctionId entry,
              const Calls& calls, const Criterion& criterion,
              const EdgeAccesses& accesses,
              const std::vector<const ControlGraph*>& controls,
              horn::Solver& solver);

  /// The value of a variable before a location's edge.
  horn::Variable used(ir::FunctionId function, Node location,
                      ir::VariableId variable) const;
  /// The value that a location's edge gives to a variable.
  horn::Variable defined(ir::FunctionId function, Node location,
                         ir::VariableId variable) const;
  /// The value of a variable when the function starts.
  horn::Variable at_start(ir::FunctionId function,
                          ir::VariableId variable) const;

 private:
  using Table =
      std::unordered_map<std::uint64_t, horn::Variable, support::MixHash>;
  struct Flow {
    Table uses;
    Table definitions;
    std::unordered_map<ir::VariableId, horn::Variable> starts;
  };

  /// The variables of a function that are followed, numbered for it.
  struct Followed {
    std::vector<ir::VariableId> variables;
    Accesses accesses;
  };

  void count_accesses(ir::FunctionId function, const ControlGraph& control);
  void count(ir::FunctionId function, ir::VariableId variable, bool write);
  bool is_followed(ir::FunctionId function, ir::VariableId variable) const;
  Followed collect(ir::FunctionId function, const ControlGraph& control) const;
  void follow(ir::FunctionId function, const ControlGraph& control);

  const ir::Program& program_;
  ir::FunctionId entry_;
  const Calls& calls_;
  const Criterion& criterion_;
  const EdgeAccesses& accesses_;
  horn::Solver& solver_;
  std::vector<horn::Variable> anywhere_;  // By variable.
  std::vector<ir::FunctionId> accessor_;
  std::vector<bool> has_many_accessors_;
  std::vector<std::uint32_t> num_writes_;
  std::vector<Flow> flows_;  // By function.
  horn::Variable never_;     // Values in places that are not reached.
};

}  // namespace agon::analysis
