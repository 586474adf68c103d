// SPDX-License-Identifier: Apache-2.0
#include "spec/binding.h"

#include <fmt/format.h>

#include "ir/routines.h"
#include "spec/agreement.h"
#include "spec/effects.h"
#include "support/error.h"
#include "support/suggest.h"

namespace agon::spec {
namespace {

using ir::FunctionId;

constexpr std::string_view kOwnPrefix = "__agon_";

class Binder {
 public:
  Binder(ir::Program& program, const Plan& plan)
      : program_(program), plan_(plan) {}

  Binding run() {
    mark_actions();
    for (const Plan::Replacement& each : plan_.replacements) {
      if (each.is_own) {
        add_target(each);
      } else {
        add_assumption(each);
      }
    }
    for (const Plan::Component& each : plan_.components) add_component(each);
    for (const Plan::Observer& each : plan_.observers) add_observer(each);
    check_conditions(program_, plan_, binding_);
    find_recursion();
    return std::move(binding_);
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

  void add_assumption(const Plan::Replacement& each) {
    const auto assumed = find(each.function, each.shape.routine,
                              each.shape.is_imported, each.shape.place);
    if (!assumed) return;
    program_.functions[assumed->index()].display = each.shape.routine;
    for (const FunctionId id : functions_named(program_, each.shape.routine)) {
      check_types(program_, each.shape, *assumed, id);
      binding_.subjects[id].assumed = *assumed;
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
      check_unique(program_, each.shape.routine, each.shape.place);
      check_types(program_, each.shape, *own, target);
      Subject& subject = binding_.subjects[target];
      subject.wrappers.push_back(wrapper);
      if (!subject.own.valid()) subject.own = *own;
      binding_.targets[*own] = target;
    }
  }

  void add_component(const Plan::Component& each) {
    const auto wrapper =
        find(each.function, each.routine, each.is_imported, each.place);
    if (!wrapper) return;
    program_.functions[wrapper->index()].display = each.routine;
    const FunctionId target = called_in(*wrapper, each.routine);
    if (!program_[target].has_body) {
      each.place.fail(
          fmt::format("'{}' has no body in the C files, so that it cannot be a "
                      "component",
                      each.routine));
    }
    check_unique(program_, each.routine, each.place);
    const ir::Type& type = program_.types[program_[target].type];
    if (each.needs_value &&
        program_.types[type.element].kind == ir::TypeKind::Void) {
      each.place.fail(
          fmt::format("the specification mentions a value that '{}' returns, "
                      "but it returns none",
                      each.routine));
    }
    binding_.subjects[target].wrappers.push_back(*wrapper);
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
        find(each.function, each.routine, each.is_imported || each.is_of_module,
             each.place);
    if (!function) return;
    for (const FunctionId id : functions_named(program_, each.routine)) {
      if (each.is_of_module && program_[id].has_body) continue;
      if (!each.is_of_module && !binding_.subjects[id].assumed.valid()) {
        check_visible(program_, id, each.place);
      }
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
      if (observes_calls_only(program_, id, binding_.subjects[id]) &&
          program_[id].address.valid()) {
        each.place.fail(fmt::format(
            "events of '{}' cannot be seen: it has a variable number of "
            "parameters, and is called through pointers",
            each.routine));
      }
      binding_.subjects[id].observers.push_back(&each);
    }
  }

  void find_recursion() {
    for (auto& [id, subject] : binding_.subjects) {
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

  ir::Program& program_;
  const Plan& plan_;
  Binding binding_;
};

}  // namespace

Binding bind(ir::Program& program, const Plan& plan) {
  return Binder(program, plan).run();
}

std::vector<FunctionId> functions_named(const ir::Program& program,
                                        const std::string& routine) {
  std::vector<FunctionId> result;
  for (std::size_t i = 0; i < program.functions.size(); ++i) {
    const std::string& name = program.functions[i].name;
    const bool has_suffix =
        name.starts_with(routine + ".") &&
        name.find_first_not_of("0123456789", routine.size() + 1) ==
            std::string::npos;
    const bool is_failure =
        name.starts_with(routine) &&
        std::string_view(name).substr(routine.size()) == ir::kWhereItFails;
    if (name == routine || has_suffix || is_failure) {
      result.push_back(FunctionId::at(i));
    }
  }
  return result;
}

bool observes_calls_only(const ir::Program& program, FunctionId id,
                         const Subject& subject) {
  const ir::Function& routine = program[id];
  return !routine.has_body && !subject.assumed.valid() &&
         program.types[routine.type].is_variadic;
}

}  // namespace agon::spec
