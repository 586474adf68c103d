// SPDX-License-Identifier: Apache-2.0
#include "analysis/unknown_calls.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "analysis/coerce.h"
#include "analysis/hidden_objects.h"
#include "ir/routines.h"
#include "support/broken.h"

namespace agon::analysis {
namespace {

using term::Term;

constexpr unsigned kAlignment = 16;

class CallModel {
 public:
  CallModel(ir::Program program, const ModRef& effects,
            std::optional<Around> around)
      : program_(std::move(program)), effects_(effects), around_(around) {}

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
    ToldLocals told(old);
    told_ = &told;
    if (std::ranges::none_of(
            old.edges(), [&](const ir::Edge& e) { return is_unknown(e); })) {
      return;
    }
    function_ = function;
    body_ = {};
    for (std::size_t i = 0; i < old.num_locations(); ++i) body_.add_location();
    body_.set_entry(old.entry());
    body_.set_exit(old.exit());
    for (const ir::Edge& edge : old.edges()) {
      if (is_unknown(edge)) {
        replace(edge);
      } else {
        body_.add_edge(edge);
      }
    }
    body_.finish();
    program_.functions[function.index()].body = std::move(body_);
  }

  void replace(const ir::Edge& edge) {
    const auto& call = std::get<ir::Call>(edge.statement);
    edge_ = &edge;
    at_ = edge.from;
    const ir::Function* const routine =
        call.callee.valid() ? &program_[call.callee] : nullptr;
    if (routine != nullptr &&
        ir::routine_model(*routine).result == ir::RoutineResult::Fresh) {
      allocate(call, routine->name);
    } else {
      change(call, routine != nullptr ? routine->display : "");
    }
    finish();
  }

  void change(const ir::Call& call, const std::string& source) {
    for (const ir::VariableId written : effects_.of(call).writes) {
      if (support::is_broken("calls")) continue;
      if (around_ && !effects_.writes_surely(call, written)) {
        is_exact_ = false;
        if (*around_ == Around::Certain) continue;
      }
      change(written, source, kept(call, written));
    }
    for (const ir::VariableId result : call.results) {
      change(result, source);
      const ir::TypeId type = program_[result].type;
      if (around_ && type.valid() &&
          program_.types[type].kind == ir::TypeKind::Pointer) {
        add(ir::Assume{is_outside(result, call)});
      }
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

  ModRef::Kept kept(const ir::Call& call, ir::VariableId written) {
    if (!is_outside_only(call)) return {};
    return effects_.kept(written, [&](ir::ObjectId id) {
      const ir::Object& object = program_[id];
      return object.kind == ir::ObjectKind::Local &&
             object.owner == function_ &&
             !told_->is_told(object.address, *edge_);
    });
  }

  /// Gives a variable any value, except for what nobody outside knows of it.
  void change(ir::VariableId written, const std::string& source,
              const ModRef::Kept& kept) {
    if (kept.objects.empty() && !kept.heap) {
      return change(written, source);
    }
    term::Pool& pool = *program_.pool;
    const Term before = program_[written].term;
    const ir::VariableId anything = make_array(before.sort());
    add(ir::Havoc{anything, ir::HavocReason::Input, source});
    Term after = program_[anything].term;
    const unsigned width = program_.pointer_width();
    for (const ir::ObjectId id : kept.objects) {
      const ir::Object& object = program_[id];
      after = pool.copy(after, object.address, pool.bits(object.size, width),
                        before, object.address);
    }
    if (kept.heap) {
      const Term first = pool.bits(first_free_address(width), width);
      const Term size = pool.subtract(program_[heap()].term, first);
      after = pool.copy(after, first, size, before, first);
    }
    add(ir::Assign{written, after});
  }

  ir::VariableId make_array(term::Sort sort) {
    ir::Variable variable;
    variable.name = program_[function_].name + "::anything";
    variable.display = "anything";
    variable.kind = ir::VariableKind::Temporary;
    variable.owner = function_;
    const ir::VariableId id = program_.add_variable(variable, sort);
    program_.functions[function_.index()].locals.push_back(id);
    return id;
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

  void add(ir::Statement statement) {
    statements_.push_back(std::move(statement));
  }

  /// Lays the statements between the ends of the edge that is replaced.
  void finish() {
    if (statements_.empty()) {
      statements_.push_back(ir::Assume{program_.pool->boolean(true)});
    }
    for (std::size_t i = 0; i < statements_.size(); ++i) {
      ir::Edge edge = *edge_;
      edge.from = at_;
      edge.to = i + 1 < statements_.size() ? body_.add_location() : edge_->to;
      edge.statement = std::move(statements_[i]);
      at_ = edge.to;
      body_.add_edge(std::move(edge));
    }
    statements_.clear();
  }

  ir::VariableId heap() {
    if (!heap_.valid()) {
      const unsigned width = program_.pointer_width();
      ir::Variable variable;
      variable.name = variable.display = kHeap;
      variable.kind = ir::VariableKind::Global;
      variable.initial = program_.pool->bits(first_free_address(width), width);
      heap_ = program_.add_variable(variable, term::Sort::bits(width));
    }
    return heap_;
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
    const Term next = program_[heap()].term;
    const Term size = size_of(call, name);
    const auto number = [&](std::uint64_t n) { return pool.bits(n, width); };
    const Term rounded =
        pool.bit_and(pool.add(pool.binary(term::Kind::BitOr, size, number(1)),
                              number(kAlignment - 1)),
                     pool.unary(term::Kind::BitNot, number(kAlignment - 1)));
    const Term end = pool.add(next, rounded);
    add(ir::Assume{
        pool.conjunction({pool.unsigned_less(next, end),
                          pool.negation(pool.unsigned_less(rounded, size))})});
    if (name == "calloc") fill(next, size, Term());
    if (name == "realloc") fill(next, size, call.arguments[0]);
    for (const ir::VariableId result : call.results) {
      add(ir::Assign{result, coerce(pool, next, program_[result].term.sort())});
    }
    add(ir::Assign{heap(), end});
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
  bool is_exact_ = true;
  ir::VariableId heap_;
  ir::FunctionId function_;     // That is rewritten.
  ToldLocals* told_ = nullptr;  // Of it.
  ir::Cfa body_;
  const ir::Edge* edge_ = nullptr;
  ir::LocationId at_;
  std::vector<ir::Statement> statements_;
};

}  // namespace

ir::Program model_unknown_calls(ir::Program program, const ModRef& effects) {
  return CallModel(std::move(program), effects, std::nullopt).run();
}

ModelledModule model_module_calls(ir::Program program, const ModRef& effects,
                                  Around around) {
  CallModel model(std::move(program), effects, around);
  ModelledModule result{model.run(), true, effects.is_memory_shared()};
  result.is_exact = model.is_exact();
  return result;
}

}  // namespace agon::analysis
