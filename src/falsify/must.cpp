// SPDX-License-Identifier: Apache-2.0
#include "falsify/must.h"

#include <optional>
#include <unordered_map>

#include "term/substitute.h"

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
      if (node.kind != NodeKind::Inner || node.is_choice) continue;
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

  std::vector<Move> find(const Node& node) {
    std::vector<Move> moves;
    const auto& some = sample(node.states);
    if (!some) return moves;
    const bool is_forced = node.moves.size() == 1 && !node.may_block;
    for (const ir::EdgeId edge : body_.out_edges(node.location)) {
      for (const NodeId target : at_[body_.edge(edge).to.index()]) {
        const bool is_known = is_forced && node.moves[0].target == target &&
                              node.moves[0].edge == edge;
        if (is_known || is_sure(node, edge, target, *some)) {
          moves.push_back({target, edge, Certainty::Sure});
        }
      }
    }
    return moves;
  }

  bool is_sure(const Node& node, ir::EdgeId edge, NodeId target,
               const term::Assignment& some) {
    const Term before =
        precondition(body_.edge(edge), model_.nodes[target].states);
    if (!before.valid() || term::evaluate(before, some).number == 0) {
      return false;
    }
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

  /// The states from which the edge is taken and leads to `after`. Invalid for
  /// statements that are not deterministic.
  Term precondition(const ir::Edge& edge, Term after) {
    if (const auto* assign = std::get_if<ir::Assign>(&edge.statement)) {
      return term::substitute(pool_, after,
                              {{program_[assign->target].term, assign->value}});
    }
    if (const auto* test = std::get_if<ir::Assume>(&edge.statement)) {
      return pool_.conjunction({test->condition, after});
    }
    return {};
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
