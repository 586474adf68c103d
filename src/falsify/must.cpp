// SPDX-License-Identifier: Apache-2.0
#include "falsify/must.h"

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
    const Term source[] = {node.states};
    if (ask(source) != Answer::Sat) return moves;
    const term::Assignment sample = solver_.model();
    for (const ir::EdgeId edge : body_.out_edges(node.location)) {
      for (const NodeId target : at_[body_.edge(edge).to.index()]) {
        const Term before =
            precondition(body_.edge(edge), model_.nodes[target].states);
        if (!before.valid() || before.is_false()) continue;
        if (term::evaluate(before, sample).number == 0) continue;
        const Term question[] = {node.states, pool_.negation(before)};
        if (before.is_true() || ask(question) == Answer::Unsat) {
          moves.push_back({target, edge, true, {}});
        }
      }
    }
    return moves;
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
};

}  // namespace

MustStatistics incorporate_must(Model& model, const ir::Program& program,
                                ir::FunctionId entry, smt::Solver& solver,
                                support::Context& context) {
  return MustTransitions(model, program, entry, solver, context).run();
}

}  // namespace agon::falsify
