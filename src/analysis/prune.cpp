// SPDX-License-Identifier: Apache-2.0
#include "analysis/prune.h"

#include <algorithm>
#include <utility>

#include "analysis/statements.h"
#include "ir/routines.h"
#include "support/error.h"
#include "term/substitute.h"

// First marks what occurs, with a worklist of functions and objects, and then
// builds a new program. A program gives each name out once per pool, so the new
// one has its own pool, and all terms move there: first the names, in order of
// id, and then everything that mentions them.

namespace agon::analysis {
namespace {

using ir::FunctionId;
using ir::ObjectId;
using ir::VariableId;

class Marks {
 public:
  Marks(const ir::Program& program, const std::vector<FunctionId>& entries,
        const std::vector<VariableId>& keep, bool any_state)
      : function(program.functions.size(), false),
        named(program.functions.size(), false),
        variable(program.variables.size(), false),
        object(program.objects.size(), false),
        inlined(program.inlined.size(), false),
        program_(program),
        any_state_(any_state) {
    mark_variable(program.memory);
    for (const VariableId kept : keep) mark_variable(kept);
    for (const FunctionId entry : entries) mark_function(entry);
    for (std::size_t head = 0; head < functions_.size(); ++head) {
      mark_body(program_[functions_[head]]);
      // Objects last, when it is known which arrays matter.
      if (head + 1 == functions_.size()) {
        mark_initial_values();
        if (std::exchange(runs_outside_, false)) mark_visible();
      }
    }
    for (std::size_t f = 0; f < named.size(); ++f) {
      if (function[f]) named[f] = true;
    }
  }

  std::vector<bool> function;
  std::vector<bool> named;  // Functions that have to stay, if only as names.
  std::vector<bool> variable;
  std::vector<bool> object;
  std::vector<bool> inlined;

 private:
  void mark_function(FunctionId id) {
    if (!id.valid() || function[id.index()]) return;
    function[id.index()] = true;
    functions_.push_back(id);
  }

  void mark_variable(VariableId id) {
    if (!id.valid() || variable[id.index()]) return;
    variable[id.index()] = true;
    if (program_[id].initial.valid()) mark(program_[id].initial);
    if (program_[id].kind == ir::VariableKind::Global &&
        !program_[id].initial.valid()) {
      see_outside();
    }
    if (program_[id].kind == ir::VariableKind::Memory) scanned_objects_ = 0;
  }

  void mark_object(ObjectId id) {
    if (!id.valid() || object[id.index()]) return;
    object[id.index()] = true;
    objects_.push_back(id);
  }

  void mark(term::Term term) {
    if (!seen_.emplace(term, true).second) return;
    term::visit_subterms(term, [&](term::Term part) {
      if (part.kind() == term::Kind::Variable) {
        mark_variable(program_.variable_of(part));
      } else if (part.kind() == term::Kind::Address) {
        mark_object(program_.object_of(part));
        mark_function(program_.function_of(part));
      }
    });
  }

  void mark_body(const ir::Function& marked) {
    for (const VariableId parameter : marked.parameters) {
      mark_variable(parameter);
    }
    if (!marked.has_body) return;
    for (const ir::Edge& edge : marked.body.edges()) {
      for_each_term(edge.statement, [&](term::Term term) { mark(term); });
      for_each_target(edge.statement,
                      [&](VariableId target) { mark_variable(target); });
      if (const auto* call = std::get_if<ir::Call>(&edge.statement)) {
        mark_function(call->callee);
        if (is_unknown(*call)) see_outside();
      }
      mark_chain(edge.inlined);
    }
  }

  bool is_unknown(const ir::Call& call) const {
    if (!call.callee.valid()) return true;
    const ir::Function& callee = program_[call.callee];
    return !callee.has_body && !callee.is_action &&
           !ir::routine_model(callee).is_known;
  }

  void see_outside() {
    runs_outside_ = runs_outside_ || !saw_outside_;
    saw_outside_ = true;
  }

  /// What others can find out by the names of globals, or may know already.
  void mark_visible() {
    for (std::size_t f = 0; f < program_.functions.size() && any_state_; ++f) {
      const ir::Function& known = program_.functions[f];
      if (known.has_body && known.address.valid()) {
        mark_function(FunctionId::at(f));
      }
    }
    for (std::size_t v = 0; v < program_.variables.size(); ++v) {
      const ir::Variable& global = program_.variables[v];
      if (global.kind == ir::VariableKind::Global && !global.is_static &&
          global.initial.valid() && !global.initial.is_constant()) {
        mark_variable(VariableId::at(v));
      }
    }
    for (std::size_t o = 0; o < program_.objects.size(); ++o) {
      const ir::Object& global = program_.objects[o];
      if (global.kind == ir::ObjectKind::Global && !global.is_static &&
          std::ranges::any_of(global.initial, [](const auto& cell) {
            return !cell.value.is_constant();
          })) {
        mark_object(ObjectId::at(o));
      }
    }
    mark_initial_values();
  }

  void mark_chain(ir::InlineId id) {
    for (; id.valid() && !inlined[id.index()];
         id = program_.inlined[id.index()].outer) {
      inlined[id.index()] = true;
      named[program_.inlined[id.index()].callee.index()] = true;
    }
  }

  // May mark further functions, which may use further arrays.
  void mark_initial_values() {
    while (scanned_objects_ < objects_.size()) {
      const ir::Object& marked = program_[objects_[scanned_objects_++]];
      for (const ir::InitialCell& cell : marked.initial) {
        if (variable[cell.array.index()]) mark(cell.value);
      }
    }
  }

  const ir::Program& program_;
  bool any_state_;
  std::vector<FunctionId> functions_;
  std::vector<ObjectId> objects_;
  std::size_t scanned_objects_ = 0;
  bool saw_outside_ = false;
  bool runs_outside_ = false;  // Found out, and not yet followed.
  std::unordered_map<term::Term, bool> seen_;
};

class Builder {
 public:
  Builder(const ir::Program& program, const Marks& marks)
      : old_(program),
        marks_(marks),
        result_{ir::Program(program.model), {}, {}, {}, {}} {}

  Pruned run() {
    result_.program.types = old_.types;
    result_.program.conversions = old_.conversions;
    result_.program.numbered = old_.numbered;
    result_.program.files = old_.files;
    result_.program.assumptions = old_.assumptions;
    number_functions();
    number_chains();
    add_variables();
    add_objects();
    add_functions();
    move_initial_values();
    return std::move(result_);
  }

 private:
  template <class Tag>
  static support::Id<Tag> find(const std::vector<support::Id<Tag>>& table,
                               support::Id<Tag> id) {
    return id.valid() ? table[id.index()] : id;
  }

  void number_functions() {
    result_.functions.resize(old_.functions.size());
    std::size_t next = 0;
    for (std::size_t f = 0; f < old_.functions.size(); ++f) {
      if (marks_.named[f]) result_.functions[f] = FunctionId::at(next++);
    }
  }

  void number_chains() {
    chains_.resize(old_.inlined.size());
    auto& kept = result_.program.inlined;
    for (std::size_t i = 0; i < old_.inlined.size(); ++i) {
      if (!marks_.inlined[i]) continue;
      chains_[i] = ir::InlineId::at(kept.size());
      kept.push_back(old_.inlined[i]);
      kept.back().callee = find(result_.functions, kept.back().callee);
    }
    for (ir::InlinedCall& call : kept) call.outer = find(chains_, call.outer);
  }

  void add_variables() {
    ir::Program& program = result_.program;
    result_.variables.resize(old_.variables.size());
    for (std::size_t v = 0; v < old_.variables.size(); ++v) {
      if (!marks_.variable[v]) continue;
      ir::Variable variable = old_.variables[v];
      variable.owner = find(result_.functions, variable.owner);
      const term::Sort sort = variable.term.sort();
      if (VariableId::at(v) == old_.memory) {
        variable.term = program[program.memory].term;
        AGON_ASSERT(variable.name == program[program.memory].name);
        result_.variables[v] = program.memory;
        program.variables[program.memory.index()] = std::move(variable);
        continue;
      }
      const std::string name = variable.name;
      result_.variables[v] = program.add_variable(std::move(variable), sort);
      AGON_ASSERT(program[result_.variables[v]].name == name);
    }
  }

  void add_objects() {
    result_.objects.resize(old_.objects.size());
    for (std::size_t o = 0; o < old_.objects.size(); ++o) {
      if (!marks_.object[o]) continue;
      ir::Object object = old_.objects[o];
      object.owner = find(result_.functions, object.owner);
      std::erase_if(object.arrays, [&](VariableId array) {
        return !marks_.variable[array.index()];
      });
      for (VariableId& array : object.arrays) {
        array = find(result_.variables, array);
      }
      object.initial.clear();
      result_.objects[o] = result_.program.add_object(std::move(object));
    }
  }

  void add_functions() {
    for (std::size_t f = 0; f < old_.functions.size(); ++f) {
      if (!marks_.named[f]) continue;
      ir::Function function = old_.functions[f];
      if (marks_.function[f]) {
        function = move_function(std::move(function));
      } else {
        function.has_body = false;
        function.address = {};
        function.parameters.clear();
        function.locals.clear();
        function.objects.clear();
        function.body = {};
      }
      result_.program.add_function(std::move(function));
    }
  }

  ir::Function move_function(ir::Function function) {
    for (VariableId& id : function.parameters) id = find(result_.variables, id);
    for (VariableId& id : function.locals) id = find(result_.variables, id);
    for (ObjectId& id : function.objects) id = find(result_.objects, id);
    std::erase_if(function.locals, [](VariableId id) { return !id.valid(); });
    std::erase_if(function.objects, [](ObjectId id) { return !id.valid(); });
    if (function.address.valid()) {
      function.address = result_.translate(function.address);
    }
    if (!function.has_body) return function;
    ir::Cfa body;
    for (std::size_t i = 0; i < function.body.num_locations(); ++i) {
      body.add_location();
    }
    body.set_entry(function.body.entry());
    body.set_exit(function.body.exit());
    for (ir::Edge edge : function.body.edges()) {
      edge.statement = move_statement(edge.statement);
      edge.inlined = find(chains_, edge.inlined);
      body.add_edge(std::move(edge));
    }
    body.finish();
    function.body = std::move(body);
    return function;
  }

  ir::Statement move_statement(const ir::Statement& statement) {
    ir::Statement moved = map_statement(
        statement, [&](term::Term term) { return result_.translate(term); },
        [&](VariableId id) { return find(result_.variables, id); });
    if (auto* call = std::get_if<ir::Call>(&moved)) {
      call->callee = find(result_.functions, call->callee);
    }
    return moved;
  }

  void move_initial_values() {
    for (ir::Variable& variable : result_.program.variables) {
      if (variable.initial.valid()) {
        variable.initial = result_.translate(variable.initial);
      }
    }
    for (std::size_t o = 0; o < old_.objects.size(); ++o) {
      if (!marks_.object[o]) continue;
      auto& cells = result_.program.objects[result_.objects[o].index()].initial;
      for (const ir::InitialCell& cell : old_.objects[o].initial) {
        if (!marks_.variable[cell.array.index()]) continue;
        cells.push_back({find(result_.variables, cell.array), cell.offset,
                         result_.translate(cell.value)});
      }
    }
  }

  const ir::Program& old_;
  const Marks& marks_;
  Pruned result_;
  std::vector<ir::InlineId> chains_;
};

term::Term move_leaf(term::Pool& pool, term::Term leaf) {
  if (leaf.kind() == term::Kind::Variable) {
    return pool.variable(leaf.name(), leaf.sort());
  }
  if (leaf.kind() == term::Kind::Address) {
    return pool.address(leaf.name(), leaf.width());
  }
  if (leaf.sort().is_bool()) return pool.boolean(leaf.is_true());
  if (leaf.sort().is_int()) return pool.integer(leaf.integer());
  return pool.bits(leaf.value(), leaf.width());
}

}  // namespace

term::Term Pruned::translate(term::Term term) {
  const auto known = translated.find(term);
  if (known != translated.end()) return known->second;
  std::vector<term::Term> operands;
  term::visit_subterms(term, [&](term::Term part) {
    if (translated.contains(part)) return;
    operands.clear();
    for (const term::Term operand : part.operands()) {
      operands.push_back(translated.at(operand));
    }
    translated.emplace(part, operands.empty()
                                 ? move_leaf(*program.pool, part)
                                 : program.pool->rebuild(part, operands));
  });
  return translated.at(term);
}

Pruned prune(const ir::Program& program, const std::vector<FunctionId>& entries,
             const std::vector<VariableId>& keep, bool any_state) {
  const Marks marks(program, entries, keep, any_state);
  return Builder(program, marks).run();
}

}  // namespace agon::analysis
