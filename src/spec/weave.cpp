// SPDX-License-Identifier: Apache-2.0
#include "spec/weave.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "spec/effects.h"
#include "spec/rewrite.h"
#include "support/error.h"
#include "support/suggest.h"

// A routine that is to behave differently keeps its number, so that whoever has
// its address calls what it has become: a function that calls the new
// behaviour. Its own body moves to a new function, the core.

namespace agon::spec {
namespace {

using ir::FunctionId;
using term::Term;

constexpr std::string_view kOwnPrefix = "__agon_";

/// What is said about one function of the program.
struct Subject {
  FunctionId assumed;  ///< The behaviour assumed; may be invalid.
  FunctionId own;      ///< Its own abstraction, if it is recursive.
  std::vector<const Plan::Observer*> observers;
  std::vector<FunctionId> wrappers;  ///< They verify it.
  std::vector<bool> in_cycle;        ///< Functions whose calls use `own`.

  FunctionId core;     ///< Set while weaving.
  FunctionId real;     ///< The core with its events.
  FunctionId visible;  ///< What others call.
};

class Weaver {
 public:
  Weaver(ir::Program& program, const Specification& specification)
      : program_(program),
        spec_(specification),
        plan_(specification.plan()),
        original_functions_(program.functions.size()) {}

  Woven run() {
    mark_actions();
    for (const Plan::Replacement& each : plan_.replacements) {
      if (each.is_own) {
        add_target(each);
      } else {
        add_assumption(each);
      }
    }
    for (const Plan::Observer& each : plan_.observers) add_observer(each);
    find_recursion();
    for (auto& [id, subject] : subjects_) build(id, subject);
    redirect_calls();
    for (const Plan::Replacement& each : plan_.replacements) {
      if (each.is_own && !each.effects.empty()) add_effects(each);
    }
    return known_questions();
  }

 private:
  void mark_actions() {
    for (std::size_t i = 0; i < plan_.actions.size(); ++i) {
      const auto id =
          program_.find_function(fmt::format("__agon_action_{}", i));
      if (!id) continue;
      ir::Function& routine = program_.functions[id->index()];
      routine.is_action = true;
      routine.display = plan_.actions[i];
    }
  }

  /// The function of a fragment, or none if the routine is not known; that is
  /// an error unless the line was imported.
  std::optional<FunctionId> find(const std::string& function,
                                 const std::string& routine, bool is_imported,
                                 const Place& place) const {
    if (const auto id = program_.find_function(function)) return id;
    if (is_imported) return std::nullopt;
    std::vector<std::string> names;
    for (const ir::Function& each : program_.functions) {
      if (!each.name.starts_with(kOwnPrefix)) names.push_back(each.display);
    }
    place.fail(fmt::format("the C files neither declare nor call '{}'{}",
                           routine, support::did_you_mean(routine, names)));
  }

  /// All functions of that name; there may be several static ones.
  std::vector<FunctionId> functions_named(const std::string& routine) const {
    std::vector<FunctionId> result;
    for (std::size_t i = 0; i < original_functions_; ++i) {
      const ir::Function& each = program_.functions[i];
      const std::string& name = each.name;
      const bool has_suffix =
          name.starts_with(routine + ".") &&
          name.find_first_not_of("0123456789", routine.size() + 1) ==
              std::string::npos;
      if (name == routine || has_suffix) result.push_back(FunctionId::at(i));
    }
    return result;
  }

  void check_shape(const Plan::Shape& shape, FunctionId id) const {
    const ir::Function& routine = program_[id];
    const ir::Type& type = program_.types[routine.type];
    const bool is_known = !type.is_variadic || !type.parameters.empty();
    if (is_known && type.parameters.size() != shape.parameters) {
      shape.place.fail(fmt::format("'{}' has {} parameter{} in C, but {} here",
                                   shape.routine, type.parameters.size(),
                                   type.parameters.size() == 1 ? "" : "s",
                                   shape.parameters));
    }
    const bool is_void =
        program_.types[type.element].kind == ir::TypeKind::Void;
    if (is_void != shape.is_void) {
      shape.place.fail(fmt::format(
          "'{}' returns {} in C, but {} here", shape.routine,
          is_void ? "nothing" : "a value", shape.is_void ? "nothing" : "one"));
    }
  }

  void add_assumption(const Plan::Replacement& each) {
    const auto assumed = find(each.function, each.shape.routine,
                              each.shape.is_imported, each.shape.place);
    if (!assumed) return;
    program_.functions[assumed->index()].display = each.shape.routine;
    for (const FunctionId id : functions_named(each.shape.routine)) {
      check_shape(each.shape, id);
      subjects_[id].assumed = *assumed;
      const support::Location place = each.shape.place.location();
      program_.assume(
          each.shape.routine,
          fmt::format("behaves as assumed in {}:{}", place.file, place.line),
          program_[*assumed].position);
    }
  }

  void add_target(const Plan::Replacement& each) {
    const auto own = find(each.function, each.shape.routine,
                          each.shape.is_imported, each.shape.place);
    if (!own) return;
    program_.functions[own->index()].display = each.shape.routine;
    for (const std::string& name : each.wrappers) {
      const FunctionId wrapper = *program_.find_function(name);
      program_.functions[wrapper.index()].display = each.shape.routine;
      const FunctionId target = called_in(wrapper, each.shape.routine);
      if (!program_[target].has_body) {
        each.shape.place.fail(fmt::format(
            "'{}' has no body in the C files, so that there is nothing to "
            "verify",
            each.shape.routine));
      }
      check_shape(each.shape, target);
      Subject& subject = subjects_[target];
      subject.wrappers.push_back(wrapper);
      if (!subject.own.valid()) subject.own = *own;
      targets_[*own] = target;
    }
  }

  /// The routine that a wrapper calls under the name of its target.
  FunctionId called_in(FunctionId wrapper, const std::string& routine) const {
    FunctionId result;
    for (const ir::Edge& edge : program_[wrapper].body.edges()) {
      const auto* call = std::get_if<ir::Call>(&edge.statement);
      if (call == nullptr || !call->callee.valid()) continue;
      const std::string& name = program_[call->callee].name;
      if (name == routine || name.starts_with(routine + ".")) {
        result = call->callee;
      }
    }
    AGON_ASSERT(result.valid());
    return result;
  }

  void add_observer(const Plan::Observer& each) {
    const auto function =
        find(each.function, each.routine, each.is_imported, each.place);
    if (!function) return;
    for (const FunctionId id : functions_named(each.routine)) {
      const ir::Type& type = program_.types[program_[id].type];
      const bool is_known = !type.is_variadic || !type.parameters.empty();
      if (each.parameters &&
          (!is_known || *each.parameters != type.parameters.size())) {
        each.place.fail(fmt::format(
            "'{}' has {} parameter{} in C, but {} named here", each.routine,
            is_known ? std::to_string(type.parameters.size()) : "no declared",
            is_known && type.parameters.size() == 1 ? "" : "s",
            *each.parameters == 1 ? "1 is"
                                  : fmt::format("{} are", *each.parameters)));
      }
      if (calls_only(id) && program_[id].address.valid()) {
        each.place.fail(fmt::format(
            "events of '{}' cannot be seen: it has a variable number of "
            "parameters, and is called through pointers",
            each.routine));
      }
      subjects_[id].observers.push_back(&each);
    }
  }

  /// Whether events have to be put around the calls, since nothing can stand
  /// between a call and a routine that takes what nobody knows.
  bool calls_only(FunctionId id) const {
    const ir::Function& routine = program_[id];
    const auto subject = subjects_.find(id);
    const bool is_assumed =
        subject != subjects_.end() && subject->second.assumed.valid();
    return !routine.has_body && !is_assumed &&
           program_.types[routine.type].is_variadic;
  }

  void find_recursion() {
    for (auto& [id, subject] : subjects_) {
      if (!subject.own.valid()) continue;
      std::vector<bool> reached = reachable_functions(program_, id);
      // What the fragments themselves call is no recursion of the target.
      for (const FunctionId wrapper : subject.wrappers) {
        reached[wrapper.index()] = false;
      }
      bool is_recursive = false;
      for (std::size_t i = 0; i < reached.size(); ++i) {
        is_recursive = is_recursive ||
                       (reached[i] && calls(program_, FunctionId::at(i), id));
      }
      if (!is_recursive || subject.assumed.valid()) {
        subject.own = FunctionId();
        continue;
      }
      subject.in_cycle = std::move(reached);
      program_.assume(program_[id].display,
                      "where it calls itself, it does what its own "
                      "specification allows",
                      program_[id].position);
    }
  }

  void build(FunctionId id, Subject& subject) {
    if (!subject.assumed.valid() && !subject.own.valid() &&
        subject.observers.empty()) {
      return;
    }
    if (calls_only(id)) return;
    subject.core = move_away(id, subject);
    subject.real = observed(subject.core, subject);
    subject.visible = subject.real;
    if (subject.own.valid()) {
      subject.visible = subject.own;
    } else if (subject.assumed.valid()) {
      subject.visible = observed(subject.assumed, subject);
    }
    become(id, subject.visible);
  }

  /// A new function with the body of `id`, which loses it. A routine without
  /// one keeps its name, which may mean something.
  FunctionId move_away(FunctionId id, const Subject& subject) {
    ir::Function core = program_[id];
    const bool had_body = core.has_body;
    core.address = Term();
    const FunctionId made = program_.add_function(std::move(core));
    if (!had_body && !subject.assumed.valid()) program_.swap_names(id, made);
    ir::Function& left = program_.functions[id.index()];
    const ir::Function& moved = program_[made];
    for (const auto* list : {&moved.parameters, &moved.locals}) {
      for (const ir::VariableId variable : *list) {
        program_.variables[variable.index()].owner = made;
      }
    }
    for (const ir::ObjectId object : moved.objects) {
      program_.objects[object.index()].owner = made;
    }
    left.parameters.clear();
    left.locals.clear();
    left.objects.clear();
    left.body = ir::Cfa();
    left.has_body = false;
    return made;
  }

  /// `inner` between the events of the routine.
  FunctionId observed(FunctionId inner, const Subject& subject) {
    if (subject.observers.empty()) return inner;
    ir::Function made;
    made.name = program_[inner].name + " with events";
    made.display = program_[subject.core].display;
    made.type = program_[subject.core].type;
    made.results = program_[subject.core].results;
    made.position = program_[subject.core].position;
    const FunctionId id = program_.add_function(std::move(made));
    BodyWriter body(program_, id, program_[id].position);
    const std::vector<Term> arguments = parameters(body, inner, subject);
    for (const bool after : {false, true}) {
      std::vector<Term> values = arguments;
      if (after) {
        const std::vector<Term> results = body.call(inner, arguments);
        if (program_[inner].is_noreturn) {
          body.finish_without_return();
          return id;
        }
        last_results_ = fitted_results(id, inner, results);
        values.insert(values.begin(), last_results_.begin(),
                      last_results_.end());
      }
      for (const Plan::Observer* each : subject.observers) {
        if (each->on_return != after) continue;
        body.call(*program_.find_function(each->function), values);
      }
    }
    body.finish_with_return(last_results_);
    return id;
  }

  std::vector<Term> fitted_results(FunctionId outer, FunctionId inner,
                                   const std::vector<Term>& results) {
    std::vector<Term> fitted;
    const std::vector<ir::TypeId> wanted = program_[outer].results;
    if (wanted.size() != results.size()) return results;
    for (std::size_t i = 0; i < results.size(); ++i) {
      fitted.push_back(fit(program_, results[i], program_[inner].results[i],
                           program_.types.sort(wanted[i])));
    }
    return fitted;
  }

  /// Gives a function the parameters that the routine has in C, as scalars.
  std::vector<Term> parameters(BodyWriter& body, FunctionId inner,
                               const Subject& subject) {
    std::vector<ir::Variable> like;
    for (const FunctionId each : {subject.core, inner}) {
      if (!like.empty() || !program_[each].has_body) continue;
      for (const ir::VariableId id : program_[each].parameters) {
        like.push_back(program_[id]);
      }
    }
    if (like.empty() && !subject.observers.empty()) {
      like = observed_parameters(*subject.observers[0]);
    }
    const std::vector<ir::TypeId> types =
        program_.types[program_[subject.core].type].parameters;
    std::vector<Term> result;
    for (std::size_t i = 0; i < like.size(); ++i) {
      term::Sort sort = like[i].term.sort();
      if (!program_[subject.core].has_body && types.size() == like.size() &&
          program_.types[types[i]].is_scalar()) {
        sort = program_.types.sort(types[i]);
        like[i].type = types[i];
      }
      result.push_back(program_[body.parameter(like[i], sort)].term);
    }
    return result;
  }

  std::vector<ir::Variable> observed_parameters(const Plan::Observer& each) {
    const ir::Function& function =
        program_[*program_.find_function(each.function)];
    std::vector<ir::Variable> result;
    const auto routine = functions_named(each.routine);
    const std::size_t skipped = each.on_return && !routine.empty()
                                    ? program_[routine.front()].results.size()
                                    : 0;
    for (std::size_t i = skipped; i < function.parameters.size(); ++i) {
      result.push_back(program_[function.parameters[i]]);
    }
    return result;
  }

  /// Makes `id` a function that only calls `other`.
  void become(FunctionId id, FunctionId other) {
    BodyWriter body(program_, id, program_[id].position);
    const std::vector<Term> arguments =
        parameters(body, other, subjects_.at(id));
    const std::vector<Term> results = body.call(other, arguments);
    if (program_[id].is_noreturn) return body.finish_without_return();
    body.finish_with_return(fitted_results(id, other, results));
  }

  void redirect_calls() {
    for (std::size_t i = 0; i < original_functions_; ++i) {
      const FunctionId caller = FunctionId::at(i);
      if (!program_[caller].has_body || is_forwarder(caller)) continue;
      redirect_calls_in(caller, caller);
    }
    // The cores are original functions, too.
    for (const auto& [id, subject] : subjects_) {
      if (subject.core.valid() && program_[subject.core].has_body) {
        redirect_calls_in(subject.core, id);
      }
    }
  }

  bool is_forwarder(FunctionId id) const {
    const auto found = subjects_.find(id);
    return found != subjects_.end() && found->second.core.valid();
  }

  /// `origin`: what the caller was called in the beginning.
  void redirect_calls_in(FunctionId caller, FunctionId origin) {
    rewrite_body(program_, caller, [&](const ir::Edge& edge) -> Chain {
      const auto* call = std::get_if<ir::Call>(&edge.statement);
      if (call == nullptr || !call->callee.valid()) return {edge.statement};
      const auto found = subjects_.find(call->callee);
      if (found == subjects_.end()) return {edge.statement};
      const Subject& subject = found->second;
      if (!subject.core.valid()) {
        return subject.observers.empty() ? Chain{edge.statement}
                                         : around_call(caller, *call, subject);
      }
      const bool is_wrapper =
          std::ranges::find(subject.wrappers, caller) != subject.wrappers.end();
      const bool is_outside =
          subject.own.valid() && !subject.in_cycle[origin.index()];
      ir::Call changed = *call;
      changed.callee =
          is_wrapper || is_outside ? subject.real : subject.visible;
      return fit_results(caller, std::move(changed), call->callee);
    });
  }

  /// The call with results as wide as the callee's, and their conversion.
  Chain fit_results(FunctionId caller, ir::Call call, FunctionId before) {
    const std::vector<ir::TypeId> given = program_[call.callee].results;
    Chain after;
    for (std::size_t i = 0; i < call.results.size() && i < given.size(); ++i) {
      const ir::VariableId wanted = call.results[i];
      const term::Sort sort = program_.types.sort(given[i]);
      if (program_[wanted].term.sort() == sort) continue;
      // Through the function that has the declared type.
      ir::Call through = std::move(call);
      through.callee = before;
      return fitted_call(program_, caller, std::move(through));
    }
    return fitted_call(program_, caller, std::move(call));
  }

  /// Events of a routine whose parameters nobody knows.
  Chain around_call(FunctionId caller, const ir::Call& call,
                    const Subject& subject) {
    Chain chain;
    const auto perform = [&](bool after) {
      for (const Plan::Observer* each : subject.observers) {
        if (each->on_return != after) continue;
        ir::Call event;
        event.callee = *program_.find_function(each->function);
        event.type = program_[event.callee].type;
        if (after) {
          for (const ir::VariableId result : call.results) {
            event.arguments.push_back(program_[result].term);
          }
        }
        event.arguments.insert(event.arguments.end(), call.arguments.begin(),
                               call.arguments.end());
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

  void add_effects(const Plan::Replacement& each) {
    const auto own = program_.find_function(each.function);
    if (!own) return;
    const Subject& subject = subjects_.at(targets_.at(*own));
    std::vector<ir::VariableId> changed;
    if (subject.own == *own) {
      std::map<FunctionId, FunctionId> cores;
      for (const auto& [id, other] : subjects_) {
        if (other.own.valid()) cores[other.own] = other.core;
      }
      changed = changed_variables(program_, subject.core, cores);
    }
    const auto effects = program_.find_function(each.effects);
    rewrite_body(program_, *own, [&](const ir::Edge& edge) -> Chain {
      const auto* call = std::get_if<ir::Call>(&edge.statement);
      if (call == nullptr || !effects || call->callee != *effects) {
        return {edge.statement};
      }
      Chain chain;
      for (const ir::VariableId variable : changed) {
        chain.push_back(
            ir::Havoc{variable, ir::HavocReason::Input, each.shape.routine});
      }
      return chain;
    });
  }

  Woven known_questions() const {
    Woven result;
    for (const Question& each : spec_.questions()) {
      if (program_.find_function(each.entry)) result.questions.push_back(each);
    }
    for (const GuardCheck& each : spec_.guard_checks()) {
      if (program_.find_function(each.entry)) {
        result.guard_checks.push_back(each);
      }
    }
    return result;
  }

  ir::Program& program_;
  const Specification& spec_;
  const Plan& plan_;
  std::size_t original_functions_;
  std::map<FunctionId, Subject> subjects_;
  std::map<FunctionId, FunctionId> targets_;  // By their abstraction.
  std::vector<Term> last_results_;
};

}  // namespace

Woven weave(ir::Program& program, const Specification& specification) {
  return Weaver(program, specification).run();
}

}  // namespace agon::spec
