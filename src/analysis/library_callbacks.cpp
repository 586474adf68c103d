// SPDX-License-Identifier: Apache-2.0
#include "analysis/library_callbacks.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/call_graph.h"
#include "analysis/coerce.h"

namespace agon::analysis {
namespace {

using term::Term;

/// Which argument is what.
struct Routine {
  std::string_view name;
  std::optional<std::size_t> key;
  std::size_t base;
  std::size_t count;
  std::size_t size;
  std::size_t function;
};

constexpr std::array<Routine, 2> kRoutines = {{
    {"qsort", std::nullopt, 0, 1, 2, 3},
    {"bsearch", 0, 1, 2, 3, 4},
}};

class Rewriter {
 public:
  explicit Rewriter(ir::Program& program)
      : program_(program), pool_(*program.pool), calls_(program) {}

  void run() {
    for (std::size_t i = 0; i < program_.functions.size(); ++i) {
      if (program_.functions[i].has_body) rewrite(ir::FunctionId::at(i));
    }
  }

 private:
  const Routine* routine_of(const ir::Edge& edge) const {
    const auto* const call = std::get_if<ir::Call>(&edge.statement);
    if (call == nullptr || !call->callee.valid()) return nullptr;
    const ir::Function& callee = program_[call->callee];
    const auto found =
        std::ranges::find(kRoutines, callee.name, &Routine::name);
    if (callee.has_body || found == kRoutines.end() ||
        call->arguments.size() != found->function + 1 ||
        !may_perform(call->arguments[found->function])) {
      return nullptr;
    }
    return &*found;
  }

  bool may_perform(Term pointer) const {
    const ir::FunctionId known = program_.function_of(pointer);
    if (known.valid()) return performs(known);
    for (std::size_t i = 0; i < program_.functions.size(); ++i) {
      const bool has_address = program_.functions[i].address.valid();
      if (has_address && performs(ir::FunctionId::at(i))) return true;
    }
    return false;
  }

  bool performs(ir::FunctionId function) const {
    return std::ranges::any_of(
        calls_.reachable(function),
        [&](ir::FunctionId each) { return program_[each].is_action; });
  }

  void rewrite(ir::FunctionId function) {
    const ir::Cfa old = program_[function].body;
    if (std::ranges::none_of(old.edges(), [&](const ir::Edge& edge) {
          return routine_of(edge) != nullptr;
        })) {
      return;
    }
    function_ = function;
    body_ = old.without_edges();
    for (const ir::Edge& edge : old.edges()) {
      const Routine* const routine = routine_of(edge);
      edge_ = &edge;
      if (routine != nullptr) {
        call_back(*routine, std::get<ir::Call>(edge.statement));
      } else {
        body_.add_edge(edge);
      }
    }
    body_.finish();
    program_.functions[function.index()].body = std::move(body_);
  }

  void call_back(const Routine& routine, const ir::Call& call) {
    const unsigned width = program_.pointer_width();
    const ir::LocationId head = body_.add_location();
    lay(edge_->from, head, ir::Assume{pool_.boolean(true)});
    const ir::VariableId more = choose(head, term::Sort::bits(1));
    const Term goes_on = pool_.equal(program_[more].term, pool_.bits(1, 1));
    const ir::LocationId decided = at_;
    lay(next(ir::Assume{pool_.negation(goes_on)}), edge_->to, call);
    at_ = decided;
    next(ir::Assume{goes_on});
    ir::Call change = call;
    change.results.clear();
    next(std::move(change));
    ir::Call back;
    back.pointer = call.arguments[routine.function];
    const auto argument = [&](std::size_t i) {
      return coerce(pool_, call.arguments[i], term::Sort::bits(width));
    };
    for (std::size_t i = 0; i < 2; ++i) {
      if (i == 0 && routine.key) {
        back.arguments.push_back(argument(*routine.key));
        continue;
      }
      const ir::VariableId index = choose(at_, term::Sort::bits(width));
      const Term value = program_[index].term;
      next(ir::Assume{pool_.unsigned_less(value, argument(routine.count))});
      back.arguments.push_back(
          pool_.add(argument(routine.base),
                    pool_.multiply(value, argument(routine.size))));
    }
    lay(at_, head, std::move(back));
  }

  /// Gives a new variable any value.
  ir::VariableId choose(ir::LocationId from, term::Sort sort) {
    ir::Variable variable;
    variable.name = variable.display = "any";
    variable.kind = ir::VariableKind::Temporary;
    variable.owner = function_;
    const ir::VariableId id = program_.add_variable(std::move(variable), sort);
    program_.functions[function_.index()].locals.push_back(id);
    at_ = from;
    next(ir::Havoc{id, ir::HavocReason::Input, {}});
    return id;
  }

  ir::LocationId next(ir::Statement statement) {
    const ir::LocationId to = body_.add_location();
    lay(at_, to, std::move(statement));
    return at_ = to;
  }

  void lay(ir::LocationId from, ir::LocationId to, ir::Statement statement) {
    ir::Edge edge = *edge_;
    edge.from = from;
    edge.to = to;
    edge.statement = std::move(statement);
    body_.add_edge(std::move(edge));
  }

  ir::Program& program_;
  term::Pool& pool_;
  CallGraph calls_;
  ir::FunctionId function_;  // That is rewritten.
  ir::Cfa body_;
  const ir::Edge* edge_ = nullptr;
  ir::LocationId at_;
};

}  // namespace

bool calls_back(std::string_view routine) {
  return std::ranges::find(kRoutines, routine, &Routine::name) !=
         kRoutines.end();
}

void add_library_callbacks(ir::Program& program) {
  const bool is_needed =
      std::ranges::any_of(program.functions, [](const ir::Function& function) {
        return !function.has_body && calls_back(function.name);
      });
  if (is_needed) Rewriter(program).run();
}

}  // namespace agon::analysis
