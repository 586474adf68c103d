// SPDX-License-Identifier: Apache-2.0
#include "falsify/must.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "falsify/conjuncts.h"

// From a deterministic statement, a must transition leads where the weakest
// precondition of the target follows from the source. Most targets are ruled
// out by one state of the source.

namespace agon::falsify {
namespace {

using smt::Answer;
using term::Term;

class MustTransitions {
 public:
  MustTransitions(Model& model, const ir::Program& program,
                  ir::FunctionId entry, smt::Solver& solver,
                  support::Context& context)
      : model_(model),
        program_(program),
        pool_(*program.pool),
        body_(program[entry].body),
        solver_(solver),
        context_(context),
        at_(body_.num_locations()) {
    for (NodeId id = 0; id < model.nodes.size(); ++id) {
      at_[model.nodes[id].location.index()].push_back(id);
    }
  }

  MustStatistics run() {
    MustStatistics result;
    for (NodeId id = 0; id < model_.nodes.size(); ++id) {
      Node& node = model_.nodes[id];
      if (context_.exhausted()) break;
      if (node.kind != NodeKind::Inner) continue;
      if (node.is_choice) {
        add_choices(node);
        continue;
      }
      std::vector<Move> moves = find(node);
      if (moves.empty()) continue;
      ++result.nodes;
      result.moves += moves.size();
      node.owner = Player::Falsifier;
      node.may_block = false;
      node.moves = std::move(moves);
    }
    return result;
  }

 private:
  Answer ask(std::span<const Term> question) {
    ++context_.statistics()["solver.calls"];
    return solver_.check(question);
  }

  /// In FALS a choice leaves the state as it is. Here it changes a variable, so
  /// it can also lead into nodes that were found elsewhere.
  void add_choices(Node& node) {
    if (node.owner != Player::Falsifier || node.moves.empty()) return;
    const ir::EdgeId edge = node.moves.front().edge;
    for (const NodeId target : at_[body_.edge(edge).to.index()]) {
      if (std::ranges::find(node.moves, target, &Move::target) ==
          node.moves.end()) {
        node.moves.push_back({target, edge, Certainty::Open, {}, true});
      }
    }
  }

  std::vector<Move> find(const Node& node) {
    std::vector<Move> moves;
    const auto& some = sample(node.states);
    if (!some) return moves;
    const bool is_forced = node.moves.size() == 1 && !node.may_block;
    for (const ir::EdgeId edge : body_.out_edges(node.location)) {
      const auto after = step(body_.edge(edge).statement, *some);
      for (const NodeId target : at_[body_.edge(edge).to.index()]) {
        const bool is_known = is_forced && node.moves[0].target == target &&
                              node.moves[0].edge == edge;
        if (is_known || (after && holds(model_.nodes[target].states, *after) &&
                         is_sure(node, edge, target))) {
          moves.push_back({target, edge, Certainty::Sure});
        }
      }
    }
    return moves;
  }

  /// Where a statement leads from a state; nothing if it does not go on there,
  /// or is not deterministic.
  std::optional<term::Assignment> step(const ir::Statement& statement,
                                       const term::Assignment& state) const {
    if (const auto* test = std::get_if<ir::Assume>(&statement)) {
      return holds(test->condition, state) ? std::optional(state)
                                           : std::nullopt;
    }
    const auto* const assign = std::get_if<ir::Assign>(&statement);
    if (assign == nullptr) return std::nullopt;
    term::Assignment after = state;
    after[program_[assign->target].term] = term::evaluate(assign->value, state);
    return after;
  }

  static bool holds(Term formula, const term::Assignment& state) {
    return std::ranges::all_of(conjuncts(formula), [&](Term part) {
      return term::evaluate(part, state).number != 0;
    });
  }

  bool is_sure(const Node& node, ir::EdgeId edge, NodeId target) {
    const Term before =
        precondition(body_.edge(edge), model_.nodes[target].states);
    const Term question[] = {node.states, pool_.negation(before)};
    return before.is_true() || ask(question) == Answer::Unsat;
  }

  /// A state of a set, unless the solver finds none.
  const std::optional<term::Assignment>& sample(Term states) {
    const auto [at, is_new] = samples_.try_emplace(states);
    const Term question[] = {states};
    if (is_new && ask(question) == Answer::Sat) at->second = solver_.model();
    return at->second;
  }

  /// The states from which an Assign or Assume is taken and leads to `after`.
  Term precondition(const ir::Edge& edge, Term after) {
    if (const auto* assign = std::get_if<ir::Assign>(&edge.statement)) {
      return term::substitute(pool_, after,
                              {{program_[assign->target].term, assign->value}});
    }
    return pool_.conjunction(
        {std::get<ir::Assume>(edge.statement).condition, after});
  }

  Model& model_;
  const ir::Program& program_;
  term::Pool& pool_;
  const ir::Cfa& body_;
  smt::Solver& solver_;
  support::Context& context_;
  std::vector<std::vector<NodeId>> at_;  // Nodes by location.
  std::unordered_map<Term, std::optional<term::Assignment>> samples_;
};

}  // namespace

MustStatistics incorporate_must(Model& model, const ir::Program& program,
                                ir::FunctionId entry, smt::Solver& solver,
                                support::Context& context) {
  return MustTransitions(model, program, entry, solver, context).run();
}

}  // namespace agon::falsify
