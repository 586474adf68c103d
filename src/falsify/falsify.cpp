// SPDX-License-Identifier: Apache-2.0
#include "falsify/falsify.h"

#include <algorithm>
#include <optional>

#include "falsify/must.h"
#include "falsify/settle.h"
#include "falsify/way.h"

namespace agon::falsify {
namespace {

class Falsification {
 public:
  Falsification(const Question& question, const Options& options,
                smt::Solver& solver, support::Context& context)
      : question_(question),
        options_(options),
        solver_(solver),
        context_(context),
        played_(make_explicit(question, options.choices)) {}

  Result run() {
    domain::Setting setting{played_.program, question_.entry, solver_, context_,
                            options_.predicates};
    if (options_.loops) {
      finder_.emplace(played_.program, question_.entry);
      setting.conditions = finder_->conditions();
    }
    setting.conditions.insert(setting.conditions.end(),
                              options_.conditions.begin(),
                              options_.conditions.end());
    const auto domain = domain::make(options_.domain, setting);
    result_.domain = options_.domain;
    model_ = build(played_.program, question_.entry, *domain, options_.model,
                   solver_, context_);
    result_.nodes = model_.nodes.size();
    if (options_.must) {
      result_.must_nodes = incorporate_must(model_, played_.program,
                                            question_.entry, solver_, context_)
                               .nodes;
    }
    if (const auto& reason = context_.exhausted()) {
      result_.reason = *reason;  // The model may lack moves.
      return std::move(result_);
    }
    if (finder_) loops_ = finder_->ending(model_, solver_, context_);
    decide();
    return std::move(result_);
  }

 private:
  void decide() {
    from_ = options_.from ? nodes_at(*options_.from) : std::vector<NodeId>{0};
    if (from_.empty()) {
      result_.reason =
          "nothing at this line is reached that matters for the error";
      return;
    }
    result_.wins = settle() || settle_with_more_loops();
    if (!result_.wins) {
      result_.reason = model_.reason.value_or(why_not());
      return;
    }
    result_.strategy = describe(model_, wins_, loops_, from_, played_.program,
                                question_.entry);
    if (options_.from) {
      find_execution();
    } else {
      keep(run_once({}, options_.max_steps));
    }
  }

  std::string why_not() const {
    const auto is_bad = [](const Node& node) {
      return node.kind == NodeKind::Bad;
    };
    return std::ranges::any_of(model_.nodes, is_bad)
               ? "the Preventer can avoid the error in this abstraction"
               : "no error is reached in this abstraction; that there is none "
                 "can be shown by agon reach";
  }

  /// Whether all nodes of `from_` are won by moves that are sure.
  bool settle() {
    do {
      wins_ = play(model_, loops_, context_);
      const bool all_won =
          std::ranges::all_of(from_, [&](NodeId id) { return wins_[id].wins; });
      if (!all_won || context_.exhausted()) return false;
    } while (!are_sure(model_, wins_, from_, played_.program, question_.entry,
                       solver_, context_));
    return !context_.exhausted();
  }

  bool settle_with_more_loops() {
    if (!finder_ || context_.exhausted()) return false;
    const auto more = finder_->left(model_, solver_, context_);
    if (more.empty()) return false;
    loops_.insert(loops_.end(), more.begin(), more.end());
    return settle();
  }

  /// The nodes at which control gets to a line.
  std::vector<NodeId> nodes_at(const From& from) const {
    const ir::Cfa& body = played_.program[question_.entry].body;
    const auto is_there = [&](const ir::Edge& edge) {
      return edge.position.line == from.line &&
             (from.file.empty() ||
              played_.program.files[edge.position.file.index()].ends_with(
                  from.file));
    };
    std::vector<bool> gets_there(body.num_locations(), false);
    gets_there[body.entry().index()] = true;
    for (const ir::Edge& edge : body.edges()) {
      if (!is_there(edge)) gets_there[edge.to.index()] = true;
    }
    std::vector<NodeId> result;
    for (NodeId id = 0; id < model_.nodes.size(); ++id) {
      const ir::LocationId location = model_.nodes[id].location;
      const auto edges = body.out_edges(location);
      if (gets_there[location.index()] && !edges.empty() &&
          is_there(body.edge(edges.front()))) {
        result.push_back(id);
      }
    }
    return result;
  }

  Replay run_once(const Approach& approach, std::uint64_t max_steps) const {
    return replay(question_, played_, model_, wins_, from_, max_steps, approach,
                  context_);
  }

  void keep(Replay made) {
    result_.execution = std::move(made.execution);
    if (!result_.execution) {
      result_.reason =
          "the Falsifier wins, but in the execution " + made.problem;
    }
  }

  /// The strategy starts at a line. How to get there is found by the solver,
  /// or by trying.
  void find_execution() {
    Approach approach;
    approach.goal.resize(played_.program[question_.entry].body.num_locations());
    for (const NodeId id : from_) {
      approach.goal[model_.nodes[id].location.index()] = true;
    }
    constexpr std::uint64_t kTries = 200;
    const std::uint64_t steps = options_.max_steps / kTries;
    result_.is_conditional = !has_execution(approach, options_.max_steps / 10);
    if (result_.is_conditional) {
      approach.values = find_way(played_.program, question_.entry,
                                 approach.goal, solver_, context_);
      result_.is_conditional =
          !approach.values || !has_execution(approach, options_.max_steps / 10);
    }
    approach.values.reset();
    for (std::uint64_t i = 0; i < kTries && result_.is_conditional; ++i) {
      if (context_.exhausted()) break;
      approach.seed = context_.seed() + i;
      result_.is_conditional = !has_execution(approach, steps);
    }
    if (result_.is_conditional) {
      result_.reason = "no execution was found that gets there";
    }
  }

  bool has_execution(const Approach& approach, std::uint64_t steps) {
    Replay made = run_once(approach, steps);
    if (made.execution) keep(std::move(made));
    return result_.execution.has_value();
  }

  const Question& question_;
  const Options& options_;
  smt::Solver& solver_;
  support::Context& context_;
  Explicit played_;
  Model model_;
  std::optional<LoopFinder> finder_;
  std::vector<EndingLoop> loops_;
  std::vector<Win> wins_;
  std::vector<NodeId> from_;
  Result result_;
};

}  // namespace

Result falsify(const Question& question, const Options& options,
               smt::Solver& solver, support::Context& context) {
  return Falsification(question, options, solver, context).run();
}

}  // namespace agon::falsify
