// SPDX-License-Identifier: Apache-2.0
/// How the variables of a body are called in front of people.
#pragma once

#include <string>
#include <unordered_map>

#include "ir/program.h"
#include "term/print_c.h"

namespace agon::falsify {

/// The names of the source; for a value that has none, such as the result of a
/// call, that of the variable which it is assigned to.
class Names {
 public:
  Names(const ir::Program& program, ir::FunctionId entry);

  std::string of(ir::VariableId variable) const;
  /// Prints terms with these names. Refers to this object.
  term::CStyle style() const;

 private:
  const ir::Program& program_;
  std::unordered_map<term::Term, ir::VariableId> assigned_;
};

}  // namespace agon::falsify
