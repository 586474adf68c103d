// SPDX-License-Identifier: Apache-2.0
#include "analysis/mod_ref.h"

#include <algorithm>
#include <functional>
#include <unordered_set>

#include "analysis/kept_addresses.h"
#include "analysis/statements.h"
#include "ir/routines.h"
#include "support/hash.h"
#include "support/sort_unique.h"
#include "term/substitute.h"

namespace agon::analysis {
namespace {

using term::Kind;
using term::Term;

bool contains(const std::vector<ir::VariableId>& sorted,
              ir::VariableId variable) {
  return std::binary_search(sorted.begin(), sorted.end(), variable);
}

void normalise(Effects& effects) {
  support::sort_unique(effects.reads);
  support::sort_unique(effects.writes);
}

void insert(std::vector<ir::VariableId>& to,
            const std::vector<ir::VariableId>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

void insert(Effects& to, const Effects& from) {
  insert(to.reads, from.reads);
  insert(to.writes, from.writes);
}

bool is_shared(const ir::Variable& variable) {
  return variable.kind == ir::VariableKind::Global ||
         variable.kind == ir::VariableKind::Memory;
}

/// The array variables inside a memory term.
void for_each_array(Term array, const std::function<void(Term)>& visit) {
  term::visit_subterms(array, [&](Term part) {
    if (part.kind() == Kind::Variable && part.sort().is_array()) visit(part);
  });
}

}  // namespace

bool Effects::may_read(ir::VariableId variable) const {
  return contains(reads, variable);
}

bool Effects::may_write(ir::VariableId variable) const {
  return contains(writes, variable);
}

ModRef::ModRef(const ir::Program& program, const PointsTo& points_to)
    : program_(program),
      points_to_(points_to),
      arrays_of_cell_(points_to.num_cells()),
      effects_(program.functions.size()) {
  find_arrays();
  find_outside();
  std::vector<std::vector<ir::FunctionId>> callees(program.functions.size());
  for (std::size_t i = 0; i < program.functions.size(); ++i) {
    const ir::FunctionId id = ir::FunctionId::at(i);
    for (const ir::Edge& edge : program[id].body.edges()) {
      add_statement(id, edge);
      const auto* call = std::get_if<ir::Call>(&edge.statement);
      if (call == nullptr) continue;
      const Targets targets = points_to.targets(*call);
      if (targets.has_unknown) insert(effects_[i], outside_);
      for (const ir::FunctionId target : targets.functions) {
        if (program[target].has_body) {
          callees[i].push_back(target);
          continue;
        }
        const Effects effects = routine_effects(*call, target);
        insert(effects_[i], effects);
        insert(effects_[target.index()], effects);
      }
    }
    normalise(effects_[i]);
    support::sort_unique(callees[i]);
  }
  for (Effects& effects : effects_) normalise(effects);
  close(callees);
}

bool ModRef::is_constant(SiteId id) const {
  const ir::ObjectId object = points_to_[id].object;
  return object.valid() && program_[object].is_constant;
}

/// Whether another file has to define the object, so that it is the client's.
bool ModRef::is_undefined(SiteId id) const {
  if (points_to_[id].kind != SiteKind::Object) return false;
  const ir::Object& object = program_[points_to_[id].object];
  return object.kind == ir::ObjectKind::Global && !object.is_constant &&
         !object.is_zeroed && object.initial.empty() && object.bytes.empty();
}

void ModRef::find_outside() {
  for (std::uint32_t cell = 0; cell < arrays_of_cell_.size(); ++cell) {
    support::sort_unique(arrays_of_cell_[cell]);
    const SiteId site = points_to_.site_of_cell(cell);
    if (!points_to_.is_escaped(site) || is_constant(site)) continue;
    insert(outside_.writes, arrays_of_cell_[cell]);
    if (points_to_[site].kind == SiteKind::External || is_undefined(site)) {
      insert(client_.writes, arrays_of_cell_[cell]);
    }
  }
  for (std::size_t i = 0; i < program_.variables.size(); ++i) {
    const ir::VariableId id = ir::VariableId::at(i);
    if (program_[id].kind != ir::VariableKind::Global) continue;
    if (points_to_.is_visible(id)) outside_.writes.push_back(id);
    if (!program_[id].initial.valid()) client_.writes.push_back(id);
  }
  add_callbacks();
  for (Effects* effects : {&outside_, &client_}) {
    effects->reads = effects->writes;
    normalise(*effects);
  }
}

/// Adds what functions write that code outside may call by their addresses.
void ModRef::add_callbacks() {
  std::vector<ir::FunctionId> open;
  std::vector<bool> is_found(program_.functions.size(), false);
  const auto find = [&](ir::FunctionId function) {
    if (is_found[function.index()] || !program_[function].has_body) return;
    is_found[function.index()] = true;
    open.push_back(function);
  };
  for (std::size_t i = 0; i < program_.functions.size(); ++i) {
    const auto function = ir::FunctionId::at(i);
    if (points_to_.may_be_called_back(function)) find(function);
  }
  if (open.empty()) return;
  const std::set<SiteId> kept = kept_addresses(program_, points_to_);
  while (!open.empty()) {
    const ir::FunctionId function = open.back();
    open.pop_back();
    for (const ir::Edge& edge : program_[function].body.edges()) {
      add_called_back(edge.statement, kept);
      const auto* const call = std::get_if<ir::Call>(&edge.statement);
      if (call == nullptr) continue;
      for (const ir::FunctionId callee : points_to_.targets(*call).functions) {
        find(callee);
      }
    }
  }
}

/// What a statement of a callback writes. With pointers from outside, which are
/// the only ones to locals that nobody keeps, others can write as well.
void ModRef::add_called_back(const ir::Statement& statement,
                             const std::set<SiteId>& kept) {
  const auto write_to = [&](Term address) {
    for (const Location& location : points_to_.representatives(address)) {
      const ir::ObjectId object = points_to_[location.site].object;
      const bool is_local =
          object.valid() && program_[object].kind == ir::ObjectKind::Local;
      if (is_local && !kept.contains(location.site)) continue;
      called_back_.insert(location.site);
    }
  };
  for_each_target(statement, [&](ir::VariableId target) {
    if (is_shared(program_[target])) outside_.writes.push_back(target);
  });
  if (const auto* assign = std::get_if<ir::Assign>(&statement)) {
    term::visit_subterms(assign->value, [&](Term part) {
      const bool is_store =
          part.kind() == Kind::Write || part.kind() == Kind::Copy;
      if (is_store) write_to(part.operand(1));
    });
  } else if (const auto* call = std::get_if<ir::Call>(&statement)) {
    for (const ir::FunctionId callee : points_to_.targets(*call).functions) {
      if (program_[callee].has_body) continue;
      const ir::RoutineModel model = ir::routine_model(program_[callee]);
      if (!model.is_known || !model.writes || call->arguments.empty()) continue;
      insert(outside_.writes, routine_effects(*call, callee).writes);
      write_to(call->arguments[0]);
    }
  }
}

ModRef::Contents ModRef::contents(ir::VariableId array) const {
  Contents result;
  bool is_heap_called_back = false;
  for (std::uint32_t cell = 0; cell < arrays_of_cell_.size(); ++cell) {
    if (!contains(arrays_of_cell_[cell], array)) continue;
    const SiteId id = points_to_.site_of_cell(cell);
    const Site& site = points_to_[id];
    const bool is_escaped = points_to_.is_escaped(id);
    const bool is_called_back = called_back_.contains(id);
    if (site.kind == SiteKind::Heap) {
      is_heap_called_back = is_heap_called_back || is_called_back;
      result.heap = true;
      result.is_heap_escaped = result.is_heap_escaped || is_escaped;
    } else if (is_called_back) {
      continue;
    } else if (site.kind == SiteKind::Object) {
      (is_escaped ? result.escaped : result.hidden).push_back(site.object);
    }
  }
  if (is_heap_called_back) result.heap = false;
  support::sort_unique(result.hidden);
  support::sort_unique(result.escaped);
  return result;
}

/// The single objects that the arguments point to.
std::set<SiteId> ModRef::given(const ir::Call& call) const {
  std::set<SiteId> result;
  for (const Term argument : call.arguments) {
    std::set<SiteId> sites;
    for (const Location& location : points_to_.locations(argument)) {
      sites.insert(location.site);
    }
    if (sites.size() == 1) result.insert(*sites.begin());
  }
  return result;
}

bool ModRef::writes_surely(const ir::Call& call, ir::VariableId array) const {
  if (program_[array].kind != ir::VariableKind::Memory) return true;
  const bool is_client =
      call.callee.valid() && ir::routine_model(program_[call.callee]).is_client;
  const std::set<SiteId> arguments =
      is_client ? std::set<SiteId>() : given(call);
  for (std::uint32_t cell = 0; cell < arrays_of_cell_.size(); ++cell) {
    if (!contains(arrays_of_cell_[cell], array)) continue;
    const SiteId id = points_to_.site_of_cell(cell);
    const Site& site = points_to_[id];
    if (site.kind == SiteKind::External) continue;
    if (is_client && is_undefined(id)) continue;
    if (is_client || site.kind != SiteKind::Object || is_constant(id)) {
      return false;
    }
    const ir::Object& object = program_[site.object];
    const bool is_visible =
        object.kind == ir::ObjectKind::Global && !object.is_static;
    if (!is_visible && !arguments.contains(id)) return false;
  }
  return true;
}

bool ModRef::is_memory_shared() const {
  std::set<ir::VariableId> outside;
  bool holds_pointers = false;
  for (const bool is_outside : {true, false}) {
    for (std::uint32_t cell = 0; cell < arrays_of_cell_.size(); ++cell) {
      const SiteId id = points_to_.site_of_cell(cell);
      const Site& site = points_to_[id];
      if ((site.kind == SiteKind::External) != is_outside) continue;
      const ir::TypeId type =
          points_to_.layout(id).cells()[cell - site.first_cell].type;
      for (const ir::VariableId array : arrays_of_cell_[cell]) {
        if (!is_outside && holds_pointers && outside.contains(array)) {
          return true;
        }
        if (is_outside) outside.insert(array);
      }
      if (is_outside && !arrays_of_cell_[cell].empty() && type.valid()) {
        holds_pointers = holds_pointers ||
                         program_.types[type].kind == ir::TypeKind::Pointer;
      }
    }
  }
  return false;
}

void ModRef::note_array(Term address, std::uint64_t bytes, Term array) {
  const std::tuple key(points_to_.set_of(address), bytes, array.id());
  if (!noted_.insert(key).second) return;
  for (const Location& location : points_to_.locations(address)) {
    for (const TouchedCell& cell : points_to_.touch(location, bytes)) {
      for_each_array(array, [&](Term variable) {
        arrays_of_cell_[cell.cell].push_back(program_.variable_of(variable));
      });
    }
  }
}

/// Finds which arrays hold which cells by the accesses that there are.
void ModRef::find_arrays() {
  std::unordered_set<Term> seen;
  for (const ir::Function& function : program_.functions) {
    for (const ir::Edge& edge : function.body.edges()) {
      for_each_term(edge.statement, [&](Term term) {
        if (!seen.insert(term).second) return;
        term::visit_subterms(term, [&](Term part) {
          if (part.kind() == Kind::Read) {
            note_array(part.operand(1), std::max(1U, part.width() / 8),
                       part.operand(0));
          } else if (part.kind() == Kind::Write) {
            note_array(part.operand(1),
                       std::max(1U, part.operand(2).width() / 8),
                       part.operand(0));
          } else if (part.kind() == Kind::Copy) {
            note_array(part.operand(1), kUnbounded, part.operand(0));
            note_array(part.operand(4), kUnbounded, part.operand(3));
          }
        });
      });
    }
  }
  for (std::size_t i = 0; i < program_.objects.size(); ++i) {
    const Site& site = points_to_.sites()[i];
    const Layout& layout = points_to_.layout(SiteId::at(i));
    for (const ir::InitialCell& cell : program_.objects[i].initial) {
      const Location at{SiteId::at(i),
                        layout.normal(static_cast<std::int64_t>(cell.offset))};
      for (const TouchedCell& touched : points_to_.touch(at, 1)) {
        arrays_of_cell_[touched.cell].push_back(cell.array);
      }
    }
    if (layout.is_untyped() || !program_.objects[i].bytes.empty()) {
      insert(arrays_of_cell_[site.first_cell], program_.objects[i].arrays);
    }
  }
}

void ModRef::add_statement(ir::FunctionId function, const ir::Edge& edge) {
  Effects& effects = effects_[function.index()];
  for_each_term(edge.statement, [&](Term term) {
    for (const Term variable : term::variables_of(term)) {
      const ir::VariableId id = program_.variable_of(variable);
      if (id.valid() && is_shared(program_[id])) effects.reads.push_back(id);
    }
  });
  for_each_target(edge.statement, [&](ir::VariableId target) {
    if (is_shared(program_[target])) effects.writes.push_back(target);
  });
}

Effects ModRef::routine_effects(const ir::Call& call,
                                ir::FunctionId routine) const {
  const ir::RoutineModel model = ir::routine_model(program_[routine]);
  if (!model.is_known) return outside_;
  if (model.is_client) return model.writes ? client_ : Effects();
  Effects effects;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    for (const Location& location : points_to_.locations(call.arguments[i])) {
      for (const TouchedCell& cell :
           points_to_.touch({location.site, kAnyOffset}, 1)) {
        insert(effects.reads, arrays_of_cell_[cell.cell]);
        if (i == 0 && model.writes) {
          insert(effects.writes, arrays_of_cell_[cell.cell]);
        }
      }
    }
  }
  normalise(effects);
  return effects;
}

Effects ModRef::of(const ir::Call& call) const {
  const Targets targets = points_to_.targets(call);
  Effects result;
  if (targets.has_unknown) insert(result, outside_);
  for (const ir::FunctionId target : targets.functions) {
    insert(result, program_[target].has_body ? of(target)
                                             : routine_effects(call, target));
  }
  normalise(result);
  return result;
}

/// Adds to every function what its callees do, until nothing changes.
void ModRef::close(const std::vector<std::vector<ir::FunctionId>>& callees) {
  std::vector<std::vector<std::uint32_t>> callers(callees.size());
  std::vector<std::uint32_t> open;
  std::vector<bool> is_open(callees.size(), true);
  for (std::uint32_t i = 0; i < callees.size(); ++i) {
    for (const ir::FunctionId callee : callees[i]) {
      callers[callee.index()].push_back(i);
    }
    open.push_back(i);
  }
  while (!open.empty()) {
    const std::uint32_t callee = open.back();
    open.pop_back();
    is_open[callee] = false;
    for (const std::uint32_t caller : callers[callee]) {
      Effects joined = effects_[caller];
      insert(joined, effects_[callee]);
      normalise(joined);
      if (joined == effects_[caller]) continue;
      effects_[caller] = std::move(joined);
      if (!is_open[caller]) open.push_back(caller);
      is_open[caller] = true;
    }
  }
}

}  // namespace agon::analysis
