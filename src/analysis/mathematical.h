// SPDX-License-Identifier: Apache-2.0
/// A program over mathematical integers instead of bit-vectors.
#pragma once

#include <optional>
#include <vector>

#include "analysis/integer_terms.h"
#include "ir/program.h"

namespace agon::analysis {

/// The two programs. Variables, objects and functions have the same ids in
/// both; integers for what has no counterpart come behind them. Memory maps
/// integers to integers, and initial contents of objects are those of arrays.
///
/// What bit-vectors can hold is assumed of inputs: of parameters and globals at
/// the start, of what a Havoc chooses, and of what is read from memory.
class Mathematical {
 public:
  /// `entry` has no calls but of actions; other bodies are dropped.
  Mathematical(ir::Program machine, ir::FunctionId entry);
  Mathematical(const Mathematical&) = delete;
  Mathematical& operator=(const Mathematical&) = delete;

  const ir::Program& machine() const { return machine_; }
  const ir::Program& program() const { return program_; }
  ir::FunctionId entry() const { return entry_; }

  /// Says what a variable holds at the start, as a term of the machine's
  /// program. Where that has no counterpart, it may hold anything.
  void set_initial(ir::VariableId variable, term::Term value);

  /// A condition of the machine's program; none if it has no counterpart.
  std::optional<term::Term> translate(term::Term condition);

  /// The edge of the machine's program for one over integers; invalid for
  /// those that only choose or restrict integers.
  ir::EdgeId machine_edge(ir::EdgeId edge) const {
    return machine_edges_[edge.index()];
  }
  /// The edges of the machine's program between two others, which integers
  /// pass without a condition. None if there is no such way.
  std::optional<std::vector<ir::EdgeId>> silent_way(ir::LocationId from,
                                                    ir::LocationId to) const;

 private:
  void add_declarations();
  void translate_body();
  void translate_location(ir::LocationId location, ir::Cfa& body);
  ir::Statement translate(const ir::Statement& statement,
                          const IntegerTerms::Any& any);
  void add_edge(ir::Cfa& body, ir::Edge edge, ir::EdgeId origin);
  /// Adds a statement behind `from`; where it leads to.
  ir::LocationId insert(ir::Cfa& body, ir::LocationId from,
                        ir::Statement statement);
  ir::VariableId add_any(term::Term term, ir::Position position);
  term::Term inputs_in_range();
  term::Term in_range(ir::VariableId variable);

  ir::Program machine_;
  ir::FunctionId entry_;
  ir::Program program_;
  IntegerTerms terms_;
  std::vector<ir::EdgeId> origins_;  // By number in which edges were added.
  std::vector<ir::EdgeId> machine_edges_;
  std::vector<bool> is_silent_;  // By edge of the machine's program.
};

}  // namespace agon::analysis
