// SPDX-License-Identifier: Apache-2.0
/// Constants in the body of a function that is called with constants: which
/// locations it reaches then, and what its own variables hold there.
#pragma once

#include <optional>
#include <vector>

#include "ir/program.h"
#include "term/substitute.h"

namespace agon::analysis {

/// Conditional constant propagation over the parameters and locals of one
/// function. What others can change, memory and globals, is not followed.
class KnownValues {
 public:
  /// `at_entry` maps terms of parameters to constants.
  KnownValues(const ir::Program& program, ir::FunctionId function,
              term::Substitution at_entry);

  bool is_reached(ir::LocationId location) const {
    return known_[location.index()].has_value();
  }
  /// Whether an edge can be taken.
  bool is_taken(const ir::Edge& edge) const;
  /// A term with what is known at a location put in.
  term::Term at(ir::LocationId location, term::Term term) const;

 private:
  void follow(const ir::Edge& edge);
  void set(term::Substitution& known, ir::VariableId target,
           term::Term value) const;
  void reach(ir::LocationId location, const term::Substitution& known);

  const ir::Program* program_;
  ir::FunctionId function_;
  std::vector<std::optional<term::Substitution>> known_;
  std::vector<ir::LocationId> pending_;
};

}  // namespace agon::analysis
