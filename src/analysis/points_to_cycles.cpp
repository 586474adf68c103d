// SPDX-License-Identifier: Apache-2.0
#include "analysis/points_to_cycles.h"

#include <utility>
#include <vector>

#include "analysis/digraph.h"

namespace agon::analysis {
namespace {

using term::Kind;
using term::Term;

/// The nodes are the variables, one for all of memory, which also stands for
/// code that is not known, and one for what each function returns.
class Flows {
 public:
  explicit Flows(const ir::Program& program)
      : program_(program),
        memory_(static_cast<Node>(program.variables.size())) {
    for (std::size_t f = 0; f < program.functions.size(); ++f) {
      for (const ir::Edge& edge : program.functions[f].body.edges()) {
        add(edge.statement, ir::FunctionId::at(f));
      }
    }
  }

  std::unordered_set<Term> repeated() const {
    const std::size_t size = memory_ + 1 + program_.functions.size();
    const StrongComponents components = strong_components(Digraph(size, arcs_));
    std::unordered_set<Term> result;
    for (const Step& step : steps_) {
      if (components.of[step.from] == components.of[step.to]) {
        result.insert(step.sum);
      }
    }
    return result;
  }

 private:
  struct Step {
    Term sum;
    Node from;
    Node to;
  };

  Node returned(ir::FunctionId function) const {
    return memory_ + 1 + function.value();
  }

  void add(const ir::Statement& statement, ir::FunctionId function) {
    if (const auto* assign = std::get_if<ir::Assign>(&statement)) {
      if (assign->value.sort().is_array()) {
        add_writes(assign->value);
      } else {
        add_flow(assign->value, assign->target.value());
      }
    } else if (const auto* call = std::get_if<ir::Call>(&statement)) {
      add_call(*call);
    } else if (const auto* leave = std::get_if<ir::Return>(&statement)) {
      for (const Term value : leave->values) {
        add_flow(value, returned(function));
      }
    }
  }

  void add_call(const ir::Call& call) {
    const bool is_known = call.callee.valid() && program_[call.callee].has_body;
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
      const bool has_parameter =
          is_known && i < program_[call.callee].parameters.size();
      add_flow(call.arguments[i],
               has_parameter ? program_[call.callee].parameters[i].value()
                             : memory_);
    }
    for (const ir::VariableId result : call.results) {
      arcs_.emplace_back(is_known ? returned(call.callee) : memory_,
                         result.value());
    }
    if (call.pointer.valid()) connect_unknown_callees();
  }

  // A call through a pointer can reach every function with an address.
  void connect_unknown_callees() {
    if (std::exchange(has_unknown_callees_, true)) return;
    for (std::size_t f = 0; f < program_.functions.size(); ++f) {
      if (!program_.functions[f].address.valid()) continue;
      arcs_.emplace_back(returned(ir::FunctionId::at(f)), memory_);
      for (const ir::VariableId p : program_.functions[f].parameters) {
        arcs_.emplace_back(memory_, p.value());
      }
    }
  }

  void add_writes(Term array) {
    std::vector<Term> open{array};
    std::unordered_set<Term> seen;
    while (!open.empty()) {
      const Term term = open.back();
      open.pop_back();
      if (!seen.insert(term).second) continue;
      if (term.kind() == Kind::Write) add_flow(term.operand(2), memory_);
      for (const Term operand : term.operands()) {
        if (operand.sort().is_array()) open.push_back(operand);
      }
    }
  }

  // What can be a pointer in `value` gets to `to`, by each of the sums in it.
  void add_flow(Term value, Node to) {
    std::vector<Term> open{value};
    std::unordered_set<Term> seen;
    std::vector<Term> sums;
    std::vector<Node> sources;
    while (!open.empty()) {
      const Term term = open.back();
      open.pop_back();
      if (!term.sort().is_bits() || !seen.insert(term).second) continue;
      if (term.kind() == Kind::Variable) {
        const ir::VariableId variable = program_.variable_of(term);
        sources.push_back(variable.valid() ? variable.value() : memory_);
      } else if (term.kind() == Kind::Read) {
        sources.push_back(memory_);
      } else {
        if (term.kind() == Kind::Add || term.kind() == Kind::Subtract) {
          sums.push_back(term);
        }
        open.insert(open.end(), term.operands().begin(), term.operands().end());
      }
    }
    for (const Node from : sources) {
      arcs_.emplace_back(from, to);
      for (const Term sum : sums) steps_.push_back({sum, from, to});
    }
  }

  const ir::Program& program_;
  Node memory_;
  std::vector<Digraph::Arc> arcs_;
  std::vector<Step> steps_;
  bool has_unknown_callees_ = false;
};

}  // namespace

std::unordered_set<Term> repeated_sums(const ir::Program& program) {
  return Flows(program).repeated();
}

}  // namespace agon::analysis
