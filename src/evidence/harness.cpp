// SPDX-License-Identifier: Apache-2.0
// The harness has a table of what happens around the program, in order. Each
// routine that it stands for looks up the next row, and says so if the program
// has called another one. It is linked in front of the program, so that its
// routines come before those that the program defines.
//
// Memory from outside the program is mapped where the recording has it, so that
// pointers are the same; what points to an object of the program is written
// with its name.
#include "evidence/harness.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "evidence/harness_text.h"
#include "evidence/playback.h"

namespace agon::evidence {
namespace {

using term::Bits;

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kFirstMapped = 0x10000;

/// Why there can be no harness.
struct Impossible {
  std::string why;
};

Bits number(const std::string& digits) {
  Bits value = 0;
  for (const char digit : digits) {
    value = value * 10 + static_cast<unsigned>(digit - '0');
  }
  return value;
}

std::string literal(Bits value) {
  return fmt::format("{:#x}ULL", static_cast<std::uint64_t>(value));
}

class HarnessWriter {
 public:
  HarnessWriter(const HarnessQuestion& question, const std::string& path)
      : question_(question),
        program_(question.program),
        recording_(question.recording),
        path_(path),
        script_(make_script(question.program, question.recording,
                            question.around, question.target)) {
    for (const Recording::Answer& answer : recording_.answers) {
      if (answer.kind != Recording::Kind::Object || answer.values.empty()) {
        continue;
      }
      const ir::ObjectId id =
          program_.object_of(program_.pool->find(answer.name));
      if (!id.valid()) continue;
      placed_.emplace_back(
          static_cast<std::uint64_t>(number(answer.values.front())),
          program_[id].size);
    }
  }

  Harness run() {
    choose_form();
    if (!includes_) define_globals();
    const std::string set_up = set_up_memory() + set_up_globals();
    const std::string stubs = routines();
    const std::string call = call_target();
    std::string text = fmt::format("/* {} && ./a.out */\n", command());
    text +=
        "/* Made by Agon: runs a recorded violation. Exit code 1 where it "
        "happens. */\n";
    for (const std::string& each : script_.not_fed) {
      text += fmt::format("/* Not in the hands of a harness: {} */\n", each);
    }
    if (includes_) text += fmt::format("#include \"{}\"\n", included());
    text += kHarnessRuntime;
    if (finds_) text += kHarnessFind;
    text += declarations_;
    text += table();
    text += kHarnessControl;
    text += question_.overflow_is_error ? kHarnessTrap : kHarnessNoTrap;
    if (!includes_ || !question_.around.defined.contains("__VERIFIER_assume")) {
      text += kHarnessAssume;
    }
    text += stubs;
    text += observers();
    text += "static void agon_set_up(void) {\n" + set_up + "}\n";
    text += call;
    return {std::move(text), script_.not_fed, ""};
  }

 private:
  // How the program and the harness get together.

  bool is_static_target() const {
    const auto found = program_.find_function(question_.target);
    return !found || program_[*found].is_static;
  }

  void choose_form() {
    includes_ = is_static_target();
    for (const std::string& name : question_.around.errors) {
      const auto found = program_.find_function(name);
      if (found && program_[*found].has_body && program_[*found].is_static) {
        includes_ = true;
      }
    }
    for (const Recording::Named& each : recording_.initial) {
      const ir::Variable* const variable = global(each.name);
      if (variable == nullptr || !differs(*variable, each)) continue;
      if (is_inside(variable->name)) continue;
      if (variable->is_static ||
          variable->display.find('.') != std::string::npos) {
        includes_ = true;
      }
    }
    if (!recording_.any_state) return;
    for (const auto& [id, address] : script_.objects) {
      const ir::Object& object = program_[id];
      if (object.is_static && !object.is_constant && !is_inside(object.name) &&
          is_touched(id, address)) {
        includes_ = true;
      }
    }
  }

  const ir::Variable* global(const std::string& name) const {
    const ir::VariableId id = program_.variable_of(program_.pool->find(name));
    return id.valid() && program_[id].kind == ir::VariableKind::Global
               ? &program_[id]
               : nullptr;
  }

  /// Whether a global starts with another value than C gives it.
  bool differs(const ir::Variable& variable,
               const Recording::Named& value) const {
    const ir::VariableId id = question_.original.variable_of(variable.term);
    if (!id.valid()) return true;
    const term::Term initial = question_.original[id].initial;
    return !initial.valid() || !initial.is_constant() ||
           initial.value() != number(value.value);
  }

  bool is_touched(ir::ObjectId id, std::uint64_t address) const {
    const auto first = script_.touched.lower_bound(address);
    return first != script_.touched.end() &&
           *first < address + program_[id].size;
  }

  /// The file that defines the target.
  std::string included() const {
    for (const ir::Function& function : program_.functions) {
      if (function.display == question_.target && function.has_body &&
          function.position.line != 0) {
        const std::string& file =
            program_.files[function.position.file.index()];
        if (std::ranges::count(question_.files, file) > 0) return file;
      }
    }
    return question_.files.front();
  }

  std::string command() const {
    std::string words = "gcc -w -fwrapv -fno-builtin";
    if (program_.pointer_width() == 32) words += " -m32";
    words += " -ftrivial-auto-var-init=zero";
    if (question_.overflow_is_error) {
      words +=
          " -fsanitize=signed-integer-overflow "
          "-fsanitize-undefined-trap-on-error";
      words.replace(words.find(" -fwrapv"), 8, "");
    }
    const bool instruments =
        includes_ || std::ranges::any_of(script_.steps, [](const auto& step) {
          return step.kind != ScriptStep::Kind::Call;
        });
    if (instruments) words += " -finstrument-functions";
    if (includes_) words += " -I.";
    for (const std::string& word : question_.arguments) words += " " + word;
    words += " -Wl,-z,muldefs " + path_;
    for (const std::string& file : question_.files) {
      if (!includes_ || file != included()) words += " " + file;
    }
    return words;
  }

  // Types, as far as the calling convention is concerned.

  std::string c_type(ir::TypeId id) const {
    static constexpr std::array<const char*, 17> kIntegers = {
        "", "char", "short", "", "int", "", "", "",        "long long",
        "", "",     "",      "", "",    "", "", "__int128"};
    const ir::Type& type = program_.types[id];
    switch (type.kind) {
      case ir::TypeKind::Void:
        return "void";
      case ir::TypeKind::Bool:
        return "_Bool";
      case ir::TypeKind::Pointer:
        return "void *";
      case ir::TypeKind::Float:
        return type.size == 4   ? "float"
               : type.size == 8 ? "double"
                                : "long double";
      case ir::TypeKind::Integer:
      case ir::TypeKind::Enum:
        return fmt::format(
            "{} {}", type.is_signed ? "signed" : "unsigned",
            kIntegers.at(std::min<std::uint64_t>(type.size, 16)));
      default:
        throw Impossible{fmt::format("a value of type '{}' is passed",
                                     program_.types.to_string(id))};
    }
  }

  /// A value of a type as an expression; pointers may need the arguments.
  std::string value(ir::TypeId id, Bits bits, const ScriptStep* step) const {
    const ir::Type& type = program_.types[id];
    if (type.kind == ir::TypeKind::Pointer) return pointer(bits, step);
    if (type.kind == ir::TypeKind::Float) {
      if (type.size > 8) throw Impossible{"a long double is passed"};
      return fmt::format("agon_{}({})", type.size == 4 ? "float" : "double",
                         literal(bits));
    }
    return fmt::format("({}){}", c_type(id), literal(bits));
  }

  // Addresses.

  struct InObject {
    ir::ObjectId id;
    std::uint64_t offset = 0;
  };
  std::optional<InObject> object_at(std::uint64_t address) const {
    for (const auto& [id, first] : script_.objects) {
      if (address >= first && address - first < program_[id].size) {
        return InObject{id, address - first};
      }
    }
    return std::nullopt;
  }

  bool is_outside(std::uint64_t address) const {
    const unsigned width = program_.pointer_width();
    const bool is_placed =
        std::ranges::any_of(placed_, [&](const auto& object) {
          return address >= object.first &&
                 address - object.first < object.second;
        });
    return address >= kFirstMapped && address < first_address(width) &&
           !is_placed && !object_at(address) &&
           (width == 64 || address < (std::uint64_t{1} << 30));
  }

  /// The address as an expression of type `unsigned char *`.
  std::string pointer(Bits wide, const ScriptStep* step) const {
    const auto address = static_cast<std::uint64_t>(wide);
    if (address == 0) return "(void *)0";
    if (const auto found = object_at(address)) {
      return fmt::format("((unsigned char *){} + {})", symbol(found->id),
                         found->offset);
    }
    if (step != nullptr) {
      // Next to something that the routine was given.
      for (std::size_t i = 0; i < step->arguments.size(); ++i) {
        const auto given = static_cast<std::uint64_t>(step->arguments[i]);
        if (given >= kFirstMapped && !is_outside(given) && address >= given &&
            address - given < kPage) {
          return fmt::format("((unsigned char *)a{} + {})", i, address - given);
        }
      }
    }
    return fmt::format("((unsigned char *){:#x})", address);
  }

  std::string symbol(ir::ObjectId id) const {
    const ir::Object& object = program_[id];
    if (is_inside(object.name)) return find(object.name);
    if (includes_) return "&" + object.display;
    if (object.is_static) {
      throw Impossible{fmt::format("'{}' is static", object.display)};
    }
    define(object);
    return object.display;
  }

  /// Whether it is a static variable of a function.
  static bool is_inside(const std::string& name) {
    return name.find("::") != std::string::npos;
  }

  /// Where such a variable is, as an expression.
  std::string find(const std::string& name) const {
    const std::string inner = name.substr(name.rfind("::") + 2);
    const auto is_letter = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    };
    if (!std::ranges::all_of(inner, is_letter)) {
      throw Impossible{
          fmt::format("'{}', inside of a function, has no plain name", inner)};
    }
    finds_ = true;
    return fmt::format("agon_find(\"{}\")", inner);
  }

  void declare(const std::string& line) const {
    if (declarations_.find("\n" + line) == std::string::npos) {
      declarations_ += line;
    }
  }

  /// What no file of the program defines is defined here; what one defines
  /// there, or the library, stays what it is.
  void define(const ir::Position& position, const std::string& what) const {
    const bool is_known =
        position.file.valid() &&
        !program_.files[position.file.index()].starts_with("/usr/");
    declare(is_known
                ? fmt::format("__attribute__((weak, aligned(16))) {};\n", what)
                : fmt::format("extern {};\n", what));
  }

  void define_globals() const {
    for (const ir::Variable& variable : program_.variables) {
      const bool is_whole = variable.display.find('.') == std::string::npos;
      if (variable.kind == ir::VariableKind::Global && !variable.is_static &&
          variable.type.valid() && is_whole) {
        define(variable);
      }
    }
    for (const ir::Object& object : program_.objects) {
      if (object.kind == ir::ObjectKind::Global && !object.is_static) {
        define(object);
      }
    }
  }

  void define(const ir::Variable& variable) const {
    define(variable.position,
           fmt::format("{} {}", c_type(variable.type), variable.display));
  }

  void define(const ir::Object& object) const {
    define(object.position,
           fmt::format("unsigned char {}[{}]", object.display,
                       std::max<std::uint64_t>(object.size, 1)));
  }

  /// Writes bytes, and pointers to objects of the program as such.
  std::string write_memory(const std::vector<Recording::Cell>& cells,
                           const ScriptStep* step) const {
    std::map<std::uint64_t, std::uint8_t> bytes;
    for (const Recording::Cell& cell : cells) bytes[cell.address] = cell.byte;
    const unsigned size = program_.pointer_width() / 8;
    std::string result;
    for (auto at = bytes.begin(); at != bytes.end();) {
      std::uint64_t whole = 0;
      auto end = at;
      for (unsigned i = 0;
           i < size && end != bytes.end() && end->first == at->first + i;
           ++i, ++end) {
        whole |= std::uint64_t{end->second} << (8 * i);
      }
      const bool is_whole = std::distance(at, end) == size;
      const std::string place = writable(at->first, step);
      if (is_whole && at->first % size == 0 && object_at(whole)) {
        result +=
            fmt::format("  *(void **){} = {};\n", place, pointer(whole, step));
        at = end;
      } else {
        result += fmt::format("  *{} = {};\n", place, at->second);
        ++at;
      }
    }
    return result;
  }

  std::string writable(std::uint64_t address, const ScriptStep* step) const {
    std::string place = pointer(address, step);
    if (place.find("0x") == std::string::npos || is_outside(address)) {
      return place;
    }
    throw Impossible{
        fmt::format("memory is changed at {:#x}, which the routine that "
                    "changes it was not given",
                    address)};
  }

  // The start.

  std::string set_up_memory() const {
    std::set<std::uint64_t> pages;
    for (const std::uint64_t address : script_.touched) {
      if (is_outside(address)) {
        pages.insert(address / kPage);
      } else if (address < kFirstMapped) {
        throw Impossible{fmt::format(
            "memory is used at {:#x}, where no process has any", address)};
      }
    }
    std::string result;
    for (const std::uint64_t page : pages) {
      result += fmt::format("  agon_map({:#x});\n", page * kPage);
    }
    std::vector<Recording::Cell> outside;
    for (const Recording::Cell& cell : recording_.memory) {
      if (is_outside(cell.address)) outside.push_back(cell);
    }
    return result + write_memory(outside, nullptr);
  }

  std::string set_up_globals() const {
    std::string result;
    for (const Recording::Named& each : recording_.initial) {
      const ir::Variable* const variable = global(each.name);
      if (variable == nullptr || !differs(*variable, each)) continue;
      result += assign(*variable, number(each.value), nullptr);
    }
    if (!recording_.any_state) return result;
    for (const auto& [id, address] : script_.objects) {
      const ir::Object& object = program_[id];
      if (object.is_constant || !is_touched(id, address)) continue;
      result += fmt::format("  agon_clear({}, {});\n", symbol(id), object.size);
      std::vector<Recording::Cell> inside;
      for (const Recording::Cell& cell : recording_.memory) {
        if (cell.address >= address && cell.address - address < object.size) {
          inside.push_back(cell);
        }
      }
      result += write_memory(inside, nullptr);
    }
    return result;
  }

  std::string assign(const ir::Variable& variable, Bits bits,
                     const ScriptStep* step) const {
    if (is_inside(variable.name)) {
      return fmt::format("  *({} *){} = {};\n", c_type(variable.type),
                         find(variable.name), value(variable.type, bits, step));
    }
    if (!includes_) {
      if (variable.is_static) {
        throw Impossible{fmt::format("'{}' is static", variable.display)};
      }
      define(variable);
    }
    return fmt::format("  {} = {};\n", variable.display,
                       value(variable.type, bits, step));
  }

  // Routines.

  std::string table() const {
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
    return text + fmt::format("enum {{ agon_all_actions = {} }};\n",
                              recording_.actions.size());
  }

  static std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') result += '\\';
      result += c;
    }
    return result + "\"";
  }

  std::string routines() const {
    std::set<std::string> names = question_.around.undefined;
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

  const ir::Type* type_of(const std::string& name) const {
    for (const ir::Function& function : program_.functions) {
      if (function.display == name && function.type.valid() &&
          function.name.find(" ") == std::string::npos) {
        return &program_.types[function.type];
      }
    }
    return nullptr;
  }

  std::string routine(const std::string& name) const {
    if (includes_ && question_.around.defined.contains(name)) {
      throw Impossible{fmt::format("'{}' would be defined twice", name)};
    }
    const ir::Type* const type = type_of(name);
    const std::string result =
        type != nullptr ? c_type(type->element) : nondet_type(name);
    std::string parameters;
    for (std::size_t i = 0; type != nullptr && i < type->parameters.size();
         ++i) {
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
    text += effects(name);
    if (result != "void") text += returned(name, type, result);
    return text + "}\n";
  }

  std::string effects(const std::string& name) const {
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

  std::string returned(const std::string& name, const ir::Type* type,
                       const std::string& result) const {
    std::string text;
    const bool is_simple =
        type == nullptr ||
        (program_.types[type->element].kind != ir::TypeKind::Pointer &&
         program_.types[type->element].kind != ir::TypeKind::Float);
    if (is_simple) {
      return fmt::format("  return ({})agon_rows[agon_i].value;\n", result);
    }
    for (std::size_t i = 0; i < script_.steps.size(); ++i) {
      const ScriptStep& step = script_.steps[i];
      if (step.kind != ScriptStep::Kind::Call || step.routine != name ||
          step.results.empty() || step.results.front() == 0) {
        continue;
      }
      text += fmt::format("  if (agon_i == {}) return {};\n", i,
                          value(type->element, step.results.front(), &step));
    }
    return text + "  return 0;\n";
  }

  /// Of an input routine that the program may not even declare.
  static std::string nondet_type(const std::string& name) {
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
        {"size_t", "unsigned long"}};
    const std::string_view start = "__VERIFIER_nondet_";
    if (name.starts_with(start)) {
      const auto found = types.find(name.substr(start.size()));
      if (found != types.end()) return found->second;
    }
    return "long long";
  }

  /// Functions of the program that are observed.
  std::string observers() const {
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
        enter += fmt::format("  if (f == (void *){}) agon_action(\"error\");\n",
                             name);
      }
    }
    if (enter.empty() && leave.empty()) return "";
    return fmt::format(
        "{}AGON void __cyg_profile_func_enter(void *f, void *from) {{\n{}}}\n"
        "AGON void __cyg_profile_func_exit(void *f, void *from) {{\n{}}}\n",
        functions_, enter, leave);
  }

  void declare_function(const std::string& name) const {
    functions_ += fmt::format("extern void {}();\n", name);
  }

  std::string call_target() const {
    const auto entry = program_.find_function(recording_.entry);
    const ir::Type* const type = type_of(question_.target);
    if (!entry || type == nullptr) throw Impossible{"the target is not known"};
    const auto& parameters = program_[*entry].parameters;
    if (parameters.size() != type->parameters.size()) {
      throw Impossible{"the target takes a struct"};
    }
    std::string types;
    std::string arguments;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const char* const comma = i == 0 ? "" : ", ";
      types += comma + c_type(type->parameters[i]);
      arguments +=
          comma + value(type->parameters[i], argument(parameters[i]), nullptr);
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
    text += fmt::format("  {}{}({});\n  agon_runs = 0;\n",
                        result == "void" ? "" : "const " + result + " r = ",
                        question_.target, arguments);
    text += last_actions(type->element, result);
    text += "  agon_lost(\"the end\");\n}\n";
    if (!defines_main()) text += "AGON int main(void) { return 3; }\n";
    return text;
  }

  bool defines_main() const {
    return question_.around.defined.contains("main");
  }

  Bits argument(ir::VariableId parameter) const {
    for (const Recording::Named& each : recording_.initial) {
      if (each.name == program_[parameter].name) return number(each.value);
    }
    return 0;
  }

  std::string last_actions(ir::TypeId id, const std::string& result) const {
    std::string text;
    if (script_.last_actions.empty() || !script_.results) return text;
    if (result != "void" && !script_.results->empty() &&
        program_.types[id].kind != ir::TypeKind::Float) {
      text += fmt::format("  if (r != {}) agon_lost(\"another result\");\n",
                          value(id, script_.results->front(), nullptr));
    }
    for (const std::string& action : script_.last_actions) {
      text += fmt::format("  agon_action({});\n", quoted(action));
    }
    return text;
  }

  const HarnessQuestion& question_;
  const ir::Program& program_;
  const Recording& recording_;
  const std::string& path_;
  Script script_;
  /// Where objects lie that the prepared program has too, and their sizes.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> placed_;
  bool includes_ = false;
  mutable bool finds_ = false;  // Looks for static variables of functions.
  mutable std::string declarations_ = "\n";
  mutable std::string functions_;
};

}  // namespace

Harness make_harness(const HarnessQuestion& question, const std::string& path) {
  if (question.recording.is_branch) {
    return {"", {}, "one execution does not show the violation"};
  }
  try {
    return HarnessWriter(question, path).run();
  } catch (const Impossible& impossible) {
    return {"", {}, impossible.why};
  }
}

}  // namespace agon::evidence
