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
#include <ranges>
#include <set>

#include "evidence/harness_text.h"
#include "evidence/harness_writer.h"
#include "ir/routines.h"

namespace agon::evidence {
std::string literal(Bits value) {
  const auto low = static_cast<std::uint64_t>(value);
  const auto high = static_cast<std::uint64_t>(value >> 64);
  if (high == 0) return fmt::format("{:#x}ULL", low);
  return fmt::format("((unsigned __int128){:#x}ULL << 64 | {:#x}ULL)", high,
                     low);
}

HarnessWriter::HarnessWriter(const HarnessQuestion& question,
                             const std::string& path)
    : question_(question),
      program_(question.program),
      recording_(question.recording),
      path_(path),
      script_(make_script(question.program, question.recording, question.around,
                          question.target)) {
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
  for (std::size_t i = 0; i < script_.steps.size(); ++i) {
    const std::vector<Bits>& arguments = script_.steps[i].arguments;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      const auto address = static_cast<std::uint64_t>(arguments[k]);
      if (address >= kFirstMapped &&
          (!is_outside(address) || is_end_of_local(address))) {
        given_.push_back({i, k, address});
      }
    }
  }
}

Harness HarnessWriter::run() {
  choose_form();
  if (includes_) {
    define_missing();
  } else {
    define_globals();
  }
  std::string set_up = set_up_memory() + set_up_globals();
  std::string stubs = routines();
  if (keeps_) stubs = routines();  // What later ones need is known now.
  for (const std::string& name : replaced_) {
    set_up += fmt::format("  agon_replace(\"{0}\", agon_do_{0});\n", name);
  }
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

bool HarnessWriter::is_static_target() const {
  const auto is_static = [&](const std::string& name) {
    const auto found = program_.find_function(name);
    return !found || program_[*found].is_static;
  };
  return script_.calls.empty() ? is_static(question_.target)
                               : std::ranges::any_of(script_.calls, is_static,
                                                     &ClientCall::function);
}

/// Whether something from outside points to what is static, or changes it.
bool HarnessWriter::reaches_statics() const {
  const auto is_static = [&](Bits value) {
    const auto address = static_cast<std::uint64_t>(value);
    const auto* const function = function_at(address);
    const auto object = object_at(address);
    return (function != nullptr && function->is_static) ||
           (object && program_[object->id].is_static &&
            !is_inside(program_[object->id].name));
  };
  const auto is_changed = [&](const Recording::Named& each) {
    const ir::Variable* const variable = global(each.name);
    return variable != nullptr && variable->is_static &&
           !is_inside(variable->name);
  };
  return std::ranges::any_of(recording_.initial,
                             [&](const Recording::Named& each) {
                               return is_static(number(each.value));
                             }) ||
         std::ranges::any_of(script_.steps, [&](const ScriptStep& step) {
           return std::ranges::any_of(step.results, is_static) ||
                  std::ranges::any_of(step.globals, is_changed) ||
                  std::ranges::any_of(step.memory,
                                      [&](const Recording::Cell& cell) {
                                        return is_static(cell.address);
                                      });
         });
}

void HarnessWriter::choose_form() {
  includes_ = is_static_target() || reaches_statics();
  for (const std::string& name : question_.around.errors) {
    const auto found = program_.find_function(name);
    if (found && program_[*found].has_body && program_[*found].is_static) {
      includes_ = true;
    }
  }
  for (const ScriptStep& step : script_.steps) {
    const auto found = program_.find_function(step.routine);
    if (step.kind != ScriptStep::Kind::Call && found &&
        program_[*found].is_static) {
      includes_ = true;  // Who watches it has to name it.
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

const ir::Variable* HarnessWriter::global(const std::string& name) const {
  const ir::VariableId id = program_.variable_of(program_.pool->find(name));
  return id.valid() && program_[id].kind == ir::VariableKind::Global
             ? &program_[id]
             : nullptr;
}

/// Whether a global starts with another value than C gives it.
bool HarnessWriter::differs(const ir::Variable& variable,
                            const Recording::Named& value) const {
  const ir::VariableId id = question_.original.variable_of(variable.term);
  if (!id.valid()) return true;
  const term::Term initial = question_.original[id].initial;
  return !initial.valid() || !initial.is_constant() ||
         initial.value() != number(value.value);
}

bool HarnessWriter::is_touched(ir::ObjectId id, std::uint64_t address) const {
  const auto first = script_.touched.lower_bound(address);
  return first != script_.touched.end() && *first < address + program_[id].size;
}

/// The file that defines the target.
std::string HarnessWriter::included() const {
  const std::string& target =
      script_.calls.empty() ? question_.target : script_.calls.front().function;
  for (const ir::Function& function : program_.functions) {
    if (function.display == target && function.has_body &&
        function.position.line != 0) {
      const std::string& file = program_.files[function.position.file.index()];
      if (std::ranges::count(question_.files, file) > 0) return file;
    }
  }
  return question_.files.front();
}

std::string HarnessWriter::command() const {
  std::string words = "gcc -w -D__NO_CTYPE -fwrapv -fno-builtin";
  if (program_.pointer_width() == 32) words += " -m32";
  words += " -ftrivial-auto-var-init=zero";
  if (question_.overflow_is_error) {
    // With -ftrapv gcc computes what it would otherwise know without.
    words +=
        " -ftrapv -fsanitize=signed-integer-overflow,shift "
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
  std::set<std::string> fallible;
  for (const ScriptStep& step : script_.steps) {
    if (const auto name = ir::allocator_of(step.routine))
      fallible.insert(*name);
  }
  for (const std::string& name : fallible) words += " -Wl,--wrap=" + name;
  // What nothing calls need not be there.
  words += " -ffunction-sections -fdata-sections -Wl,--gc-sections,-z,muldefs ";
  words += path_;
  for (const std::string& file : question_.files) {
    if (!includes_ || file != included()) words += " " + file;
  }
  return words + " -lm";
}

std::string HarnessWriter::symbol(ir::ObjectId id) const {
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
bool HarnessWriter::is_inside(const std::string& name) {
  return name.find("::") != std::string::npos;
}

/// Where such a variable is, as an expression.
std::string HarnessWriter::find(const std::string& name) const {
  const std::string inner = name.substr(name.rfind("::") + 2);
  const auto is_letter = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  if (!std::ranges::all_of(inner, is_letter)) {
    throw Impossible{
        fmt::format("'{}', inside of a function, has no plain name", inner)};
  }
  finds_ = true;
  return fmt::format("agon_find(\"{}\", 1)", inner);
}

void HarnessWriter::declare(const std::string& line) const {
  if (declarations_.find("\n" + line) == std::string::npos) {
    declarations_ += line;
  }
}

/// What no file of the program defines is defined here; what one defines
/// there, or the library, stays what it is.
void HarnessWriter::define(const ir::Position& position,
                           const std::string& what) const {
  declare(is_of_user(position)
              ? fmt::format("__attribute__((weak, aligned(16))) {};\n", what)
              : fmt::format("extern {};\n", what));
}

void HarnessWriter::define_globals() const {
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

/// Where the files of the program are a part of the harness, what they may only
/// declare; a definition that is there stays what it is.
void HarnessWriter::define_missing() const {
  const auto add = [&](const ir::Position& position, const std::string& name) {
    if (is_of_user(position))
      declare(fmt::format("__typeof__({0}) {0};\n", name));
  };
  for (const ir::Variable& variable : program_.variables) {
    const bool is_whole = variable.display.find('.') == std::string::npos;
    if (variable.kind == ir::VariableKind::Global && !variable.is_static &&
        variable.type.valid() && is_whole && !variable.initial.valid()) {
      add(variable.position, variable.display);
    }
  }
  for (const ir::Object& object : program_.objects) {
    const bool is_defined =
        object.is_zeroed || !object.initial.empty() || !object.bytes.empty();
    if (object.kind == ir::ObjectKind::Global && !object.is_static &&
        !is_defined) {
      add(object.position, object.display);
    }
  }
}

bool HarnessWriter::is_of_user(const ir::Position& position) const {
  return position.file.valid() &&
         !program_.files[position.file.index()].starts_with("/usr/");
}

void HarnessWriter::define(const ir::Variable& variable) const {
  define(variable.position,
         fmt::format("{} {}", c_type(variable.type), variable.display));
}

void HarnessWriter::define(const ir::Object& object) const {
  define(object.position, fmt::format("unsigned char {}[{}]", object.display,
                                      std::max<std::uint64_t>(object.size, 1)));
}

std::string HarnessWriter::set_up_globals() const {
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

std::string HarnessWriter::assign(const ir::Variable& variable, Bits bits,
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
