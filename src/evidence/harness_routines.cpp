// SPDX-License-Identifier: Apache-2.0
// The routines that a harness stands for, those that only watch, and the call
// of the target.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "evidence/harness_writer.h"
#include "ir/library.h"

namespace agon::evidence {

namespace {

constexpr const char* kPointer = "void *";

}  // namespace

std::string HarnessWriter::table() const {
  std::size_t most = 0;
  for (const ScriptStep& step : script_.steps) {
    most = std::max(most, step.actions.size());
  }
  std::string text = fmt::format(
      "static const struct {{\n  const char *routine;\n  unsigned long long "
      "value;\n  const char *actions[{}];\n}} agon_rows[] = {{\n",
      most + 1);
  for (const ScriptStep& step : script_.steps) {
    const Bits result = step.results.empty() ? 0 : step.results.front();
    std::string actions;
    for (const std::string& action : step.actions) {
      actions += quoted(action) + ", ";
    }
    static constexpr std::array<const char*, 3> kKinds = {"", "enter ",
                                                          "leave "};
    text += fmt::format("  {{\"{}{}\", {}, {{{}0}}}},\n",
                        kKinds[static_cast<std::size_t>(step.kind)],
                        step.routine, literal(result), actions);
  }
  text += "  {0, 0, {0}}\n};\n";
  if (keeps_) {
    std::size_t arguments = 0;
    for (const ScriptStep& step : script_.steps) {
      arguments = std::max(arguments, step.arguments.size());
    }
    text += fmt::format("static unsigned char *agon_given[{}][{}];\n",
                        script_.steps.size(), arguments);
  }
  return text + fmt::format("enum {{ agon_all_actions = {} }};\n",
                            recording_.actions.size());
}

std::string HarnessWriter::quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

std::string HarnessWriter::routines() const {
  std::set<std::string> names = question_.around.undefined;
  if (recording_.variant.has_library) std::erase_if(names, ir::is_in_library);
  for (const auto& [function, routine] : question_.around.stands_for) {
    names.insert(routine);
  }
  for (const ScriptStep& step : script_.steps) {
    if (step.kind == ScriptStep::Kind::Call) names.insert(step.routine);
  }
  std::string text;
  for (const std::string& name : names) {
    if (!question_.around.errors.contains(name)) text += routine(name);
  }
  for (const std::string& name : question_.around.errors) {
    if (name.starts_with("__agon_") || name.starts_with("__builtin_") ||
        (includes_ && question_.around.defined.contains(name))) {
      continue;
    }
    text += fmt::format(
        "AGON void agon_do_{0}(void) __asm__(\"{0}\");\n"
        "AGON void agon_do_{0}(void) {{ agon_action(\"error\"); "
        "agon_stop(3); }}\n",
        name);
  }
  return text;
}

const ir::Type* HarnessWriter::type_of(const std::string& name) const {
  for (const ir::Function& function : program_.functions) {
    if (function.display == name && function.type.valid() &&
        function.name.find(" ") == std::string::npos) {
      return &program_.types[function.type];
    }
  }
  return nullptr;
}

/// Whether the files define it so that nobody else can stand for it.
bool HarnessWriter::is_static(const std::string& name) const {
  return question_.around.statics.contains(name);
}

std::string HarnessWriter::routine(const std::string& name) const {
  if (is_static(name)) {
    const bool is_called =
        std::ranges::any_of(script_.steps, [&](const ScriptStep& step) {
          return step.kind == ScriptStep::Kind::Call && step.routine == name;
        });
    if (!is_called) return "";
    throw Impossible{
        fmt::format("'{}' is static, so that nothing can stand for it", name)};
  }
  if (includes_ && question_.around.defined.contains(name)) {
    throw Impossible{fmt::format("'{}' would be defined twice", name)};
  }
  const ir::Type* const type = type_of(name);
  const std::string result =
      type != nullptr ? c_type(type->element) : nondet_type(name);
  std::string parameters;
  for (std::size_t i = 0; type != nullptr && i < type->parameters.size(); ++i) {
    parameters += fmt::format("{}{} a{}", i == 0 ? "" : ", ",
                              c_type(type->parameters[i]), i);
  }
  if (type != nullptr && type->is_variadic && !parameters.empty()) {
    parameters += ", ...";
  }
  if (parameters.empty() && (type == nullptr || !type->is_variadic)) {
    parameters = "void";
  }
  const std::string head =
      fmt::format("AGON {} agon_do_{}({})", result, name, parameters);
  std::string text =
      fmt::format("{} __asm__(\"{}\");\n{} {{\n", head, name, head);
  text += fmt::format("  const unsigned agon_i = agon_next(\"{}\");\n", name);
  if (keeps_ && type != nullptr) text += keep_arguments(*type);
  text += effects(name);
  if (result != "void") text += returned(name, type, result);
  return text + "}\n";
}

std::string HarnessWriter::keep_arguments(const ir::Type& type) const {
  std::string text;
  std::size_t number = 0;
  for (std::size_t i = 0; i < type.parameters.size(); ++i) {
    for (const Part& part : parts(type.parameters[i])) {
      if (program_.types[part.type].kind == ir::TypeKind::Pointer) {
        text +=
            fmt::format("  agon_given[agon_i][{}] = (unsigned char *)a{}{};\n",
                        number, i, part.way);
      }
      ++number;
    }
  }
  return text;
}

std::string HarnessWriter::effects(const std::string& name) const {
  std::string text;
  for (std::size_t i = 0; i < script_.steps.size(); ++i) {
    const ScriptStep& step = script_.steps[i];
    if (step.kind != ScriptStep::Kind::Call || step.routine != name) continue;
    std::string change = write_memory(step.memory, &step);
    for (const Recording::Named& each : step.globals) {
      const ir::Variable* const variable = global(each.name);
      if (variable == nullptr) continue;
      change += assign(*variable, number(each.value), &step);
    }
    if (change.empty()) continue;
    text += fmt::format("  if (agon_i == {}) {{\n{}  }}\n", i, change);
  }
  return text;
}

std::string HarnessWriter::returned(const std::string& name,
                                    const ir::Type* type,
                                    const std::string& result) const {
  std::string text;
  const auto is_simple = [](const ir::Type& each) {
    return each.kind != ir::TypeKind::Pointer &&
           each.kind != ir::TypeKind::Float &&
           each.kind != ir::TypeKind::Struct && each.size <= 8;
  };
  const bool is_plain = type == nullptr
                            ? result != kPointer
                            : is_simple(program_.types[type->element]);
  if (is_plain) {
    return fmt::format("  return ({})agon_rows[agon_i].value;\n", result);
  }
  for (std::size_t i = 0; i < script_.steps.size(); ++i) {
    const ScriptStep& step = script_.steps[i];
    if (step.kind != ScriptStep::Kind::Call || step.routine != name ||
        step.results.empty()) {
      continue;
    }
    std::span<const Bits> results = step.results;
    text += fmt::format("  if (agon_i == {}) return {};\n", i,
                        type == nullptr
                            ? pointer(results.front(), &step)
                            : take_value(type->element, results, &step));
  }
  if (type == nullptr) return text + "  return 0;\n";
  std::span<const Bits> nothing;
  return text + fmt::format("  return {};\n",
                            take_value(type->element, nothing, nullptr));
}

/// Of an input routine that the program may not even declare.
std::string HarnessWriter::nondet_type(const std::string& name) {
  static const std::map<std::string, std::string> types{
      {"bool", "_Bool"},
      {"char", "char"},
      {"uchar", "unsigned char"},
      {"schar", "signed char"},
      {"short", "short"},
      {"ushort", "unsigned short"},
      {"int", "int"},
      {"uint", "unsigned int"},
      {"unsigned", "unsigned int"},
      {"u32", "unsigned int"},
      {"long", "long"},
      {"ulong", "unsigned long"},
      {"size_t", "unsigned long"},
      {"pointer", kPointer}};
  const std::string_view start = "__VERIFIER_nondet_";
  if (name.starts_with(start)) {
    const auto found = types.find(name.substr(start.size()));
    if (found != types.end()) return found->second;
  }
  return "long long";
}

/// Functions of the program that are observed.
std::string HarnessWriter::observers() const {
  std::set<std::pair<ScriptStep::Kind, std::string>> observed;
  for (const ScriptStep& step : script_.steps) {
    if (step.kind != ScriptStep::Kind::Call) {
      observed.emplace(step.kind, step.routine);
    }
  }
  std::string enter;
  std::string leave;
  for (const auto& [kind, name] : observed) {
    if (!includes_) declare_function(name);
    std::string& text = kind == ScriptStep::Kind::Enter ? enter : leave;
    text += fmt::format(
        "  if (agon_runs && f == (void *){}) agon_next(\"{} {}\");\n", name,
        kind == ScriptStep::Kind::Enter ? "enter" : "leave", name);
  }
  if (includes_) {
    for (const std::string& name : question_.around.errors) {
      if (!question_.around.defined.contains(name)) continue;
      enter +=
          fmt::format("  if (f == (void *){}) agon_action(\"error\");\n", name);
    }
  }
  if (enter.empty() && leave.empty()) return "";
  return fmt::format(
      "{}AGON void __cyg_profile_func_enter(void *f, void *from) {{\n{}}}\n"
      "AGON void __cyg_profile_func_exit(void *f, void *from) {{\n{}}}\n",
      functions_, enter, leave);
}

void HarnessWriter::declare_function(const std::string& name) const {
  functions_ += fmt::format("extern void {}();\n", name);
}

std::string HarnessWriter::call_target() const {
  const auto entry = program_.find_function(recording_.entry);
  const ir::Type* const type = type_of(question_.target);
  if (!entry || type == nullptr) throw Impossible{"the target is not known"};
  std::vector<Bits> given;
  for (const ir::VariableId parameter : program_[*entry].parameters) {
    given.push_back(argument(parameter));
  }
  std::size_t num_parts = 0;
  for (const ir::TypeId each : type->parameters) {
    num_parts += parts(each).size();
  }
  if (given.size() != num_parts) {
    throw Impossible{"the target takes a struct or union that is not plain"};
  }
  std::string types;
  std::string arguments;
  std::span<const Bits> rest = given;
  for (std::size_t i = 0; i < type->parameters.size(); ++i) {
    const char* const comma = i == 0 ? "" : ", ";
    const ir::TypeId of = type->parameters[i];
    const bool is_struct = program_.types[of].kind == ir::TypeKind::Struct;
    const std::string argument = take_value(of, rest, nullptr);
    types += comma + c_type(of);
    // What is included has a type of its own.
    arguments +=
        comma +
        (includes_ && is_struct
             ? fmt::format("*({} *)&{}", program_.types.to_string(of), argument)
             : argument);
  }
  const std::string result = c_type(type->element);
  std::string text;
  if (!includes_) {
    text += fmt::format("extern {} {}({});\n", result, question_.target,
                        types.empty() ? "void" : types);
  }
  text +=
      "__attribute__((constructor)) AGON static void agon_run(void) {\n"
      "  agon_start();\n  agon_set_up();\n  agon_runs = 1;\n";
  const bool is_kept =
      result != "void" &&
      !(includes_ && type->element.valid() &&
        program_.types[type->element].kind == ir::TypeKind::Struct);
  text += fmt::format("  {}{}({});\n  agon_runs = 0;\n",
                      is_kept ? "const " + result + " r = " : "",
                      question_.target, arguments);
  text += last_actions(type->element, result);
  text += "  agon_lost(\"the end\");\n}\n";
  if (!defines_main()) text += "AGON int main(void) { return 3; }\n";
  return text;
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
