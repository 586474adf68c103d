// SPDX-License-Identifier: Apache-2.0
#include "analysis/unknown_calls.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "analysis/coerce.h"
#include "analysis/told_flags.h"
#include "analysis/told_objects.h"
#include "ir/routines.h"
#include "support/broken.h"

namespace agon::analysis {
namespace {

using term::Term;

constexpr unsigned kAlignment = 16;

class CallModel {
 public:
  CallModel(ir::Program program, const ModRef& effects,
            std::optional<Around> around, bool any_state)
      : program_(std::move(program)),
        effects_(effects),
        around_(around),
        any_state_(any_state),
        moves_blocks_(ir::moves_blocks(program_)) {}

  bool is_exact() const { return is_exact_; }

  ir::Program run() {
    for (std::size_t i = 0; i < program_.functions.size(); ++i) {
      if (program_.functions[i].has_body) rewrite(ir::FunctionId::at(i));
    }
    return std::move(program_);
  }

 private:
  bool is_unknown(const ir::Edge& edge) const {
    const auto* const call = std::get_if<ir::Call>(&edge.statement);
    if (call == nullptr) return false;
    return !call->callee.valid() || (!program_[call->callee].has_body &&
                                     !program_[call->callee].is_action);
  }

  void rewrite(ir::FunctionId function) {
    const ir::Cfa old = program_[function].body;
    if (std::ranges::none_of(
            old.edges(), [&](const ir::Edge& e) { return is_unknown(e); })) {
      return;
    }
    function_ = function;
    body_ = old.without_edges();
    if (!around_) follow_addresses(old);
    for (std::size_t i = 0; i < old.edges().size(); ++i) {
      id_ = ir::EdgeId::at(i);
      edge_ = &old.edge(id_);
      at_ = edge_->from;
      if (flags_) {
        for (ir::Statement& each : flags_->before(id_)) add(std::move(each));
      }
      if (is_unknown(*edge_)) {
        replace(std::get<ir::Call>(edge_->statement));
      } else {
        add(edge_->statement);
      }
      finish();
    }
    body_.finish();
    program_.functions[function.index()].body = std::move(body_);
    flags_.reset();
    told_.reset();
  }

  /// Finds out what code outside may know in the calls that are replaced.
  void follow_addresses(const ir::Cfa& old) {
    std::vector<ir::EdgeId> calls;
    for (std::size_t i = 0; i < old.edges().size(); ++i) {
      const auto edge = ir::EdgeId::at(i);
      if (is_unknown(old.edge(edge))) calls.push_back(edge);
    }
    told_.emplace(effects_.program(), effects_.points_to(), function_,
                  any_state_);
    flags_.emplace(program_, *told_, function_, calls);
    for (ir::Statement& statement : flags_->at_start()) {
      const ir::LocationId first = body_.add_location();
      body_.add_edge({first, body_.entry(), std::move(statement),
                      ir::Position(), ir::InlineId()});
      body_.set_entry(first);
    }
  }

  void replace(const ir::Call& call) {
    const ir::Function* const routine =
        call.callee.valid() ? &program_[call.callee] : nullptr;
    if (routine != nullptr &&
        ir::routine_model(*routine).result == ir::RoutineResult::Fresh) {
      allocate(call, routine->name);
    } else {
      change(call, routine != nullptr ? routine->display : "");
    }
  }

  void change(const ir::Call& call, const std::string& source) {
    for (const ir::VariableId written : effects_.of(call).writes) {
      if (support::is_broken("calls")) continue;
      if (around_ && !effects_.writes_surely(call, written)) {
        is_exact_ = false;
        if (*around_ == Around::Certain) continue;
      }
      if (is_outside_only(call)) {
        change_known(written, source);
      } else {
        change(written, source);
      }
    }
    for (const ir::VariableId result : call.results) {
      change(result, source);
      const ir::TypeId type = program_[result].type;
      const bool is_pointer =
          type.valid() && program_.types[type].kind == ir::TypeKind::Pointer;
      if (is_pointer && around_) {
        add(ir::Assume{is_outside(result, call)});
      } else if (is_pointer && is_outside_only(call)) {
        exclude_hidden(result);
      }
    }
  }

  /// Code outside has no pointer to what it does not know.
  void exclude_hidden(ir::VariableId pointer) {
    term::Pool& pool = *program_.pool;
    const Term value = program_[pointer].term;
    for (const SiteId site : sites_of(value)) {
      const Site& to = effects_.points_to()[site];
      if (to.kind != SiteKind::Object) continue;
      const Term hidden = flags_->is_hidden(told_->find(to.object), id_);
      if (hidden.is_false()) continue;
      const ir::Object& object = program_[to.object];
      const Term end =
          pool.add(object.address, pool.bits(object.size, value.width()));
      add(ir::Assume{pool.disjunction(
          {pool.negation(hidden),
           pool.negation(between(object.address, value, end))})});
    }
  }

  /// Whether only code about which nothing is known can be meant.
  bool is_outside_only(const ir::Call& call) const {
    if (around_) return false;
    if (!call.callee.valid()) {
      return effects_.points_to().targets(call).functions.empty();
    }
    return !ir::routine_model(program_[call.callee]).is_known;
  }

  /// Memory that stays as it was, if the condition holds.
  struct Kept {
    Term first;
    Term size;
    Term condition;
  };

  /// What nobody outside knows of an array while the call runs.
  std::vector<Kept> kept(ir::VariableId array) {
    const ModRef::Contents contents = effects_.contents(array);
    const Term always = program_.pool->boolean(true);
    std::vector<Kept> result;
    for (const ir::ObjectId id : contents.hidden) {
      result.push_back(kept(id, always));
    }
    for (const ir::ObjectId id : contents.escaped) {
      const Term condition = flags_->is_hidden(told_->find(id), id_);
      if (!condition.is_false()) result.push_back(kept(id, condition));
    }
    if (!contents.heap) return result;
    const Term condition = contents.is_heap_escaped
                               ? flags_->is_hidden(told_->heap(), id_)
                               : always;
    if (condition.is_false()) return result;
    const unsigned width = program_.pointer_width();
    const Term first = program_.pool->bits(first_free_address(width), width);
    const Term end = program_[heap()].term;
    result.push_back({first, program_.pool->subtract(end, first), condition});
    return result;
  }

  Kept kept(ir::ObjectId id, Term condition) {
    const ir::Object& object = program_[id];
    const Term size =
        program_.pool->bits(object.size, program_.pointer_width());
    return {object.address, size, condition};
  }

  /// Gives a variable any value, except for what nobody outside knows of it.
  void change_known(ir::VariableId written, const std::string& source) {
    const std::vector<Kept> parts = kept(written);
    if (parts.empty()) return change(written, source);
    const Term before = program_[written].term;
    const ir::VariableId anything =
        add_temporary(program_, function_, "anything", before.sort());
    add(ir::Havoc{anything, ir::HavocReason::Input, source});
    const Term chosen = program_[anything].term;
    Term after = chosen;
    for (const Kept& part : parts) {
      if (part.condition.is_true()) {
        after = put_back(after, before, part);
      } else {
        add(ir::Assign{anything, put_back(chosen, before, part)},
            part.condition);
      }
    }
    add(ir::Assign{written, after});
  }

  Term put_back(Term into, Term before, const Kept& part) {
    return program_.pool->copy(into, part.first, part.size, before, part.first);
  }

  /// Any value of its type.
  void change(ir::VariableId variable, const std::string& source) {
    add(ir::Havoc{variable, ir::HavocReason::Input, source});
    const ir::TypeId type = program_[variable].type;
    const Term value = program_[variable].term;
    if (type.valid() && program_.types[type].kind == ir::TypeKind::Bool) {
      add(ir::Assume{is_truth_value(*program_.pool, value)});
    }
  }

  /// Where a pointer from outside can point to: its own memory, or what the
  /// module may have told it about.
  Term is_outside(ir::VariableId pointer, const ir::Call& call) {
    term::Pool& pool = *program_.pool;
    const Term value = program_[pointer].term;
    const unsigned width = value.width();
    const Term end = pool.bits(first_free_address(width), width);
    std::vector<Term> places{
        pool.equal(value, pool.bits(0, width)),
        between(pool.bits(first_client_address(width), width), value, end)};
    std::vector<Term> known;
    bool knows_heap = false;
    for (const SiteId id : sites_of(value)) {
      const Site& site = effects_.points_to()[id];
      if (site.kind == SiteKind::Heap) {
        knows_heap = true;
      } else if (site.kind == SiteKind::Function) {
        known.push_back(pool.equal(value, program_[site.function].address));
      } else if (site.kind == SiteKind::Object) {
        add_object(site.object, value, call, known);
      }
    }
    if (knows_heap) known.push_back(between(end, value, program_[heap()].term));
    if (!known.empty()) is_exact_ = false;
    if (*around_ == Around::All) {
      places.insert(places.end(), known.begin(), known.end());
    }
    return pool.disjunction(places);
  }

  std::set<SiteId> sites_of(Term pointer) const {
    std::set<SiteId> result;
    for (const Location& location : effects_.points_to().locations(pointer)) {
      result.insert(location.site);
    }
    return result;
  }

  /// Locals of the module are gone when its client runs, though not while a
  /// routine does that it has called.
  void add_object(ir::ObjectId id, Term value, const ir::Call& call,
                  std::vector<Term>& known) {
    const ir::Object& object = program_[id];
    const bool is_client = call.callee.valid() &&
                           ir::routine_model(program_[call.callee]).is_client;
    if (is_client && object.kind == ir::ObjectKind::Local) return;
    term::Pool& pool = *program_.pool;
    const Term size = pool.bits(object.size, value.width());
    known.push_back(
        between(object.address, value, pool.add(object.address, size)));
  }

  Term between(Term low, Term value, Term high) {
    term::Pool& pool = *program_.pool;
    return pool.conjunction({pool.negation(pool.unsigned_less(value, low)),
                             pool.unsigned_less(value, high)});
  }

  /// With a condition: is executed only if that holds.
  struct Step {
    ir::Statement statement;
    Term condition;
  };

  void add(ir::Statement statement, Term condition = {}) {
    steps_.push_back({std::move(statement), condition});
  }

  /// Lays the statements between the ends of the edge that is replaced.
  void finish() {
    if (steps_.empty()) add(ir::Assume{program_.pool->boolean(true)});
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const ir::LocationId to =
          i + 1 < steps_.size() ? body_.add_location() : edge_->to;
      if (const Term condition = steps_[i].condition; condition.valid()) {
        lay(ir::Assume{program_.pool->negation(condition)}, to);
        const ir::LocationId inside = body_.add_location();
        lay(ir::Assume{condition}, inside);
        at_ = inside;
      }
      lay(std::move(steps_[i].statement), to);
      at_ = to;
    }
    steps_.clear();
  }

  void lay(ir::Statement statement, ir::LocationId to) {
    ir::Edge edge = *edge_;
    edge.from = at_;
    edge.to = to;
    edge.statement = std::move(statement);
    body_.add_edge(std::move(edge));
  }

  ir::VariableId heap() {
    if (!heap_.valid()) {
      const unsigned width = program_.pointer_width();
      ir::Variable variable;
      variable.name = kHeap;
      variable.display = "heap";
      variable.kind = ir::VariableKind::Global;
      variable.initial = program_.pool->bits(first_free_address(width), width);
      heap_ = program_.add_variable(variable, term::Sort::bits(width));
    }
    return heap_;
  }

  /// How large blocks are, by their addresses. No part of memory.
  ir::VariableId sizes() {
    if (!sizes_.valid()) {
      const unsigned width = program_.pointer_width();
      ir::Variable variable;
      variable.name = "*block_size";
      variable.display = "block_size";
      variable.kind = ir::VariableKind::Global;
      variable.initial =
          program_.pool->constant_array(program_.pool->bits(0, width), width);
      sizes_ = program_.add_variable(variable, term::Sort::array(width, width));
    }
    return sizes_;
  }

  /// Bytes that an allocator is asked for.
  Term size_of(const ir::Call& call, const std::string& name) {
    term::Pool& pool = *program_.pool;
    const unsigned width = program_.pointer_width();
    const auto argument = [&](std::size_t i) {
      return i < call.arguments.size()
                 ? coerce(pool, call.arguments[i], term::Sort::bits(width))
                 : pool.bits(kAlignment, width);
    };
    if (name == "calloc") return pool.multiply(argument(0), argument(1));
    return argument(name == "realloc" || name == "aligned_alloc" ? 1 : 0);
  }

  void allocate(const ir::Call& call, const std::string& name) {
    term::Pool& pool = *program_.pool;
    const unsigned width = program_.pointer_width();
    const Term size = size_of(call, name);
    const auto number = [&](std::uint64_t n) { return pool.bits(n, width); };
    const Term next = first_aligned(call, name);
    const Term rounded =
        pool.bit_and(pool.add(pool.binary(term::Kind::BitOr, size, number(1)),
                              number(kAlignment - 1)),
                     pool.unary(term::Kind::BitNot, number(kAlignment - 1)));
    const Term end = pool.add(next, rounded);
    add(ir::Assume{pool.conjunction(
        {pool.negation(pool.unsigned_less(next, program_[heap()].term)),
         pool.unsigned_less(next, end),
         pool.negation(pool.unsigned_less(rounded, size))})});
    if (name == "calloc") fill(next, size, Term());
    if (name == "realloc" && !call.arguments.empty()) {
      const Term old = coerce(pool, call.arguments[0], term::Sort::bits(width));
      fill(next, moved_size(old, size), old);
    }
    if (moves_blocks_) {
      add(ir::Assign{sizes(), pool.write(program_[sizes()].term, next, size)});
    }
    for (const ir::VariableId result : call.results) {
      add(ir::Assign{result, coerce(pool, next, program_[result].term.sort())});
    }
    add(ir::Assign{heap(), end});
  }

  /// The next address that is free, and a multiple of what is asked for.
  Term first_aligned(const ir::Call& call, const std::string& name) {
    const Term next = program_[heap()].term;
    if (name != "aligned_alloc" || call.arguments.empty()) return next;
    term::Pool& pool = *program_.pool;
    const unsigned width = program_.pointer_width();
    const Term alignment =
        coerce(pool, call.arguments[0], term::Sort::bits(width));
    const Term one = pool.bits(1, width);
    const Term last = pool.subtract(
        pool.ite(pool.unsigned_less(alignment, pool.bits(kAlignment, width)),
                 pool.bits(kAlignment, width), alignment),
        one);
    if (last == pool.bits(kAlignment - 1, width)) return next;
    return pool.bit_and(pool.add(next, last),
                        pool.unary(term::Kind::BitNot, last));
  }

  /// What stays of a block: as much as it has, and as there is room for. Of
  /// blocks that are not known it is nothing, so that anything may be there.
  Term moved_size(Term old, Term size) {
    term::Pool& pool = *program_.pool;
    const Term before = pool.read(program_[sizes()].term, old);
    return pool.ite(pool.unsigned_less(before, size), before, size);
  }

  /// Clears what was allocated, or copies what `from` points to into it. It is
  /// new, so that arrays that do not hold it may be written there too.
  void fill(Term to, Term size, Term from) {
    term::Pool& pool = *program_.pool;
    for (std::size_t i = 0; i < program_.variables.size(); ++i) {
      const ir::Variable& array = program_.variables[i];
      if (array.kind != ir::VariableKind::Memory) continue;
      const term::Sort sort = array.term.sort();
      const Term zeros =
          pool.constant_array(pool.bits(0, sort.width), sort.index_width);
      add(ir::Assign{
          ir::VariableId::at(i),
          pool.copy(array.term, to, size, from.valid() ? array.term : zeros,
                    from.valid() ? from : to)});
    }
  }

  ir::Program program_;
  const ModRef& effects_;
  std::optional<Around> around_;  // Of a module.
  bool any_state_;
  bool moves_blocks_;  // Then sizes are known.
  bool is_exact_ = true;
  ir::VariableId heap_;
  ir::VariableId sizes_;
  ir::FunctionId function_;          // That is rewritten.
  std::optional<ToldObjects> told_;  // Of it.
  std::optional<ToldFlags> flags_;
  ir::Cfa body_;
  ir::EdgeId id_;  // That is replaced.
  const ir::Edge* edge_ = nullptr;
  ir::LocationId at_;
  std::vector<Step> steps_;
};

}  // namespace

ir::Program model_unknown_calls(ir::Program program, const ModRef& effects,
                                bool any_state) {
  return CallModel(std::move(program), effects, std::nullopt, any_state).run();
}

ModelledModule model_module_calls(ir::Program program, const ModRef& effects,
                                  Around around) {
  CallModel model(std::move(program), effects, around, false);
  ModelledModule result{model.run(), true, effects.is_memory_shared()};
  result.is_exact = model.is_exact();
  return result;
}

}  // namespace agon::analysis
