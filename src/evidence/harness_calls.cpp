// SPDX-License-Identifier: Apache-2.0
// What a harness calls: the target, or what the client of a module has called.
#include <fmt/format.h>

#include "evidence/harness_writer.h"

namespace agon::evidence {

std::string HarnessWriter::call_target() const {
  std::string text =
      "__attribute__((constructor)) AGON static void agon_run(void) {\n"
      "  agon_start();\n  agon_set_up();\n  agon_runs = 1;\n";
  text += script_.calls.empty() ? call_once() : call_as_client();
  text += "  agon_lost(\"the end\");\n}\n";
  if (!defines_main()) text += "AGON int main(void) { return 3; }\n";
  return text;
}

std::string HarnessWriter::call_once() const {
  const auto entry = program_.find_function(recording_.entry);
  const ir::Type* const type = type_of(question_.target);
  if (!entry || type == nullptr) throw Impossible{"the target is not known"};
  std::vector<Bits> given;
  for (const ir::VariableId parameter : program_[*entry].parameters) {
    given.push_back(argument(parameter));
  }
  const std::string result = c_type(type->element);
  const bool is_kept =
      result != "void" &&
      !(includes_ && type->element.valid() &&
        program_.types[type->element].kind == ir::TypeKind::Struct);
  std::string text = fmt::format("  {}{};\n  agon_runs = 0;\n",
                                 is_kept ? "const " + result + " r = " : "",
                                 call_of(question_.target, *type, given, 0));
  return text + last_actions(type->element, result);
}

std::string HarnessWriter::call_as_client() const {
  std::string text;
  for (std::size_t i = 0; i < script_.calls.size(); ++i) {
    const ClientCall& call = script_.calls[i];
    text += write_memory(call.memory, nullptr);
    for (const Recording::Named& each : call.globals) {
      const ir::Variable* const variable = global(each.name);
      if (variable == nullptr) continue;
      text += assign(*variable, number(each.value), nullptr);
    }
    for (const std::string& action : call.actions) {
      text += fmt::format("  agon_action({});\n", quoted(action));
    }
    const ir::Type* const type = type_of(call.function);
    if (type == nullptr) throw Impossible{"what is called is not known"};
    text += fmt::format("  {}{};\n",
                        is_pointer(type->element)
                            ? fmt::format("void *const agon_result_{} = ", i)
                            : "",
                        call_of(call.function, *type, call.arguments, i));
  }
  text += "  agon_runs = 0;\n";
  for (const std::string& action : script_.last_actions) {
    text += fmt::format("  agon_action({});\n", quoted(action));
  }
  return text;
}

bool HarnessWriter::is_pointer(ir::TypeId id) const {
  return id.valid() && program_.types[id].kind == ir::TypeKind::Pointer;
}

/// A call of a function of the program as an expression, after so many others
/// of a client.
std::string HarnessWriter::call_of(const std::string& function,
                                   const ir::Type& type,
                                   std::span<const Bits> given,
                                   std::size_t others) const {
  std::size_t num_parts = 0;
  for (const ir::TypeId each : type.parameters) {
    num_parts += parts(each).size();
  }
  if (given.size() != num_parts) {
    throw Impossible{"the target takes a struct or union that is not plain"};
  }
  std::string types;
  std::string arguments;
  for (const ir::TypeId of : type.parameters) {
    const char* const comma = types.empty() ? "" : ", ";
    std::string argument =
        is_pointer(of) ? returned_before(given.front(), others) : "";
    const bool is_struct = program_.types[of].kind == ir::TypeKind::Struct;
    if (argument.empty()) {
      argument = take_value(of, given, nullptr);
    } else {
      given = given.subspan(1);
    }
    types += comma + c_type(of);
    // What is included has a type of its own.
    arguments +=
        comma +
        (includes_ && is_struct
             ? fmt::format("*({} *)&{}", program_.types.to_string(of), argument)
             : argument);
  }
  if (includes_) return fmt::format("{}({})", function, arguments);
  declare(fmt::format("extern {} agon_call_{}({}) __asm__(\"{}\");\n",
                      c_type(type.element), function,
                      types.empty() ? "void" : types, function));
  return fmt::format("agon_call_{}({})", function, arguments);
}

/// The name of what one of the first calls has returned, if it is this pointer.
std::string HarnessWriter::returned_before(Bits pointer,
                                           std::size_t calls) const {
  for (std::size_t i = 0; i < calls && pointer != 0; ++i) {
    const ClientCall& call = script_.calls[i];
    if (is_pointer(type_of(call.function)->element) && !call.results.empty() &&
        call.results.front() == pointer) {
      return fmt::format("agon_result_{}", i);
    }
  }
  return "";
}

bool HarnessWriter::defines_main() const {
  return question_.around.defined.contains("main");
}

Bits HarnessWriter::argument(ir::VariableId parameter) const {
  for (const Recording::Named& each : recording_.initial) {
    if (each.name == program_[parameter].name) return number(each.value);
  }
  return 0;
}

std::string HarnessWriter::last_actions(ir::TypeId id,
                                        const std::string& result) const {
  std::string text;
  if (script_.last_actions.empty() || !script_.results) return text;
  if (result != "void" && !script_.results->empty() &&
      program_.types[id].kind != ir::TypeKind::Float &&
      program_.types[id].kind != ir::TypeKind::Struct) {
    text += fmt::format("  if (r != {}) agon_lost(\"another result\");\n",
                        value(id, script_.results->front(), nullptr));
  }
  for (const std::string& action : script_.last_actions) {
    text += fmt::format("  agon_action({});\n", quoted(action));
  }
  return text;
}

}  // namespace agon::evidence
