// SPDX-License-Identifier: Apache-2.0
#include "analysis/slice_control.h"

#include <algorithm>
#include <array>

#include "horn/solver.h"

namespace agon::analysis {
namespace {

using Arcs = std::vector<Digraph::Arc>;

bool is_never_taken(const ir::Edge& edge) {
  const auto* assume = std::get_if<ir::Assume>(&edge.statement);
  return assume != nullptr && assume->condition.is_false();
}

/// Clauses about how functions end, for one program.
class EndingClauses {
 public:
  EndingClauses(const ir::Program& program, const Calls& calls)
      : program_(program), calls_(calls), ends_(program.functions.size()) {
    for (auto& ends : ends_) {
      for (horn::Variable& way : ends) way = solver_.add_variable();
    }
    for (const ir::FunctionId function : calls.functions()) add(function);
    solver_.solve();
  }

  std::vector<Endings> result() const {
    std::vector<Endings> endings;
    for (const auto& ends : ends_) {
      endings.push_back(
          {solver_.is_true(ends[kReturns]), solver_.is_true(ends[kStops])});
    }
    return endings;
  }

 private:
  enum Way { kReturns, kStops };

  void imply(horn::Variable head, std::initializer_list<horn::Variable> body) {
    solver_.add_clause(head, std::span(body.begin(), body.size()));
  }

  void add(ir::FunctionId id) {
    const ir::Function& function = program_[id];
    const auto& ends = ends_[id.index()];
    if (!function.has_body) {
      imply(ends[function.is_noreturn ? kStops : kReturns], {});
      return;
    }
    const ir::Cfa& body = function.body;
    std::vector<horn::Variable> reached(body.num_locations());
    for (horn::Variable& variable : reached) variable = solver_.add_variable();
    imply(reached[body.entry().index()], {});
    for (std::size_t i = 0; i < reached.size(); ++i) {
      const ir::LocationId location = ir::LocationId::at(i);
      if (location == body.exit()) {
        imply(ends[kReturns], {reached[i]});
      } else if (body.out_edges(location).empty()) {
        imply(ends[kStops], {reached[i]});
      }
      for (const ir::EdgeId edge : body.out_edges(location)) {
        add_edge(id, edge, reached);
      }
    }
  }

  void add_edge(ir::FunctionId id, ir::EdgeId edge_id,
                const std::vector<horn::Variable>& reached) {
    const ir::Edge& edge = program_[id].body.edge(edge_id);
    if (is_never_taken(edge)) return;
    const horn::Variable from = reached[edge.from.index()];
    const horn::Variable to = reached[edge.to.index()];
    if (!std::holds_alternative<ir::Call>(edge.statement)) {
      imply(to, {from});
      return;
    }
    for (const ir::FunctionId callee : calls_.callees(id, edge_id)) {
      const auto& inner = ends_[callee.index()];
      imply(to, {from, inner[kReturns]});
      imply(ends_[id.index()][kStops], {from, inner[kStops]});
    }
  }

  const ir::Program& program_;
  const Calls& calls_;
  horn::Solver solver_;
  std::vector<std::array<horn::Variable, 2>> ends_;
};

/// The arcs from the locations of a function.
class ArcFinder {
 public:
  ArcFinder(const ir::Program& program, ir::FunctionId function,
            const Calls& calls, const std::vector<Endings>& endings)
      : body_(program[function].body),
        function_(function),
        calls_(calls),
        endings_(endings),
        stop_(static_cast<Node>(body_.num_locations())) {}

  Arcs find() {
    for (Node node = 0; node < stop_; ++node) add(ir::LocationId(node));
    arcs_.emplace_back(stop_, stop_ + 2);
    arcs_.emplace_back(stop_ + 1, stop_ + 2);
    return std::move(arcs_);
  }

 private:
  void add(ir::LocationId location) {
    const Node node = location.value();
    if (location == body_.exit()) {
      arcs_.emplace_back(node, stop_ + 2);
      return;
    }
    const auto out = body_.out_edges(location);
    if (out.empty()) arcs_.emplace_back(node, stop_);
    for (const ir::EdgeId id : out) {
      const ir::Edge& edge = body_.edge(id);
      if (std::holds_alternative<ir::Call>(edge.statement)) {
        add_call(id, edge);
      } else if (!is_never_taken(edge)) {
        arcs_.emplace_back(node, edge.to.value());
      }
    }
    if (may_block(body_, location)) arcs_.emplace_back(node, stop_ + 1);
  }

  void add_call(ir::EdgeId id, const ir::Edge& edge) {
    Endings all;
    for (const ir::FunctionId callee : calls_.callees(function_, id)) {
      const Endings& one = endings_[callee.index()];
      all.returns = all.returns || one.returns;
      all.stops = all.stops || one.stops;
    }
    const Node node = edge.from.value();
    if (all.returns) arcs_.emplace_back(node, edge.to.value());
    if (all.stops) arcs_.emplace_back(node, stop_);
  }

  const ir::Cfa& body_;
  ir::FunctionId function_;
  const Calls& calls_;
  const std::vector<Endings>& endings_;
  Node stop_;
  Arcs arcs_;
};

}  // namespace

Calls::Calls(const ir::Program& program, ir::FunctionId entry)
    : graph_(program),
      functions_(graph_.reachable(entry)),
      called_(program.functions.size(), false) {
  for (const ir::FunctionId function : functions_) {
    for (const CallSite& site : graph_.calls(function)) {
      called_[site.callee.index()] = true;
    }
  }
}

std::vector<ir::FunctionId> Calls::callees(ir::FunctionId caller,
                                           ir::EdgeId edge) const {
  const auto sites = graph_.calls(caller);
  const auto range = std::ranges::equal_range(
      sites, edge, {}, [](const CallSite& site) { return site.edge; });
  std::vector<ir::FunctionId> result;
  for (const CallSite& site : range) result.push_back(site.callee);
  return result;
}

std::vector<Endings> find_endings(const ir::Program& program,
                                  const Calls& calls) {
  return EndingClauses(program, calls).result();
}

bool may_block(const ir::Cfa& body, ir::LocationId location) {
  const auto out = body.out_edges(location);
  if (out.size() != 1) return false;
  const auto* assume = std::get_if<ir::Assume>(&body.edge(out[0]).statement);
  return assume != nullptr && !assume->condition.is_true();
}

ControlGraph::ControlGraph(const ir::Program& program, ir::FunctionId function,
                           const Calls& calls,
                           const std::vector<Endings>& endings)
    : graph_(0, {}) {
  const ir::Cfa& body = program[function].body;
  stop_ = static_cast<Node>(body.num_locations());
  if (body.exit().valid()) exit_ = body.exit().value();
  Arcs arcs = ArcFinder(program, function, calls, endings).find();
  const std::size_t size = body.num_locations() + 3;
  graph_ = Digraph(size, arcs);
  heads_ = cycle_heads(graph_, body.entry().value());
  std::vector<Node> ends{stop_};
  if (exit_ != kNoNode) ends.push_back(exit_);
  const std::vector<bool> has_way_out = reachable_from(graph_.reversed(), ends);
  for (Node node = 0; node < stop_; ++node) {
    if (has_way_out[node]) continue;
    if (std::ranges::binary_search(heads_, node) ||
        std::ranges::all_of(graph_.successors(node),
                            [&](Node to) { return to == block(); })) {
      traps_.push_back(node);
      arcs.emplace_back(node, end());
    }
  }
  graph_ = Digraph(size, arcs);
}

}  // namespace agon::analysis
