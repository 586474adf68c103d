// SPDX-License-Identifier: Apache-2.0
#include "verify/monitor.h"

#include <algorithm>
#include <map>

#include "lts/determinise.h"
#include "lts/successors.h"
#include "verify/question.h"

namespace agon::verify {
namespace {

using term::Term;

constexpr std::size_t kMostSets = 64;

/// For each action, where it leads from each set of states; kNowhere: it is not
/// allowed there.
struct Moves {
  static constexpr std::size_t kNowhere = ~std::size_t{0};
  std::size_t num_sets = 0;
  std::map<lts::Label, std::vector<std::size_t>> targets;
};

std::optional<Moves> determinise(const lts::Lts& spec,
                                 support::Context& context) {
  lts::ExplicitSuccessors system(spec);
  lts::Determinised sets(system, lts::Silent::Hidden, lts::Errors::Ignore,
                         context);
  Moves moves;
  const std::size_t first = sets.initial().index();
  moves.num_sets = first + 1;
  for (std::size_t set = first; set < moves.num_sets; ++set) {
    for (const lts::Transition t : sets.expand(lts::State::at(set))) {
      auto& targets = moves.targets[t.label];
      targets.resize(std::max(targets.size(), set + 1), Moves::kNowhere);
      targets[set] = t.target.index();
      moves.num_sets = std::max(moves.num_sets, t.target.index() + 1);
    }
    if (moves.num_sets > kMostSets || context.exhausted()) return {};
  }
  for (auto& [label, targets] : moves.targets) {
    targets.resize(moves.num_sets, Moves::kNowhere);
  }
  return moves;
}

class Rewriting {
 public:
  Rewriting(const Task& task, Moves moves)
      : task_(task),
        moves_(std::move(moves)),
        result_{task.program, {}},
        pool_(*task.program.pool) {}

  Monitored run() {
    add_variable();
    add_error();
    ir::Function& function = result_.program.functions[task_.entry.index()];
    const ir::Cfa old = std::move(function.body);
    body_ = old.without_edges();
    end_ = body_.add_location();
    for (const ir::Edge& edge : old.edges()) {
      if (std::holds_alternative<ir::Call>(edge.statement)) {
        watch(edge);
      } else {
        body_.add_edge(edge);
      }
    }
    body_.finish();
    function.body = std::move(body_);
    return std::move(result_);
  }

 private:
  static constexpr unsigned kWidth = 8;

  void add_variable() {
    if (moves_.num_sets == 1) return;
    ir::Variable variable;
    variable.name = variable.display = "specification";
    variable.kind = ir::VariableKind::Global;
    variable_ =
        result_.program.add_variable(variable, term::Sort::bits(kWidth));
    result_.program.variables[variable_.index()].initial = value(0);
    for (std::size_t set = 0; set < moves_.num_sets; ++set) {
      result_.states.push_back(is_at(set));
    }
  }

  void add_error() {
    ir::Function action;
    action.name = "action error";
    action.display = kError;
    action.is_action = true;
    action.is_noreturn = true;
    error_ = result_.program.add_function(std::move(action));
  }

  Term value(std::size_t set) const { return pool_.bits(set, kWidth); }
  Term is_at(std::size_t set) const {
    if (moves_.num_sets == 1) return pool_.boolean(true);
    return pool_.equal(result_.program[variable_].term, value(set));
  }

  /// Branches on where the specification is instead of performing an action.
  void watch(const ir::Edge& edge) {
    const ir::FunctionId action = std::get<ir::Call>(edge.statement).callee;
    const auto label = task_.spec.labels()->find(task_.program[action].display);
    if (!label || !std::ranges::binary_search(task_.spec.alphabet(), *label)) {
      add(edge, edge.from, edge.to, ir::Assume{pool_.boolean(true)});
      return;
    }
    std::map<std::size_t, std::vector<Term>> from;  // By target.
    const auto targets = moves_.targets.find(*label);
    for (std::size_t set = 0; set < moves_.num_sets; ++set) {
      const bool is_known = targets != moves_.targets.end();
      from[is_known ? targets->second[set] : Moves::kNowhere].push_back(
          is_at(set));
    }
    for (const auto& [target, conditions] : from) {
      go(edge, target, pool_.disjunction(conditions));
    }
  }

  void go(const ir::Edge& edge, std::size_t target, Term condition) {
    const ir::LocationId middle = body_.add_location();
    add(edge, edge.from, middle, ir::Assume{condition});
    if (target == Moves::kNowhere) {
      add(edge, middle, end_, ir::Call{error_, {}, {}, {}, {}});
    } else if (moves_.num_sets == 1) {
      add(edge, middle, edge.to, ir::Assume{pool_.boolean(true)});
    } else {
      add(edge, middle, edge.to, ir::Assign{variable_, value(target)});
    }
  }

  void add(const ir::Edge& like, ir::LocationId from, ir::LocationId to,
           ir::Statement statement) {
    ir::Edge edge = like;
    edge.from = from;
    edge.to = to;
    edge.statement = std::move(statement);
    body_.add_edge(std::move(edge));
  }

  const Task& task_;
  Moves moves_;
  Monitored result_;
  term::Pool& pool_;
  ir::VariableId variable_;
  ir::FunctionId error_;
  ir::Cfa body_;
  ir::LocationId end_;
};

}  // namespace

std::optional<Monitored> monitor(const Task& task, support::Context& context) {
  auto moves = determinise(task.spec, context);
  if (!moves) return std::nullopt;
  return Rewriting(task, std::move(*moves)).run();
}

}  // namespace agon::verify
