// SPDX-License-Identifier: Apache-2.0
#include "verify/invariants.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "ir/print.h"
#include "term/substitute.h"

namespace agon::verify {
namespace {

using term::Term;

class Invariants {
 public:
  using IsInScope =
      std::function<bool(const ir::Position&, const ir::Position&)>;

  Invariants(const Task& task, const abstraction::Blocks& blocks,
             const IsInScope& is_in_scope)
      : program_(task.program),
        original_(task.original->program),
        entry_(task.original->entry),
        blocks_(blocks),
        is_in_scope_(is_in_scope),
        style_(ir::c_style(task.program)) {
    for (const ir::Function& function : original_.functions) {
      for (const ir::Edge& edge : function.body.edges()) {
        const auto* const call = std::get_if<ir::Call>(&edge.statement);
        if (call != nullptr && call->callee.valid()) ++calls_[call->callee];
      }
    }
  }

  std::vector<evidence::LoopInvariant> run(
      abstraction::AbstractProgram& model) {
    std::map<ir::LocationId, std::set<std::string>> known;
    for (std::size_t i = 1; i < model.num_states(); ++i) {
      const auto state = lts::State::at(i);
      const ir::LocationId at = model.location(state);
      if (is_loop(at)) known[at].insert(conjunction(model.literals(state), at));
    }
    std::vector<evidence::LoopInvariant> result;
    for (const auto& [location, states] : known) {
      const ir::Edge& edge = first_edge(location);
      std::string value = fmt::format("{}", fmt::join(states, " || "));
      if (states.contains("1") || states.size() > kMostStates) value = "1";
      result.push_back({program_.files[edge.position.file.index()],
                        edge.position.line, edge.position.column,
                        original_[function_of(edge)].display,
                        std::move(value)});
    }
    return result;
  }

 private:
  static constexpr std::size_t kMostStates = 200;

  const ir::Edge& first_edge(ir::LocationId at) const {
    return blocks_.body().edge(blocks_.body().out_edges(at).front());
  }

  /// A head whose condition stands in a function that only one copy of was
  /// made: there may be states at others that slicing has removed.
  bool is_loop(ir::LocationId at) const {
    if (!at.valid() || blocks_.body().out_edges(at).empty()) return false;
    const ir::Edge& edge = first_edge(at);
    if (edge.position.line == 0) return false;
    for (ir::InlineId id = edge.inlined; id.valid();
         id = program_.inlined[id.index()].outer) {
      const auto callee = original_.find_function(
          program_[program_.inlined[id.index()].callee].name);
      if (!callee || !is_called_once(*callee)) return false;
    }
    return true;
  }

  bool is_called_once(ir::FunctionId function) const {
    const auto found = calls_.find(function);
    return !original_[function].address.valid() && found != calls_.end() &&
           found->second == 1;
  }

  /// The function of the source that an edge stands in.
  ir::FunctionId function_of(const ir::Edge& edge) const {
    if (!edge.inlined.valid()) return entry_;
    const ir::FunctionId callee = program_.inlined[edge.inlined.index()].callee;
    return *original_.find_function(program_[callee].name);
  }

  static bool is_named(const ir::Variable& variable, ir::FunctionId function) {
    if (variable.kind == ir::VariableKind::Global) {
      return variable.name.find("::") == std::string::npos;
    }
    return (variable.kind == ir::VariableKind::Local ||
            variable.kind == ir::VariableKind::Parameter) &&
           variable.owner == function;
  }

  /// The variable of the source that one stands for; copies that inlining
  /// makes have a number behind the name.
  ir::VariableId source_of(Term variable) const {
    const std::string& name = variable.name();
    const std::size_t last = name.find_last_not_of("0123456789");
    const bool is_copy = last != std::string::npos && name[last] == '.' &&
                         last + 1 < name.size();
    for (const std::string& each :
         {name, is_copy ? name.substr(0, last) : name}) {
      const ir::VariableId id =
          original_.variable_of(original_.pool->find(each));
      if (id.valid()) return id;
    }
    return {};
  }

  /// What C can call the variable at the head of a loop; empty if nothing, or
  /// if there are several of that name.
  std::string name_at(Term variable, const ir::Edge& head) const {
    const ir::VariableId id = source_of(variable);
    if (!id.valid() || variable.sort().is_array()) return "";
    const ir::FunctionId function = function_of(head);
    const ir::Variable& found = original_[id];
    const auto times = std::ranges::count_if(
        original_.variables, [&](const ir::Variable& each) {
          return is_named(each, function) && each.display == found.display;
        });
    const bool is_known = is_named(found, function) && times == 1 &&
                          found.display.find('.') == std::string::npos &&
                          found.type.valid() &&
                          (found.kind != ir::VariableKind::Local ||
                           is_in_scope_(found.position, head.position));
    return is_known ? found.display : "";
  }

  std::string conjunction(const std::vector<Term>& literals,
                          ir::LocationId at) const {
    const ir::Edge& head = first_edge(at);
    term::CStyle style = style_;
    style.describe = [&](Term t) {
      return t.kind() == term::Kind::Variable ? name_at(t, head)
                                              : style_.describe(t);
    };
    std::vector<std::string> parts;
    for (const Term literal : literals) {
      bool is_plain = true;
      term::visit_subterms(literal, [&](Term t) {
        if (t.kind() == term::Kind::Read || t.kind() == term::Kind::Address) {
          is_plain = false;
        }
        if (t.kind() == term::Kind::Variable && name_at(t, head).empty()) {
          is_plain = false;
        }
      });
      if (is_plain) parts.push_back("(" + term::to_c(literal, style) + ")");
    }
    return parts.empty() ? "1" : fmt::format("({})", fmt::join(parts, " && "));
  }

  const ir::Program& program_;
  const ir::Program& original_;
  ir::FunctionId entry_;
  const abstraction::Blocks& blocks_;
  const IsInScope& is_in_scope_;
  term::CStyle style_;
  std::map<ir::FunctionId, std::size_t> calls_;  // Direct ones.
};

}  // namespace

std::vector<evidence::LoopInvariant> loop_invariants(
    const Task& task, const abstraction::Blocks& blocks,
    abstraction::AbstractProgram& model,
    const std::function<bool(const ir::Position&, const ir::Position&)>&
        is_in_scope) {
  if (task.original == nullptr || task.mathematical != nullptr) return {};
  return Invariants(task, blocks, is_in_scope).run(model);
}

}  // namespace agon::verify
