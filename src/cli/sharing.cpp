// SPDX-License-Identifier: Apache-2.0
#include "cli/sharing.h"

#include <algorithm>
#include <set>

#include "analysis/statements.h"
#include "spec/effects.h"
#include "term/substitute.h"

namespace agon::cli {
namespace {

/// What a component mentions, and what it may write.
class Use {
 public:
  Use(const ir::Program& program, ir::FunctionId entry) : program_(program) {
    const std::vector<bool> reached = spec::reachable_functions(program, entry);
    for (std::size_t i = 0; i < reached.size(); ++i) {
      // The entry has the guard in it, which is no part of the component.
      if (reached[i] && i != entry.index()) {
        add(program.functions[i].body);
      }
    }
  }

  bool mentions(ir::VariableId id) const { return variables_.contains(id); }
  bool mentions(ir::ObjectId id) const { return objects_.contains(id); }
  bool writes(ir::VariableId id) const { return written_.contains(id); }
  bool writes(ir::ObjectId id) const {
    return writes_memory_ && objects_.contains(id);
  }

 private:
  void add(const ir::Cfa& body) {
    for (const ir::Edge& edge : body.edges()) {
      analysis::for_each_term(edge.statement,
                              [&](term::Term term) { add(term); });
      analysis::for_each_target(edge.statement, [&](ir::VariableId id) {
        written_.insert(id);
        add(program_[id].term);
        if (program_[id].kind == ir::VariableKind::Memory) {
          writes_memory_ = true;
        }
      });
    }
  }

  void add(term::Term term) {
    term::visit_subterms(term, [&](term::Term part) { add_leaf(part); });
  }

  /// With what a variable points to at first.
  void add_leaf(term::Term leaf) {
    const ir::VariableId variable = program_.variable_of(leaf);
    if (variable.valid() && variables_.insert(variable).second &&
        program_[variable].initial.valid()) {
      add(program_[variable].initial);
    }
    const ir::ObjectId object = program_.object_of(leaf);
    if (!object.valid() || !objects_.insert(object).second) return;
    for (const ir::InitialCell& cell : program_[object].initial) {
      add(cell.value);
    }
  }

  const ir::Program& program_;
  std::set<ir::VariableId> variables_;
  std::set<ir::VariableId> written_;
  std::set<ir::ObjectId> objects_;
  bool writes_memory_ = false;
};

class Finder {
 public:
  Finder(const ir::Program& program, const spec::ProgramQuestion& question)
      : question_(question) {
    for (const spec::ComponentQuestion& each : question.components) {
      uses_.emplace_back(program, *program.find_function(each.entry));
    }
    for (std::size_t i = 0; i < program.variables.size(); ++i) {
      const ir::Variable& variable = program.variables[i];
      if (variable.kind == ir::VariableKind::Global) {
        look_at(ir::VariableId::at(i), variable.display, variable.position);
      }
    }
    for (std::size_t i = 0; i < program.objects.size(); ++i) {
      const ir::Object& object = program.objects[i];
      if (object.kind == ir::ObjectKind::Global && !object.is_constant) {
        look_at(ir::ObjectId::at(i), object.display, object.position);
      }
    }
  }

  std::vector<SharedVariable> take() { return std::move(result_); }

 private:
  template <class Id>
  void look_at(Id id, const std::string& name, ir::Position position) {
    if (name.starts_with("__agon")) return;
    SharedVariable found{name, position, {}, {}};
    for (std::size_t i = 0; i < uses_.size(); ++i) {
      const std::string& component = question_.components[i].name;
      if (uses_[i].mentions(id)) found.users.push_back(component);
      if (uses_[i].writes(id)) found.writers.push_back(component);
    }
    if (!found.writers.empty() && found.users.size() > 1) {
      result_.push_back(std::move(found));
    }
  }

  const spec::ProgramQuestion& question_;
  std::vector<Use> uses_;
  std::vector<SharedVariable> result_;
};

}  // namespace

std::vector<SharedVariable> shared_variables(
    const ir::Program& program, const spec::ProgramQuestion& question) {
  return Finder(program, question).take();
}

}  // namespace agon::cli
