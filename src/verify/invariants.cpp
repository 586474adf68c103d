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
    for (const ir::Variable& variable : original_.variables) {
      if (is_named(variable)) ++times_[variable.display];
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
                        original_[entry_].display, std::move(value)});
    }
    return result;
  }

 private:
  static constexpr std::size_t kMostStates = 200;

  const ir::Edge& first_edge(ir::LocationId at) const {
    return blocks_.body().edge(blocks_.body().out_edges(at).front());
  }

  /// A head whose condition stands in the entry function.
  bool is_loop(ir::LocationId at) const {
    if (!at.valid() || blocks_.body().out_edges(at).empty()) return false;
    const ir::Edge& edge = first_edge(at);
    return edge.position.line != 0 && !edge.inlined.valid();
  }

  bool is_named(const ir::Variable& variable) const {
    if (variable.kind == ir::VariableKind::Global) {
      return variable.name.find("::") == std::string::npos;
    }
    return (variable.kind == ir::VariableKind::Local ||
            variable.kind == ir::VariableKind::Parameter) &&
           variable.owner == entry_;
  }

  /// Whether C can name the variable at a place; it must be the only one of
  /// that name.
  bool is_known(Term variable, const ir::Position& place) const {
    const ir::VariableId id =
        original_.variable_of(original_.pool->find(variable.name()));
    if (!id.valid() || variable.sort().is_array()) return false;
    const ir::Variable& found = original_[id];
    return is_named(found) && times_.at(found.display) == 1 &&
           found.display.find('.') == std::string::npos && found.type.valid() &&
           (found.kind != ir::VariableKind::Local ||
            is_in_scope_(found.position, place));
  }

  std::string conjunction(const std::vector<Term>& literals,
                          ir::LocationId at) const {
    const ir::Position place = first_edge(at).position;
    std::vector<std::string> parts;
    for (const Term literal : literals) {
      bool is_plain = true;
      term::visit_subterms(literal, [&](Term t) {
        if (t.kind() == term::Kind::Read || t.kind() == term::Kind::Address) {
          is_plain = false;
        }
        if (t.kind() == term::Kind::Variable && !is_known(t, place)) {
          is_plain = false;
        }
      });
      if (is_plain) parts.push_back("(" + term::to_c(literal, style_) + ")");
    }
    return parts.empty() ? "1" : fmt::format("({})", fmt::join(parts, " && "));
  }

  const ir::Program& program_;
  const ir::Program& original_;
  ir::FunctionId entry_;
  const abstraction::Blocks& blocks_;
  const IsInScope& is_in_scope_;
  term::CStyle style_;
  std::map<std::string, std::size_t> times_;
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
