// SPDX-License-Identifier: Apache-2.0
// The routines that a harness stands for, and those that only watch.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "evidence/harness_writer.h"
#include "ir/library.h"
#include "ir/routines.h"

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
    if (question_.around.errors.contains(name)) continue;
    const auto allocator = ir::allocator_of(name);
    text += allocator ? fallible(*allocator, name) : routine(name);
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
  for (const OutsideFunction& function : script_.outside) {
    if (function.name == name && function.type.valid()) {
      return &program_.types[function.type];
    }
  }
  for (const ir::Function& function : program_.functions) {
    if (function.display == name && function.type.valid() &&
        function.name.find(" ") == std::string::npos) {
      return &program_.types[function.type];
    }
  }
  return nullptr;
}

/// Whether it has to be replaced when the program runs, since linking cannot do
/// it: the files define it as static, or it is in the file that is included.
bool HarnessWriter::is_fixed(const std::string& name) const {
  return question_.around.statics.contains(name) ||
         (includes_ && question_.around.defined.contains(name));
}

std::string HarnessWriter::routine(const std::string& name) const {
  if (is_fixed(name)) {
    if (!is_called(name)) return "";
    finds_ = true;
    replaced_.insert(name);
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
  std::string text;
  if (!is_fixed(name)) text = fmt::format("{} __asm__(\"{}\");\n", head, name);
  text += head + " {\n";
  text += fmt::format("  const unsigned agon_i = agon_next(\"{}\");\n", name);
  if (keeps_ && type != nullptr) text += keep_arguments(*type);
  text += effects(name);
  if (result != "void") text += returned(name, type, result);
  return text + "}\n";
}

/// Whether the harness stands for a routine, and the program calls it.
bool HarnessWriter::is_called(const std::string& name) const {
  return std::ranges::any_of(script_.steps, [&](const ScriptStep& step) {
    return step.kind == ScriptStep::Kind::Call && step.routine == name;
  });
}

/// The linker calls this one in its place; `input` decides whether it fails.
/// One with events returns what the harness says, null too.
std::string HarnessWriter::fallible(const std::string& allocator,
                                    const std::string& input) const {
  return fmt::format(
      "extern void *__real_{0}(unsigned long, unsigned long);\n"
      "AGON void *__wrap_{0}(unsigned long a, unsigned long b) {{\n"
      "  const int fails = agon_rows[agon_next(\"{1}\")].value != 0;\n"
      "  if (fails && {2}) return 0;\n"
      "  return __real_{0}(a, b);\n}}\n",
      allocator, input, is_called(allocator) ? 0 : 1);
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
    bases_.clear();
    finds_bases_ = true;
    std::string change = write_memory(step.memory, &step);
    finds_bases_ = false;
    for (const Recording::Named& each : step.globals) {
      const ir::Variable* const variable = global(each.name);
      if (variable == nullptr) continue;
      change += assign(*variable, number(each.value), &step);
    }
    if (change.empty()) continue;
    std::string bases;
    for (std::size_t k = 0; k < bases_.size(); ++k) {
      bases += fmt::format("  unsigned char *const agon_base_{} = {};\n", k,
                           bases_[k]);
    }
    text += fmt::format("  if (agon_i == {}) {{\n{}{}  }}\n", i, bases, change);
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

}  // namespace agon::evidence
