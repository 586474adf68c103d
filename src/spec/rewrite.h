// SPDX-License-Identifier: Apache-2.0
/// Changing and making bodies of functions.
#pragma once

#include <functional>
#include <vector>

#include "ir/program.h"

namespace agon::spec {

/// Replaces each edge of a body by a chain of statements; a chain that is empty
/// does nothing. `change` may change the edge's own statement.
using Chain = std::vector<ir::Statement>;
void rewrite_body(ir::Program& program, ir::FunctionId function,
                  const std::function<Chain(const ir::Edge&)>& change);

/// A new local variable without a name of its own.
ir::VariableId add_temporary(ir::Program& program, ir::FunctionId owner,
                             ir::TypeId type, term::Sort sort);

/// Writes a body without branches.
class BodyWriter {
 public:
  BodyWriter(ir::Program& program, ir::FunctionId function,
             ir::Position position);

  /// A new parameter or local variable of the function.
  ir::VariableId parameter(const ir::Variable& like, term::Sort sort);
  ir::VariableId local(ir::TypeId type, term::Sort sort);

  void add(ir::Statement statement);
  /// Calls `callee` with what it takes of `arguments`; the results.
  std::vector<term::Term> call(ir::FunctionId callee,
                               const std::vector<term::Term>& arguments);
  /// Ends the body: with a return, or without coming back.
  void finish_with_return(std::vector<term::Term> values);
  void finish_without_return();

 private:
  void finish();

  ir::Program& program_;
  ir::FunctionId function_;
  ir::Position position_;
  ir::Cfa cfa_;
  ir::LocationId here_;
};

/// Statements that make the arguments and results of a call fit a callee with
/// parameters, and the call itself. Variables are added to `caller`.
Chain fitted_call(ir::Program& program, ir::FunctionId caller, ir::Call call);

/// `value` in another width, by the sign of its type if that is known.
term::Term fit(ir::Program& program, term::Term value, ir::TypeId type,
               term::Sort sort);

}  // namespace agon::spec
