// SPDX-License-Identifier: Apache-2.0
#include "falsify/names.h"

#include "ir/print.h"

namespace agon::falsify {
namespace {

using term::Kind;
using term::Term;

/// The value before it was converted to another width.
Term unconverted(Term value) {
  while (value.kind() == Kind::SignExtend || value.kind() == Kind::ZeroExtend ||
         value.kind() == Kind::Extract) {
    value = value.operand(0);
  }
  return value;
}

}  // namespace

Names::Names(const ir::Program& program, ir::FunctionId entry)
    : program_(program) {
  for (const ir::Edge& edge : program[entry].body.edges()) {
    const auto* const assign = std::get_if<ir::Assign>(&edge.statement);
    if (assign == nullptr) continue;
    const Term source = unconverted(assign->value);
    if (source.kind() != Kind::Variable) continue;
    const ir::VariableId from = program.variable_of(source);
    if (from.valid() && program[from].kind == ir::VariableKind::Temporary &&
        program[assign->target].kind != ir::VariableKind::Temporary) {
      assigned_.emplace(source, assign->target);
    }
  }
}

std::string Names::of(ir::VariableId variable) const {
  const auto found = assigned_.find(program_[variable].term);
  return program_[found != assigned_.end() ? found->second : variable].display;
}

term::CStyle Names::style() const {
  term::CStyle style = ir::c_style(program_);
  style.describe = [this, inner = style.describe](Term term) {
    const auto found = assigned_.find(term);
    if (found != assigned_.end()) return program_[found->second].display;
    return inner ? inner(term) : std::string();
  };
  return style;
}

}  // namespace agon::falsify
