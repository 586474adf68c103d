// SPDX-License-Identifier: Apache-2.0
/// Variables that remember what code outside was told.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/told_objects.h"
#include "ir/program.h"

namespace agon::analysis {

/// Adds a local that is not in the source.
ir::VariableId add_temporary(ir::Program& program, ir::FunctionId function,
                             const std::string& display, term::Sort sort);

/// One for each fact that is true on some ways only, and on which it depends
/// what a call of a given set changes.
class ToldFlags {
 public:
  /// Adds the variables to `program`, in which the body of the function may
  /// have been changed already; `told` knows the one before. Refers to both.
  ToldFlags(ir::Program& program, const ToldObjects& told,
            ir::FunctionId function, const std::vector<ir::EdgeId>& calls);

  /// Gives the variables their first values.
  std::vector<ir::Statement> at_start() const;
  /// What has to be executed before an edge.
  std::vector<ir::Statement> before(ir::EdgeId edge) const;
  /// That code outside does not know something while a call runs.
  term::Term is_hidden(std::optional<ToldObjects::Candidate> candidate,
                       ir::EdgeId call) const;

 private:
  using Fact = ToldObjects::Fact;

  bool add(Fact fact);
  bool add_needed(ir::EdgeId edge);
  bool changes(ir::EdgeId edge, const ToldObjects::Telling& telling) const;
  term::Term is_set(Fact fact) const;

  ir::Program& program_;
  const ToldObjects& told_;
  ir::FunctionId function_;
  std::vector<ir::VariableId> flags_;  // By fact; invalid: none.
};

}  // namespace agon::analysis
