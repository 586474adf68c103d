// SPDX-License-Identifier: Apache-2.0
#include "analysis/hidden_objects.h"

#include <unordered_set>

#include "analysis/statements.h"

namespace agon::analysis {
namespace {

using term::Kind;
using term::Term;

/// Collects the addresses that terms use as values.
class Values {
 public:
  void visit(Term term) {
    if (!seen_.insert(term).second) return;
    if (term.kind() == Kind::Address) told_.insert(term);
    for (std::size_t i = 0; i < term.operands().size(); ++i) {
      if (is_address(term.kind(), i)) {
        visit_place(term.operand(i));
      } else {
        visit(term.operand(i));
      }
    }
  }

  bool is_told(Term address) const { return told_.contains(address); }

 private:
  static bool is_address(Kind kind, std::size_t operand) {
    return ((kind == Kind::Read || kind == Kind::Write) && operand == 1) ||
           (kind == Kind::Copy && (operand == 1 || operand == 4));
  }

  /// An address, or the sum of one and distances.
  void visit_place(Term term) {
    if (term.kind() == Kind::Address) return;
    if (term.kind() != Kind::Add) return visit(term);
    for (const Term part : term.operands()) visit_place(part);
  }

  std::unordered_set<Term> seen_;
  std::unordered_set<Term> told_;
};

bool tells(const ir::Statement& statement, Term address) {
  Values values;
  for_each_term(statement, [&](Term term) { values.visit(term); });
  return values.is_told(address);
}

}  // namespace

const std::vector<bool>& ToldLocals::told_at(Term address) {
  const auto [found, is_new] = told_at_.try_emplace(address);
  std::vector<bool>& result = found->second;
  if (!is_new) return result;
  result.assign(body_.num_locations(), false);
  std::vector<ir::LocationId> open;
  const auto reach = [&](ir::LocationId location) {
    if (result[location.index()]) return;
    result[location.index()] = true;
    open.push_back(location);
  };
  for (const ir::Edge& edge : body_.edges()) {
    if (tells(edge.statement, address)) reach(edge.to);
  }
  while (!open.empty()) {
    const ir::LocationId location = open.back();
    open.pop_back();
    for (const ir::EdgeId out : body_.out_edges(location)) {
      reach(body_.edge(out).to);
    }
  }
  return result;
}

bool ToldLocals::is_told(Term address, const ir::Edge& edge) {
  return told_at(address)[edge.from.index()] || tells(edge.statement, address);
}

std::set<std::string> hidden_objects(const ir::Program& program) {
  Values values;
  for (const ir::Function& function : program.functions) {
    for (const ir::Edge& edge : function.body.edges()) {
      for_each_term(edge.statement, [&](Term term) { values.visit(term); });
    }
  }
  for (const ir::Variable& variable : program.variables) {
    if (variable.initial.valid()) values.visit(variable.initial);
  }
  for (const ir::Object& object : program.objects) {
    for (const ir::InitialCell& cell : object.initial) {
      values.visit(cell.value);
    }
  }
  std::set<std::string> result;
  for (const ir::Object& object : program.objects) {
    const bool is_own =
        object.kind == ir::ObjectKind::Global && object.is_static;
    if (is_own && !values.is_told(object.address)) result.insert(object.name);
  }
  return result;
}

}  // namespace agon::analysis
