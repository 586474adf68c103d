// SPDX-License-Identifier: Apache-2.0
#include "abstraction/values.h"

namespace agon::abstraction {

term::Term Rewriter::operator()(term::Term term, const Values& values) {
  if (values.empty()) return term;
  ++round_;
  if (known_.size() <= term.id()) {
    known_.resize(std::max<std::size_t>(program_.pool->size() + 1,
                                        std::size_t{term.id()} + 1));
  }
  return rewrite(term, values);
}

// Operands are older than the terms made of them, so ids of subterms are
// smaller and the table is large enough.
term::Term Rewriter::rewrite(term::Term term, const Values& values) {
  if (term.kind() == term::Kind::Variable) {
    const ir::VariableId variable = program_.variable_of(term);
    if (!variable.valid()) return term;
    const term::Term value = values.find(variable);
    return value.valid() ? value : term;
  }
  if (term.operands().empty()) return term;
  if (known_[term.id()].round == round_) return known_[term.id()].result;
  std::vector<term::Term> operands;
  operands.reserve(term.operands().size());
  bool changed = false;
  for (const term::Term operand : term.operands()) {
    operands.push_back(rewrite(operand, values));
    changed |= operands.back() != operand;
  }
  const term::Term result = changed ? rebuild(term, operands) : term;
  known_[term.id()] = {round_, result};
  return result;
}

term::Term Rewriter::rebuild(term::Term original,
                             std::span<const term::Term> operands) {
  if (original.kind() == term::Kind::Read) {
    return memory_.read(operands[0], operands[1], original.count());
  }
  if (original.kind() == term::Kind::Write) {
    return memory_.write(operands[0], operands[1], operands[2]);
  }
  if (original.kind() == term::Kind::Ite && original.sort().is_array()) {
    return memory_.choose(operands[0], operands[1], operands[2]);
  }
  return program_.pool->rebuild(original, operands);
}

}  // namespace agon::abstraction
