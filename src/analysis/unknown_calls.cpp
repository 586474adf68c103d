// SPDX-License-Identifier: Apache-2.0
#include "analysis/unknown_calls.h"

#include <algorithm>
#include <utility>

#include "analysis/coerce.h"
#include "analysis/points_to_routines.h"

namespace agon::analysis {
namespace {

using term::Term;

constexpr unsigned kAlignment = 16;

class CallModel {
 public:
  CallModel(ir::Program program, const ModRef& effects)
      : program_(std::move(program)), effects_(effects) {}

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
        routine_model(*routine).result == RoutineResult::Fresh) {
      allocate(call, routine->name);
    } else {
      change(call, routine != nullptr ? routine->display : "");
    }
    finish();
  }

  void change(const ir::Call& call, const std::string& source) {
    for (const ir::VariableId written : effects_.of(call).writes) {
      add(ir::Havoc{written, ir::HavocReason::Input, source});
    }
    for (const ir::VariableId result : call.results) {
      add(ir::Havoc{result, ir::HavocReason::Input, source});
    }
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
  ir::VariableId heap_;
  ir::Cfa body_;
  const ir::Edge* edge_ = nullptr;
  ir::LocationId at_;
  std::vector<ir::Statement> statements_;
};

}  // namespace

ir::Program model_unknown_calls(ir::Program program, const ModRef& effects) {
  return CallModel(std::move(program), effects).run();
}

}  // namespace agon::analysis
