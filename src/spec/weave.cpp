// SPDX-License-Identifier: Apache-2.0
#include "spec/weave.h"

#include <algorithm>
#include <map>
#include <utility>

#include "ir/actions.h"
#include "spec/binding.h"
#include "spec/effects.h"
#include "spec/participation.h"
#include "spec/rewrite.h"

// A routine that is to behave differently keeps its number, so that whoever has
// its address calls what it has become: a function that calls the new
// behaviour. Its own body moves to a new function, the core.

namespace agon::spec {
namespace {

using ir::FunctionId;
using term::Term;

/// What becomes of a function that something is said about.
struct Change {
  FunctionId core;     ///< Its body, or the routine without one.
  FunctionId real;     ///< The core with its events.
  FunctionId visible;  ///< What others call.
};

class Weaver {
 public:
  Weaver(ir::Program& program, const Specification& specification,
         std::span<const ir::UnreachedCall> unreached)
      : program_(program),
        spec_(specification),
        unreached_(unreached),
        original_functions_(program.functions.size()),
        binding_(bind(program, specification.plan())) {}

  Woven run() {
    for (const auto& [id, subject] : binding_.subjects) build(id, subject);
    redirect_calls();
    for (const Plan::Replacement& each : spec_.plan().replacements) {
      if (each.is_own && !each.effects.empty()) add_effects(each);
    }
    return known_questions();
  }

 private:
  void build(FunctionId id, const Subject& subject) {
    if (!subject.assumed.valid() && !subject.own.valid() &&
        subject.observers.empty()) {
      return;
    }
    if (observes_calls_only(program_, id, subject)) return;
    Change change;
    change.core = move_away(id, subject);
    if (subject.assumed.valid()) {
      change.visible = observed(subject.assumed, change.core, subject);
    }
    // What is assumed of a routine is all that there is of it, unless it is to
    // be verified as well.
    const bool is_replaced =
        subject.assumed.valid() && subject.wrappers.empty();
    change.real = is_replaced ? change.visible
                              : observed(change.core, change.core, subject);
    if (subject.own.valid()) {
      change.visible = subject.own;
    } else if (!change.visible.valid()) {
      change.visible = change.real;
    }
    become(id, change, subject);
    changes_[id] = change;
  }

  /// A new function with the body of `id`, which loses it. A routine without
  /// one keeps its name, which may mean something.
  FunctionId move_away(FunctionId id, const Subject& subject) {
    ir::Function core = program_[id];
    const bool had_body = core.has_body;
    core.address = Term();
    const FunctionId made = program_.add_function(std::move(core));
    if (!had_body && !subject.assumed.valid()) program_.swap_names(id, made);
    const ir::Function& moved = program_[made];
    for (const auto* list : {&moved.parameters, &moved.locals}) {
      for (const ir::VariableId variable : *list) {
        program_.variables[variable.index()].owner = made;
      }
    }
    for (const ir::ObjectId object : moved.objects) {
      program_.objects[object.index()].owner = made;
    }
    ir::Function& left = program_.functions[id.index()];
    left.parameters.clear();
    left.locals.clear();
    left.objects.clear();
    left.body = ir::Cfa();
    left.has_body = false;
    return made;
  }

  /// `inner` between the events of the routine.
  FunctionId observed(FunctionId inner, FunctionId core,
                      const Subject& subject) {
    if (subject.observers.empty()) return inner;
    ir::Function made;
    made.name = program_[inner].name + ir::kWithEvents;
    made.display = program_[core].display;
    made.type = program_[core].type;
    made.results = program_[core].results;
    made.position = program_[core].position;
    const FunctionId id = program_.add_function(std::move(made));
    // Events of what is not written here happen where it is called.
    BodyWriter body(
        program_, id,
        program_[core].has_body ? program_[id].position : ir::Position());
    const std::vector<Term> arguments = parameters(body, inner, core, subject);
    const auto perform = [&](bool on_return, const std::vector<Term>& values) {
      for (const Plan::Observer* each : subject.observers) {
        if (each->on_return != on_return) continue;
        body.call(*program_.find_function(each->function), values);
      }
    };
    perform(false, arguments);
    const std::vector<Term> results =
        fitted_results(id, inner, body.call(inner, arguments));
    if (program_[inner].is_noreturn) {
      body.finish_without_return();
      return id;
    }
    std::vector<Term> values = results;
    values.insert(values.end(), arguments.begin(), arguments.end());
    perform(true, values);
    body.finish_with_return(results);
    return id;
  }

  std::vector<Term> fitted_results(FunctionId outer, FunctionId inner,
                                   std::vector<Term> results) {
    const std::vector<ir::TypeId> wanted = program_[outer].results;
    for (std::size_t i = 0; i < results.size() && i < wanted.size(); ++i) {
      results[i] = fit(program_, results[i], program_[inner].results[i],
                       program_.types.sort(wanted[i]));
    }
    return results;
  }

  /// Gives a function the parameters that the routine has in C, as scalars.
  std::vector<Term> parameters(BodyWriter& body, FunctionId inner,
                               FunctionId core, const Subject& subject) {
    std::vector<ir::Variable> like;
    if (program_[core].has_body) {
      like = parameters_of(core, 0);
    } else if (program_[inner].has_body) {
      like = parameters_of(inner, 0);
    } else {
      const Plan::Observer& first = *subject.observers.at(0);
      like = parameters_of(*program_.find_function(first.function),
                           first.on_return ? program_[core].results.size() : 0);
    }
    // The line may have other types, which calls through pointers do not know.
    const std::vector<ir::TypeId> types =
        program_.types[program_[core].type].parameters;
    const bool as_declared = !program_[core].has_body &&
                             types.size() == like.size() &&
                             std::ranges::all_of(types, [&](ir::TypeId type) {
                               return program_.types[type].is_scalar();
                             });
    std::vector<Term> result;
    for (std::size_t i = 0; i < like.size(); ++i) {
      term::Sort sort = like[i].term.sort();
      if (as_declared) {
        like[i].type = types[i];
        sort = program_.types.sort(types[i]);
      }
      result.push_back(program_[body.parameter(like[i], sort)].term);
    }
    return result;
  }

  std::vector<ir::Variable> parameters_of(FunctionId id, std::size_t skipped) {
    std::vector<ir::Variable> result;
    for (const ir::VariableId each : program_[id].parameters) {
      result.push_back(program_[each]);
    }
    result.erase(result.begin(), result.begin() + static_cast<long>(std::min(
                                                      skipped, result.size())));
    return result;
  }

  /// Makes `id` a function that only calls what others are to see.
  void become(FunctionId id, const Change& change, const Subject& subject) {
    BodyWriter body(program_, id, program_[id].position);
    const std::vector<Term> arguments =
        parameters(body, change.visible, change.core, subject);
    const std::vector<Term> results = fitted_results(
        id, change.visible, body.call(change.visible, arguments));
    if (program_[id].is_noreturn) return body.finish_without_return();
    body.finish_with_return(results);
  }

  void redirect_calls() {
    for (std::size_t i = 0; i < original_functions_; ++i) {
      const FunctionId caller = FunctionId::at(i);
      if (changes_.contains(caller) || !program_[caller].has_body) continue;
      redirect_calls_in(caller, caller);
    }
    for (const auto& [id, change] : changes_) {
      if (program_[change.core].has_body) redirect_calls_in(change.core, id);
    }
  }

  /// `origin`: the function that the caller was in the beginning.
  void redirect_calls_in(FunctionId caller, FunctionId origin) {
    rewrite_body(program_, caller, [&](const ir::Edge& edge) -> Chain {
      const auto* call = std::get_if<ir::Call>(&edge.statement);
      if (call == nullptr || !call->callee.valid()) return {edge.statement};
      const auto found = binding_.subjects.find(call->callee);
      if (found == binding_.subjects.end()) return {edge.statement};
      const Subject& subject = found->second;
      const auto change = changes_.find(call->callee);
      if (change != changes_.end()) {
        return redirected(caller, origin, *call, subject, change->second);
      }
      return observes_calls_only(program_, call->callee, subject)
                 ? around_call(caller, *call, subject)
                 : Chain{edge.statement};
    });
  }

  Chain redirected(FunctionId caller, FunctionId origin, ir::Call call,
                   const Subject& subject, const Change& change) {
    const bool is_wrapper =
        std::ranges::find(subject.wrappers, caller) != subject.wrappers.end();
    const bool is_outside =
        subject.own.valid() && !subject.in_cycle[origin.index()];
    const FunctionId callee =
        is_wrapper || is_outside ? change.real : change.visible;
    // Results of other widths are converted by the function itself.
    bool fits = call.results.size() <= program_[callee].results.size();
    for (std::size_t i = 0; fits && i < call.results.size(); ++i) {
      fits = program_[call.results[i]].term.sort() ==
             program_.types.sort(program_[callee].results[i]);
    }
    if (fits) call.callee = callee;
    return fitted_call(program_, caller, std::move(call));
  }

  /// Events of a routine whose parameters nobody knows.
  Chain around_call(FunctionId caller, const ir::Call& call,
                    const Subject& subject) {
    Chain chain;
    const std::vector<Term> given =
        arguments_kept(caller, call, subject, chain);
    const auto perform = [&](bool on_return) {
      for (const Plan::Observer* each : subject.observers) {
        if (each->on_return != on_return) continue;
        ir::Call event;
        event.callee = *program_.find_function(each->function);
        event.type = program_[event.callee].type;
        if (on_return) add_results(caller, call, event, chain);
        event.arguments.insert(event.arguments.end(), given.begin(),
                               given.end());
        for (ir::Statement& statement :
             fitted_call(program_, caller, std::move(event))) {
          chain.push_back(std::move(statement));
        }
      }
    };
    perform(false);
    chain.push_back(call);
    if (!program_[call.callee].is_noreturn) perform(true);
    return chain;
  }

  /// The arguments of a call as events see them. The call may change what they
  /// were computed from, so that events on its return need their values.
  std::vector<Term> arguments_kept(FunctionId caller, const ir::Call& call,
                                   const Subject& subject, Chain& chain) {
    std::vector<Term> result = call.arguments;
    const auto observer =
        std::ranges::find_if(subject.observers, &Plan::Observer::on_return);
    if (observer == subject.observers.end()) return result;
    const std::vector<ir::Variable> like =
        parameters_of(*program_.find_function((*observer)->function),
                      program_[call.callee].results.size());
    for (std::size_t i = 0; i < std::min(result.size(), like.size()); ++i) {
      const term::Sort sort = like[i].term.sort();
      const ir::VariableId kept =
          add_temporary(program_, caller, like[i].type, sort);
      chain.push_back(
          ir::Assign{kept, fit(program_, result[i], like[i].type, sort)});
      result[i] = program_[kept].term;
    }
    return result;
  }

  /// The results of a call as arguments of an event; any if nobody wanted them.
  void add_results(FunctionId caller, const ir::Call& call, ir::Call& event,
                   Chain& chain) {
    for (const ir::VariableId result : call.results) {
      event.arguments.push_back(program_[result].term);
    }
    if (!call.results.empty()) return;
    for (const ir::TypeId type : program_[call.callee].results) {
      const ir::VariableId any =
          add_temporary(program_, caller, type, program_.types.sort(type));
      chain.push_back(ir::Havoc{any, ir::HavocReason::Undefined, {}});
      event.arguments.push_back(program_[any].term);
    }
  }

  /// Where the abstraction of a target calls the routine that stands for what
  /// it changes, the changes.
  void add_effects(const Plan::Replacement& each) {
    const auto own = program_.find_function(each.function);
    const auto effects = program_.find_function(each.effects);
    if (!own || !effects) return;
    const FunctionId target = binding_.targets.at(*own);
    Changes changed;
    if (binding_.subjects.at(target).own == *own) {
      std::map<FunctionId, FunctionId> cores;
      for (const auto& [id, change] : changes_) {
        const FunctionId other = binding_.subjects.at(id).own;
        if (other.valid()) cores[other] = change.core;
      }
      changed = changes(program_, changes_.at(target).core, cores);
    }
    rewrite_body(program_, *own, [&](const ir::Edge& edge) -> Chain {
      const auto* call = std::get_if<ir::Call>(&edge.statement);
      if (call == nullptr || call->callee != *effects) return {edge.statement};
      Chain chain;
      for (const ir::VariableId variable : changed.globals) {
        chain.push_back(
            ir::Havoc{variable, ir::HavocReason::Input, each.shape.routine});
      }
      if (changed.anything) chain.push_back(edge.statement);
      return chain;
    });
  }

  Woven known_questions() const {
    Woven result;
    for (const auto& [id, change] : changes_) {
      const FunctionId own = binding_.subjects.at(id).own;
      if (own.valid()) result.own.emplace(own, change.real);
    }
    for (const Plan::Replacement& each : spec_.plan().replacements) {
      const auto own = program_.find_function(each.function);
      if (own && result.own.contains(*own)) {
        result.promises.emplace(*own, each.wrappers);
      }
    }
    for (const Question& each : spec_.questions()) {
      if (program_.find_function(each.entry)) result.questions.push_back(each);
    }
    for (const GuardCheck& each : spec_.guard_checks()) {
      if (program_.find_function(each.entry)) {
        result.guard_checks.push_back(each);
      }
    }
    for (ProgramQuestion each : spec_.programs()) {
      const bool is_known =
          std::ranges::all_of(each.components, [&](const auto& component) {
            return program_.find_function(component.entry).has_value();
          });
      if (!is_known) continue;
      find_actions(program_, spec_.plan(), each);
      each.bystanders =
          find_bystanders(program_, spec_.plan(), each, unreached_);
      each.supposed = find_supposed(program_, spec_.plan(), each);
      result.programs.push_back(std::move(each));
    }
    return result;
  }

  ir::Program& program_;
  const Specification& spec_;
  std::span<const ir::UnreachedCall> unreached_;
  std::size_t original_functions_;
  Binding binding_;
  std::map<FunctionId, Change> changes_;
};

}  // namespace

Woven weave(ir::Program& program, const Specification& specification,
            std::span<const ir::UnreachedCall> unreached) {
  return Weaver(program, specification, unreached).run();
}

void unfold(ir::Program& program,
            const std::map<ir::FunctionId, ir::FunctionId>& own) {
  if (own.empty()) return;
  ir::change_edges(program, [&](ir::Edge& edge) {
    auto* const call = std::get_if<ir::Call>(&edge.statement);
    if (call == nullptr) return;
    const auto real = own.find(call->callee);
    if (real != own.end()) call->callee = real->second;
  });
}

}  // namespace agon::spec
