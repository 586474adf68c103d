// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>

#include "abstraction/liveness.h"
#include "analysis/digraph.h"
#include "falsify/model.h"
#include "support/error.h"

// A node is made once for each location and value. What a value says about
// variables that are dead there is forgotten first. When a location has too
// many values, further ones are joined to a few that grow, and where a cycle
// starts they are widened; larger targets keep A1, A2 and S1 true.

namespace agon::falsify {
namespace {

using term::Term;

class Builder {
 public:
  Builder(const ir::Program& program, ir::FunctionId entry,
          domain::Domain& domain, const ModelOptions& options,
          smt::Solver& solver, support::Context& context)
      : program_(program),
        pool_(*program.pool),
        body_(program[entry].body),
        domain_(domain),
        options_(options),
        solver_(solver),
        context_(context),
        queries_before_(queries()),
        liveness_(program, body_),
        is_head_(body_.num_locations(), false),
        locations_(body_.num_locations()) {
    std::vector<analysis::Digraph::Arc> arcs;
    for (const ir::Edge& edge : body_.edges()) {
      arcs.emplace_back(edge.from.value(), edge.to.value());
    }
    const analysis::Digraph graph(body_.num_locations(), arcs);
    for (const analysis::Node head :
         analysis::cycle_heads(graph, body_.entry().value())) {
      is_head_[head] = true;
    }
  }

  Model run() {
    add(body_.entry(), domain_.top(), kNobody);
    NodeId id = 0;
    for (; id < model_.nodes.size(); ++id) {
      if (const auto& reason = context_.exhausted()) {
        model_.reason = *reason;
        break;
      }
      if (model_.nodes.size() > options_.max_nodes ||
          queries() - queries_before_ > options_.max_queries) {
        model_.reason = "the abstract model is too large";
        break;
      }
      expand(id);
    }
    // From the others the Preventer might escape.
    for (; id < model_.nodes.size(); ++id) node(id).may_block = true;
    return std::move(model_);
  }

 private:
  /// What is known about the values at a location.
  struct Values {
    std::map<domain::Value, NodeId> nodes;
    std::vector<domain::Value> wide;  // Those that grow.
    std::set<domain::Value> situations;
  };

  std::uint64_t queries() { return context_.statistics()["solver.calls"]; }

  std::size_t distance(const domain::Value& a, const domain::Value& b) const {
    const bool is_alike = domain_.situation(a) == domain_.situation(b);
    std::size_t result = is_alike ? 0 : a.size();
    for (std::size_t i = 0; i < a.size(); ++i) result += a[i] != b[i] ? 1 : 0;
    return result;
  }

  /// A value that holds `value`, of the few that grow. It grows from the one
  /// that differs least.
  domain::Value enlarge(Values& values, const domain::Value& value,
                        bool is_head) {
    const auto far = [&](const domain::Value& v) { return distance(v, value); };
    const auto both = [&](const domain::Value& v) {
      return is_head ? domain_.widen(v, value) : domain_.join(v, value);
    };
    for (const domain::Value& wide : values.wide) {
      if (domain_.is_below(value, wide)) return wide;
    }
    const auto grown = std::ranges::min_element(values.wide, {}, far);
    const auto near = std::ranges::min_element(
        values.nodes, {}, [&](const auto& node) { return far(node.first); });
    if (values.wide.size() == kMostWide ||
        (grown != values.wide.end() && far(*grown) <= far(near->first))) {
      *grown = both(*grown);
      return *grown;
    }
    values.wide.push_back(both(near->first));
    return values.wide.back();
  }

  /// The value of the last node before `from`, or of itself, at a location; in
  /// the situation of `value`, unless there are many.
  const domain::Value* last_at(ir::LocationId location, NodeId from,
                               const domain::Value& value) {
    Values& values = locations_[location.index()];
    const domain::Value situation = domain_.situation(value);
    if (values.situations.size() < kMostSituations) {
      values.situations.insert(situation);
    }
    const bool is_known = values.situations.contains(situation);
    for (NodeId id = from; id != kNobody; id = parents_[id]) {
      const Node& node = model_.nodes[id];
      if (node.location != location) continue;
      if (!is_known || domain_.situation(node.value) == situation) {
        return &node.value;
      }
    }
    return nullptr;
  }

  /// What is made of a value if the location has many already. In a loop it is
  /// what the last round made of it that grows, and not what came in.
  domain::Value enlarge(ir::LocationId location, const domain::Value& value,
                        NodeId from) {
    Values& values = locations_[location.index()];
    const bool is_head = is_head_[location.index()];
    const std::size_t count = values.nodes.size();
    const std::size_t most = options_.values_per_location;
    if (count >= kMoreInside * most) return enlarge(values, value, is_head);
    if (!is_head || count < most) return value;
    const domain::Value* const before = last_at(location, from, value);
    return before != nullptr ? domain_.widen(*before, value) : value;
  }

  /// The node of a value that was found at node `from`.
  NodeId add(ir::LocationId location, const domain::Value& value, NodeId from) {
    domain::Value live = domain_.keep(value, [&](ir::VariableId variable) {
      return liveness_.is_live(location, variable);
    });
    Values& values = locations_[location.index()];
    if (!values.nodes.contains(live)) live = enlarge(location, live, from);
    const auto [at, is_new] =
        values.nodes.emplace(live, static_cast<NodeId>(model_.nodes.size()));
    if (is_new) {
      Node node;
      node.location = location;
      node.states = domain_.concretise(live);
      node.value = std::move(live);
      model_.nodes.push_back(std::move(node));
      parents_.push_back(from);
    }
    return at->second;
  }

  Node& node(NodeId id) { return model_.nodes[id]; }

  /// H1: along the edges of the location.
  void expand(NodeId id) {
    const auto edges = body_.out_edges(node(id).location);
    if (edges.empty()) {
      node(id).kind = NodeKind::End;
      return;
    }
    const ir::Edge& edge = body_.edge(edges.front());
    if (std::holds_alternative<ir::Assume>(edge.statement)) {
      expand_branch(id, edges);
    } else if (const auto* assign = std::get_if<ir::Assign>(&edge.statement)) {
      const domain::Value value = node(id).value;
      move_to(id, edges.front(), domain_.post(value, *assign));
    } else if (const auto* havoc = std::get_if<ir::Havoc>(&edge.statement)) {
      expand_choice(id, edges.front(), *havoc);
    } else if (std::holds_alternative<ir::Return>(edge.statement)) {
      node(id).kind = NodeKind::End;
    } else {
      const ir::FunctionId callee = std::get<ir::Call>(edge.statement).callee;
      const bool is_error = callee.valid() && program_[callee].is_action &&
                            program_[callee].display == "error";
      node(id).kind = is_error ? NodeKind::Bad : NodeKind::End;
    }
  }

  void move_to(NodeId id, ir::EdgeId edge,
               const std::vector<domain::Value>& values) {
    std::set<NodeId> targets;
    for (const domain::Value& value : values) {
      targets.insert(add(body_.edge(edge).to, value, id));
    }
    for (const NodeId target : targets) {
      node(id).moves.push_back({target, edge});
    }
  }

  void expand_branch(NodeId id, std::span<const ir::EdgeId> edges) {
    std::vector<Term> conditions;
    const domain::Value value = node(id).value;
    for (const ir::EdgeId edge : edges) {
      const auto& test = std::get<ir::Assume>(body_.edge(edge).statement);
      conditions.push_back(test.condition);
      move_to(id, edge, domain_.filter(value, test.condition));
    }
    node(id).may_block = may_block(id, pool_.disjunction(conditions));
  }

  bool may_block(NodeId id, Term passes) {
    if (passes.is_true()) return false;
    const Term stuck = pool_.negation(passes);
    const domain::Value value = node(id).value;
    if (domain_.filter(value, stuck).empty()) return false;
    const Term question[] = {node(id).states, stuck};
    ++context_.statistics()["solver.calls"];
    return solver_.check(question) != smt::Answer::Unsat;
  }

  void expand_choice(NodeId id, ir::EdgeId edge, const ir::Havoc& havoc) {
    const domain::Value value = node(id).value;
    move_to(id, edge, domain_.post(value, havoc));
    node(id).is_choice = true;
    if (options_.inputs == Player::Preventer || !is_input(program_, havoc)) {
      return;
    }
    node(id).owner = Player::Falsifier;
    for (Move& move : node(id).moves) move.certainty = Certainty::Open;
  }

  static constexpr std::size_t kMostWide = 12;        // At a location.
  static constexpr std::size_t kMostSituations = 12;  // Where a cycle starts.
  static constexpr NodeId kNobody = ~NodeId{0};
  static constexpr std::size_t kMoreInside = 4;  // Values where no loop starts.

  const ir::Program& program_;
  term::Pool& pool_;
  const ir::Cfa& body_;
  domain::Domain& domain_;
  const ModelOptions& options_;
  smt::Solver& solver_;
  support::Context& context_;
  std::uint64_t queries_before_;
  abstraction::Liveness liveness_;
  std::vector<bool> is_head_;  // Every cycle passes one.
  std::vector<Values> locations_;
  std::vector<NodeId> parents_;  // By node: where it was found first.
  Model model_;
};

}  // namespace

std::vector<NodeId> Model::at(ir::LocationId location) const {
  std::vector<NodeId> result;
  for (NodeId id = 0; id < nodes.size(); ++id) {
    if (nodes[id].location == location) result.push_back(id);
  }
  return result;
}

Model build(const ir::Program& program, ir::FunctionId entry,
            domain::Domain& domain, const ModelOptions& options,
            smt::Solver& solver, support::Context& context) {
  return Builder(program, entry, domain, options, solver, context).run();
}

bool is_input(const ir::Program& program, const ir::Havoc& havoc) {
  const ir::Variable& target = program[havoc.target];
  if (target.term.sort().is_array()) return false;
  if (havoc.reason == ir::HavocReason::Uninitialised) return true;
  if (havoc.reason != ir::HavocReason::Input) return false;
  // A routine that nobody knows returns anything, but what it does to globals
  // is only what it might do.
  return havoc.source.empty() ||
         havoc.source.starts_with("__VERIFIER_nondet") ||
         target.kind != ir::VariableKind::Global;
}

}  // namespace agon::falsify
