// SPDX-License-Identifier: Apache-2.0
#include "verify/dialogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "analysis/callbacks.h"
#include "ir/client.h"
#include "ir/print.h"
#include "verify/readable.h"

namespace agon::verify {
namespace {

constexpr const char* kAny = "_";

class Listener {
 public:
  Listener(const ModuleFunctions& functions, const ir::Program& program,
           const abstraction::Blocks& blocks)
      : functions_(functions), program_(program), blocks_(blocks) {}

  std::vector<std::string> run(const refine::Execution& run) {
    for (const refine::Execution::Step& step : run.steps) {
      const ir::Edge& edge = blocks_.body().edge(step.edge);
      const ir::FunctionId action = blocks_.action(step.edge);
      if (action.valid()) act(program_[action].display, edge);
      if (const auto* assign = std::get_if<ir::Assign>(&edge.statement)) {
        set(assign->target, step.value);
      } else if (const auto* any = std::get_if<ir::Havoc>(&edge.statement)) {
        choose(any->target, step.value, any->source);
      }
    }
    if (has_returned_ && !open_.empty()) end();  // Where the run ends.
    return std::move(lines_);
  }

 private:
  /// A call that has not returned.
  struct Call {
    std::size_t function = 0;
    std::size_t line = 0;  ///< Where it is said; the arguments come later.
    std::vector<std::string> arguments;
    std::string result = kAny;
    bool is_outside = false;  ///< Waits for a routine that calls back.
  };

  void say(std::size_t depth, const std::string& what) {
    lines_.push_back(fmt::format("{:{}}{}", "", 2 * depth, what));
  }

  std::string text_of(const ir::Variable& variable,
                      const std::optional<term::Value>& value) const {
    if (!value || value->sort.is_array()) return kAny;
    if (variable.type.valid() &&
        program_.types[variable.type].kind == ir::TypeKind::Pointer) {
      return value->number == 0
                 ? "NULL"
                 : fmt::format("{:#x}",
                               static_cast<std::uint64_t>(value->number));
    }
    return number_text(program_, variable, *value);
  }

  void choose(ir::VariableId target, const std::optional<term::Value>& value,
              const std::string& source) {
    const ir::Variable& variable = program_[target];
    if (variable.display == ir::client_choice()) {
      begin(value ? static_cast<std::size_t>(value->number) : 0);
    } else if (!open_.empty()) {
      note(variable, text_of(variable, value), source);
    }
  }

  void set(ir::VariableId target, const std::optional<term::Value>& value) {
    const ir::Variable& variable = program_[target];
    const std::string text = text_of(variable, value);
    if (variable.display == analysis::kAbandoned && text == "1") {
      if (!open_.empty()) open_.back().is_outside = true;
    } else if (variable.display == analysis::kResuming && text == "1") {
      resume();
    } else if (!open_.empty()) {
      note(variable, text, "");
    }
  }

  void note(const ir::Variable& variable, const std::string& text,
            const std::string& source) {
    Call& call = open_.back();
    const ModuleFunction& function = functions_[call.function];
    const auto parameter =
        std::ranges::find(function.arguments, variable.display);
    if (parameter != function.arguments.end()) {
      call.arguments[static_cast<std::size_t>(
          parameter - function.arguments.begin())] = text;
      write_call(call, open_.size() - 1);
    } else if (std::ranges::count(function.results, variable.display) > 0) {
      call.result = text;
    } else if (!source.empty() && !source.starts_with("__") &&
               variable.kind != ir::VariableKind::Memory &&
               variable.kind != ir::VariableKind::Global) {
      say(open_.size(), fmt::format("outside: {} returns {}", source, text));
    }
  }

  void begin(std::size_t function) {
    if (!open_.empty() && !open_.back().is_outside) end();
    if (function >= functions_.size()) return;
    const std::size_t depth = open_.size();
    say(depth, "");
    open_.push_back({function,
                     lines_.size() - 1,
                     {functions_[function].arguments.size(), kAny},
                     kAny,
                     false});
    write_call(open_.back(), depth);
  }

  void write_call(const Call& call, std::size_t depth) {
    lines_[call.line] = fmt::format("{:{}}client: {}({})", "", 2 * depth,
                                    functions_[call.function].name,
                                    fmt::join(call.arguments, ", "));
  }

  /// The call that was made last has come to its end.
  void end() {
    const Call call = open_.back();
    open_.pop_back();
    const bool is_void = functions_[call.function].results.empty();
    say(open_.size(), is_void ? "module: returns"
                              : fmt::format("module: returns {}", call.result));
  }

  void resume() {
    if (!open_.empty() && !open_.back().is_outside) end();
    if (!open_.empty()) open_.back().is_outside = false;
  }

  /// Calls and returns are shown already.
  void act(const std::string& action, const ir::Edge& edge) {
    if (open_.empty()) return;
    const std::string& name = functions_[open_.back().function].name;
    has_returned_ = action.starts_with(name + ".return");
    if (has_returned_ || action == "call." + name) return;
    const std::string place =
        edge.position.line == 0
            ? std::string()
            : fmt::format(" at {}:{}",
                          program_.files[edge.position.file.index()],
                          edge.position.line);
    say(open_.size() - 1, fmt::format("module: {}{}", action, place));
  }

  const ModuleFunctions& functions_;
  const ir::Program& program_;
  const abstraction::Blocks& blocks_;
  std::vector<Call> open_;
  std::vector<std::string> lines_;
  bool has_returned_ = false;  // That was the last action.
};

}  // namespace

std::vector<std::string> dialogue(const ModuleFunctions& functions,
                                  const ir::Program& program,
                                  const abstraction::Blocks& blocks,
                                  const refine::Execution& run) {
  return Listener(functions, program, blocks).run(run);
}

}  // namespace agon::verify
