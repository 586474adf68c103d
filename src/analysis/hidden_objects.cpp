// SPDX-License-Identifier: Apache-2.0
#include "analysis/hidden_objects.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/routines.h"

namespace agon::analysis {
namespace {

using term::Kind;
using term::Term;

/// Collects the addresses and variables whose values a term may have, or a part
/// of them; and what it writes to memory.
class Values {
 public:
  void visit(Term term) {
    if (!seen_.insert(term).second) return;
    const Kind kind = term.kind();
    if (kind == Kind::Address || kind == Kind::Variable) {
      if (!term.sort().is_array()) sources_.push_back(term);
    } else if (kind == Kind::Write) {
      visit(term.operand(0));
      stored_.push_back(term.operand(2));
    } else if (kind == Kind::Copy) {
      visit(term.operand(0));
      visit(term.operand(3));
    } else if (kind == Kind::Read) {
      visit(term.operand(0));
    } else {
      visit_operands(term);
    }
  }

  const std::vector<Term>& sources() const { return sources_; }
  const std::vector<Term>& stored() const { return stored_; }

 private:
  /// A comparison of addresses is none, and neither is what depends on one.
  void visit_operands(Term term) {
    if (term.sort().is_bool()) return;
    const std::size_t first = term.kind() == Kind::Ite ? 1 : 0;
    for (std::size_t i = first; i < term.operands().size(); ++i) {
      visit(term.operand(i));
    }
  }

  std::unordered_set<Term> seen_;
  std::vector<Term> sources_;
  std::vector<Term> stored_;
};

/// Where the addresses in the program go, whatever is executed in which order.
class AddressFlow {
 public:
  AddressFlow(const ir::Program& program, ir::FunctionId entry)
      : program_(program), entry_(entry) {
    for (std::size_t i = 0; i < program.functions.size(); ++i) {
      follow(ir::FunctionId::at(i));
    }
    for (const ir::Variable& variable : program.variables) {
      if (variable.initial.valid()) flow(variable.initial, kOutside);
    }
    for (const ir::Object& object : program.objects) {
      for (const ir::InitialCell& cell : object.initial) {
        flow(cell.value, kOutside);
      }
    }
    spread();
  }

  bool is_told(Term address) const {
    const auto found = holders_.find(address);
    return found != holders_.end() && is_told_[found->second];
  }

 private:
  using Holder = std::size_t;
  static constexpr Holder kOutside = 0;

  /// Of an address, of a local variable, or of what a function returns.
  Holder add_holder() {
    from_.emplace_back();
    return from_.size() - 1;
  }

  Holder holder(Term of) {
    const auto [found, is_new] = holders_.try_emplace(of);
    if (is_new) found->second = add_holder();
    return found->second;
  }

  Holder result(ir::FunctionId function) {
    const auto [found, is_new] = results_.try_emplace(function);
    if (is_new) found->second = add_holder();
    return found->second;
  }

  /// What is kept in memory and in globals counts as told.
  Holder target(ir::VariableId variable) {
    const ir::Variable& to = program_[variable];
    const bool is_local = to.kind != ir::VariableKind::Global &&
                          !to.is_told() && !to.term.sort().is_array();
    return is_local ? holder(to.term) : kOutside;
  }

  void add(Holder from, Holder to) { from_[to].push_back(from); }

  void flow(Term value, Holder to) {
    Values values;
    values.visit(value);
    for (const Term source : values.sources()) add(holder(source), to);
    for (const Term stored : values.stored()) flow(stored, kOutside);
  }

  void follow(ir::FunctionId id) {
    const ir::Function& function = program_[id];
    const bool is_known_outside =
        id == entry_ || !function.is_static || function.address.valid();
    if (is_known_outside) add(result(id), kOutside);
    if (id == entry_) tell_parameters(function);
    for (const ir::Edge& edge : function.body.edges()) {
      if (const auto* assign = std::get_if<ir::Assign>(&edge.statement)) {
        flow(assign->value, target(assign->target));
      } else if (const auto* call = std::get_if<ir::Call>(&edge.statement)) {
        follow_call(*call);
      } else if (const auto* ret = std::get_if<ir::Return>(&edge.statement)) {
        for (const Term value : ret->values) flow(value, result(id));
      }
    }
  }

  /// Whoever calls the entry may give it what its other callers do. The same
  /// holds for a function that it gives its own parameters to: an entry may
  /// have been written around the function that is asked about.
  void tell_parameters(const ir::Function& entry) {
    const auto tell = [&](ir::VariableId parameter) {
      add(target(parameter), kOutside);
    };
    std::ranges::for_each(entry.parameters, tell);
    for (const ir::Edge& edge : entry.body.edges()) {
      const auto* const call = std::get_if<ir::Call>(&edge.statement);
      if (call == nullptr || !call->callee.valid()) continue;
      const bool passes_on =
          std::ranges::any_of(entry.parameters, [&](ir::VariableId parameter) {
            return std::ranges::find(call->arguments,
                                     program_[parameter].term) !=
                   call->arguments.end();
          });
      if (!passes_on) continue;
      std::ranges::for_each(program_[call->callee].parameters, tell);
    }
  }

  void follow_call(const ir::Call& call) {
    if (!call.callee.valid()) return give_away(call);
    const ir::Function& callee = program_[call.callee];
    if (!callee.has_body) return follow_routine(call, callee);
    for (const ir::VariableId to : call.results) {
      add(result(call.callee), target(to));
    }
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
      const bool is_named = i < callee.parameters.size();
      flow(call.arguments[i],
           is_named ? target(callee.parameters[i]) : kOutside);
    }
  }

  void follow_routine(const ir::Call& call, const ir::Function& routine) {
    const ir::RoutineModel model = ir::routine_model(routine);
    if (routine.is_action) return;
    if (!model.is_known || model.is_client ||
        model.result == ir::RoutineResult::Anything) {
      return give_away(call);
    }
    for (const Term argument : call.arguments) {
      for (const ir::VariableId to : call.results) flow(argument, target(to));
    }
  }

  void give_away(const ir::Call& call) {
    for (const Term argument : call.arguments) flow(argument, kOutside);
  }

  void spread() {
    is_told_.assign(from_.size(), false);
    std::vector<Holder> open{kOutside};
    is_told_[kOutside] = true;
    while (!open.empty()) {
      const Holder to = open.back();
      open.pop_back();
      for (const Holder source : from_[to]) {
        if (!is_told_[source]) open.push_back(source);
        is_told_[source] = true;
      }
    }
  }

  const ir::Program& program_;
  ir::FunctionId entry_;
  std::vector<std::vector<Holder>> from_{1};  // By what gets it.
  std::unordered_map<Term, Holder> holders_;
  std::map<ir::FunctionId, Holder> results_;
  std::vector<bool> is_told_;
};

}  // namespace

std::set<std::string> hidden_objects(const ir::Program& program,
                                     ir::FunctionId entry) {
  const auto is_own = [](const ir::Object& object) {
    return object.kind == ir::ObjectKind::Global && object.is_static;
  };
  std::set<std::string> result;
  if (std::ranges::none_of(program.objects, is_own)) return result;
  const AddressFlow flow(program, entry);
  for (const ir::Object& object : program.objects) {
    if (is_own(object) && !flow.is_told(object.address)) {
      result.insert(object.name);
    }
  }
  return result;
}

}  // namespace agon::analysis
