// SPDX-License-Identifier: Apache-2.0
#include "analysis/function_pointers.h"

#include <algorithm>
#include <utility>

#include "analysis/coerce.h"
#include "support/broken.h"

namespace agon::analysis {
namespace {

using term::Term;

/// Rewrites the calls of one function.
class Resolver {
 public:
  Resolver(ResolvedPointers& result, const PointsTo& points_to,
           ir::FunctionId function)
      : result_(result), points_to_(points_to), function_(function) {}

  void run();

 private:
  void add(ir::LocationId from, ir::LocationId to, ir::Statement statement);
  void branch(const ir::Call& call, const Targets& targets);
  void call_unknown(const ir::Call& call, ir::LocationId from);
  void call_target(const ir::Call& call, ir::FunctionId target,
                   ir::LocationId from);
  void note_types(const ir::Call& call, const ir::Function& callee);
  ir::VariableId temporary(term::Sort sort, ir::TypeId type);

  ResolvedPointers& result_;
  const PointsTo& points_to_;
  ir::FunctionId function_;
  ir::Cfa body_;
  const ir::Edge* edge_ = nullptr;  // The one that is rewritten.
};

void Resolver::add(ir::LocationId from, ir::LocationId to,
                   ir::Statement statement) {
  ir::Edge edge = *edge_;
  edge.from = from;
  edge.to = to;
  edge.statement = std::move(statement);
  body_.add_edge(std::move(edge));
}

void Resolver::run() {
  const ir::Cfa old = result_.program[function_].body;
  body_ = old.without_edges();
  bool is_changed = false;
  for (std::size_t i = 0; i < old.edges().size(); ++i) {
    edge_ = &old.edges()[i];
    const auto* call = std::get_if<ir::Call>(&edge_->statement);
    if (call == nullptr || call->callee.valid()) {
      body_.add_edge(*edge_);
      continue;
    }
    is_changed = true;
    Targets targets = points_to_.targets(*call);
    if (support::is_broken("pointers") && !targets.functions.empty()) {
      targets.functions.pop_back();
    }
    branch(*call, targets);
    result_.calls.push_back(
        {function_, ir::EdgeId::at(i), edge_->position, targets});
  }
  if (!is_changed) return;
  body_.finish();
  result_.program.functions[function_.index()].body = std::move(body_);
}

void Resolver::branch(const ir::Call& call, const Targets& targets) {
  ir::Program& program = result_.program;
  term::Pool& pool = *program.pool;
  ir::LocationId from = edge_->from;
  for (const ir::FunctionId target : targets.functions) {
    const Term is_it = pool.equal(call.pointer, program.address_of(target));
    const ir::LocationId chosen = body_.add_location();
    const ir::LocationId others = body_.add_location();
    add(from, chosen, ir::Assume{is_it});
    add(from, others, ir::Assume{pool.negation(is_it)});
    call_target(call, target, chosen);
    from = others;
  }
  if (targets.has_unknown) {
    call_unknown(call, from);
  } else if (targets.functions.empty()) {
    // Nothing can be called: execution ends before the call.
    add(from, body_.add_location(), ir::Assume{pool.boolean(true)});
  }
}

/// A null pointer is one to no function at all: execution ends there.
void Resolver::call_unknown(const ir::Call& call, ir::LocationId from) {
  term::Pool& pool = *result_.program.pool;
  const ir::LocationId there = body_.add_location();
  add(from, there,
      ir::Assume{pool.negation(
          pool.equal(call.pointer, pool.bits(0, call.pointer.width())))});
  add(there, edge_->to, call);
}

ir::VariableId Resolver::temporary(term::Sort sort, ir::TypeId type) {
  ir::Variable variable;
  variable.name = "called";
  variable.display = "called";
  variable.kind = ir::VariableKind::Temporary;
  variable.owner = function_;
  variable.type = type;
  const ir::VariableId id =
      result_.program.add_variable(std::move(variable), sort);
  result_.program.functions[function_.index()].locals.push_back(id);
  return id;
}

/// C leaves such calls undefined, and compilers do not.
void Resolver::note_types(const ir::Call& call, const ir::Function& callee) {
  ir::Program& program = result_.program;
  const bool is_variadic =
      callee.type.valid() && program.types[callee.type].is_variadic;
  const std::size_t given = call.arguments.size();
  const std::size_t taken = callee.parameters.size();
  if (!callee.has_body || given == taken || (is_variadic && given > taken)) {
    return;
  }
  program.assume("types of functions",
                 "a function that is called through a pointer of another type "
                 "gets the arguments in their order, and any values for those "
                 "that are missing",
                 edge_->position);
}

/// Calls one function and brings its results into the shape of the call.
void Resolver::call_target(const ir::Call& call, ir::FunctionId target,
                           ir::LocationId from) {
  ir::Program& program = result_.program;
  term::Pool& pool = *program.pool;
  ir::Call direct = call;
  direct.callee = target;
  direct.pointer = {};
  const ir::Function& callee = program[target];
  note_types(call, callee);
  const std::size_t common =
      std::min(direct.arguments.size(), callee.parameters.size());
  for (std::size_t i = 0; i < common; ++i) {
    const term::Sort sort = program[callee.parameters[i]].term.sort();
    const Term argument = coerce(pool, direct.arguments[i], sort);
    if (argument.valid()) direct.arguments[i] = argument;
  }
  std::vector<ir::Statement> after;
  const std::vector<ir::TypeId> types = callee.results;
  const bool fits = call.results.size() == types.size();
  for (std::size_t i = 0; i < call.results.size(); ++i) {
    const ir::VariableId result = call.results[i];
    if (!fits) {
      after.push_back(
          ir::Havoc{result, ir::HavocReason::Undefined, std::string()});
      continue;
    }
    const term::Sort wanted = program[result].term.sort();
    const term::Sort given = program.types.sort(types[i]);
    if (wanted == given) continue;
    direct.results[i] = temporary(given, types[i]);
    const Term value = coerce(pool, program[direct.results[i]].term, wanted);
    if (value.valid()) after.push_back(ir::Assign{result, value});
  }
  if (!fits) direct.results.clear();
  const bool ends = !program[target].has_body && program[target].is_noreturn;
  if (ends) {
    direct.results.clear();
    after.clear();
  }
  after.insert(after.begin(), std::move(direct));
  for (std::size_t i = 0; i < after.size(); ++i) {
    const bool goes_on = i + 1 == after.size() && !ends;
    const ir::LocationId to = goes_on ? edge_->to : body_.add_location();
    add(from, to, std::move(after[i]));
    from = to;
  }
}

}  // namespace

ResolvedPointers resolve_function_pointers(const ir::Program& program,
                                           const PointsTo& points_to) {
  ResolvedPointers result{program, {}};
  for (std::size_t i = 0; i < program.functions.size(); ++i) {
    const ir::FunctionId id = ir::FunctionId::at(i);
    if (!program[id].has_body || !points_to.is_reachable(id)) continue;
    Resolver(result, points_to, id).run();
  }
  return result;
}

}  // namespace agon::analysis
