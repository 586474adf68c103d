// SPDX-License-Identifier: Apache-2.0
#include "spec/agreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "ir/routines.h"
#include "spec/effects.h"

namespace agon::spec {
namespace {

using ir::FunctionId;
using ir::TypeId;
using ir::TypeKind;

bool is_number(const ir::Type& type) {
  return type.kind == TypeKind::Integer || type.kind == TypeKind::Enum;
}

/// Whether values of one type are values of the other, so that nothing is
/// converted on the way. An enumeration may be written as an integer.
bool is_same_kind(const ir::TypeTable& types, TypeId in_c, TypeId here) {
  const ir::Type& a = types[in_c];
  const ir::Type& b = types[here];
  if (!a.is_scalar() || !b.is_scalar()) return true;
  if (a.size != b.size) return false;
  if (!is_number(a) || !is_number(b)) return a.kind == b.kind;
  const bool is_enum = a.kind == TypeKind::Enum || b.kind == TypeKind::Enum;
  return is_enum || a.is_signed == b.is_signed;
}

void check_number_of_parameters(const Plan::Shape& shape,
                                const ir::Type& in_c) {
  if (in_c.parameters.size() == shape.parameters) return;
  shape.place.fail(fmt::format("'{}' has {} parameter{} in C, but {} here",
                               shape.routine, in_c.parameters.size(),
                               in_c.parameters.size() == 1 ? "" : "s",
                               shape.parameters));
}

void check_result(const ir::TypeTable& types, const Plan::Shape& shape,
                  TypeId in_c, TypeId here) {
  const bool is_void = types[in_c].kind == TypeKind::Void;
  if (is_void != shape.is_void) {
    shape.place.fail(fmt::format("'{}' returns {} in C, but {} here",
                                 shape.routine, is_void ? "nothing" : "a value",
                                 shape.is_void ? "nothing" : "one"));
  }
  if (shape.is_imported || is_same_kind(types, in_c, here)) return;
  shape.place.fail(fmt::format("'{}' returns '{}' in C, but '{}' here",
                               shape.routine, types.to_string(in_c),
                               types.to_string(here)));
}

/// What the front end does itself.
constexpr std::array<std::string_view, 8> kPutInPlace = {
    "memcpy", "memmove",           "memset", "abs", "labs",
    "llabs",  "__VERIFIER_assume", "assert"};

/// The functions in which the conditions of lines are computed.
std::map<FunctionId, const Place*> places_of_conditions(
    const ir::Program& program, const Plan& plan) {
  std::map<FunctionId, const Place*> result;
  const auto add = [&](const std::string& function, const Place& place) {
    if (const auto id = program.find_function(function)) {
      result.emplace(*id, &place);
    }
  };
  for (const Plan::Replacement& each : plan.replacements) {
    add(each.function, each.shape.place);
    for (const std::string& wrapper : each.wrappers) {
      add(wrapper, each.shape.place);
    }
  }
  for (const Plan::Observer& each : plan.observers) {
    add(each.function, each.place);
  }
  for (const Plan::Component& each : plan.components) {
    add(each.function, each.place);
  }
  return result;
}

/// Why a condition must not call a function; nothing if it may.
std::optional<std::string> objection(const ir::Program& program,
                                     const Binding& binding,
                                     FunctionId function) {
  const std::vector<bool> reached = reachable_functions(program, function);
  for (std::size_t i = 0; i < reached.size(); ++i) {
    if (!reached[i]) continue;
    const FunctionId id = FunctionId::at(i);
    const ir::Function& each = program[id];
    const auto subject = binding.subjects.find(id);
    if (subject != binding.subjects.end() &&
        !subject->second.observers.empty()) {
      return fmt::format("events are bound to '{}'", each.display);
    }
    if (each.is_action) {
      return fmt::format("it performs '{}'", each.display);
    }
    if (each.is_noreturn) {
      return fmt::format("'{}' does not return", each.display);
    }
    if (!each.has_body && !ir::routine_model(each).is_known &&
        !each.name.starts_with("__agon_")) {
      return fmt::format("'{}' has no body, so that it may change something",
                         each.display);
    }
  }
  const auto changed = changes_of_bodies(program, reached);
  if (!changed) return std::nullopt;
  return fmt::format("'{}' changes the program", program[*changed].display);
}

}  // namespace

void check_types(const ir::Program& program, const Plan::Shape& shape,
                 FunctionId described, FunctionId routine) {
  const ir::Type& in_c = program.types[program[routine].type];
  const ir::Type& here = program.types[program[described].type];
  const bool has_parameters = !in_c.is_variadic || !in_c.parameters.empty();
  if (has_parameters) check_number_of_parameters(shape, in_c);
  check_result(program.types, shape, in_c.element, here.element);
  if (!has_parameters || shape.is_imported) return;
  const std::size_t common =
      std::min(in_c.parameters.size(), here.parameters.size());
  for (std::size_t i = 0; i < common; ++i) {
    const TypeId expected = in_c.parameters[i];
    if (is_same_kind(program.types, expected, here.parameters[i])) continue;
    shape.place.fail(
        fmt::format("parameter {} of '{}' is '{}' in C, but '{}' here", i + 1,
                    shape.routine, program.types.to_string(expected),
                    program.types.to_string(here.parameters[i])));
  }
}

void check_unique(const ir::Program& program, const std::string& routine,
                  const Place& place) {
  std::optional<ir::Position> first;
  for (const FunctionId id : functions_named(program, routine)) {
    if (!program[id].has_body) continue;
    const ir::Position& position = program[id].position;
    // One in a header is the same in all files.
    if (first && !(*first == position)) {
      place.fail(fmt::format(
          "'{}' is defined twice, at {}:{} and at {}:{}; give only the file "
          "that is meant",
          routine, program.files[first->file.index()], first->line,
          program.files[position.file.index()], position.line));
    }
    first = position;
  }
}

void check_visible(const ir::Program& program, FunctionId routine,
                   const Place& place) {
  const ir::Function& seen = program[routine];
  if (seen.has_body || std::ranges::count(kPutInPlace, seen.display) == 0) {
    return;
  }
  place.fail(
      fmt::format("calls of '{}' cannot be seen: what it does is put in their "
                  "place",
                  seen.display));
}

void check_conditions(const ir::Program& program, const Plan& plan,
                      const Binding& binding) {
  for (const auto& [id, place] : places_of_conditions(program, plan)) {
    for (const ir::Edge& edge : program[id].body.edges()) {
      const auto* call = std::get_if<ir::Call>(&edge.statement);
      if (call == nullptr || !call->callee.valid()) continue;
      if (program[call->callee].name.starts_with("__agon_")) continue;
      const auto subject = binding.subjects.find(call->callee);
      const bool is_target =
          subject != binding.subjects.end() &&
          std::ranges::count(subject->second.wrappers, id) > 0;
      if (is_target) continue;
      if (const auto why = objection(program, binding, call->callee)) {
        place->fail(fmt::format("a condition must not call '{}': {}",
                                program[call->callee].display, *why));
      }
    }
  }
}

}  // namespace agon::spec
